module @jit_binary_of_integers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xi32>, %arg1: tensor<6xi32>, %arg2: tensor<6xi1>, %arg3: tensor<2x3xi1>) -> (tensor<6xi32> {jax.result_info = "result[0]"}, tensor<6xi32> {jax.result_info = "result[1]"}, tensor<6xi32> {jax.result_info = "result[2]"}, tensor<6xi32> {jax.result_info = "result[3]"}, tensor<6xi32> {jax.result_info = "result[4]"}, tensor<6xi32> {jax.result_info = "result[5]"}, tensor<6xi32> {jax.result_info = "result[6]"}, tensor<6xi32> {jax.result_info = "result[7]"}, tensor<6xi1> {jax.result_info = "result[8]"}, tensor<6xi1> {jax.result_info = "result[9]"}, tensor<6xi1> {jax.result_info = "result[10]"}) {
    %0 = stablehlo.reshape %arg3 : (tensor<2x3xi1>) -> tensor<6xi1>
    %1 = stablehlo.and %arg0, %arg1 : tensor<6xi32>
    %2 = stablehlo.or %arg0, %arg1 : tensor<6xi32>
    %3 = stablehlo.xor %arg0, %arg1 : tensor<6xi32>
    %4 = stablehlo.shift_left %arg0, %arg1 : tensor<6xi32>
    %5 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<6xi32>
    %6 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<6xi32>
    %7 = call @floor_divide(%arg0, %arg1) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %8 = stablehlo.remainder %arg0, %arg1 : tensor<6xi32>
    %9 = stablehlo.and %arg2, %0 : tensor<6xi1>
    %10 = stablehlo.or %arg2, %0 : tensor<6xi1>
    %11 = stablehlo.xor %arg2, %0 : tensor<6xi1>
    return %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>
  }
  func.func private @floor_divide(%arg0: tensor<6xi32>, %arg1: tensor<6xi32>) -> tensor<6xi32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<6xi32>
    %1 = stablehlo.sign %arg0 : tensor<6xi32>
    %2 = stablehlo.sign %arg1 : tensor<6xi32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %7 = stablehlo.and %3, %6 : tensor<6xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %9 = stablehlo.subtract %0, %8 : tensor<6xi32>
    %10 = call @_where(%7, %9, %0) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %10 : tensor<6xi32>
  }
  func.func private @_where(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<6xi32>) -> tensor<6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xi32>
    return %0 : tensor<6xi32>
  }
}
