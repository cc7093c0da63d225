module @jit_narrow_integers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xi4>, %arg1: tensor<8xui4>) -> (tensor<8xi4> {jax.result_info = "result[0]"}, tensor<8xi4> {jax.result_info = "result[1]"}, tensor<8xui4> {jax.result_info = "result[2]"}, tensor<8xui4> {jax.result_info = "result[3]"}, tensor<8xi4> {jax.result_info = "result[4]"}, tensor<8xi32> {jax.result_info = "result[5]"}, tensor<8xi8> {jax.result_info = "result[6]"}, tensor<8xi1> {jax.result_info = "result[7]"}, tensor<8xi4> {jax.result_info = "result[8]"}, tensor<2xi4> {jax.result_info = "result[9]"}) {
    %c = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
    %0 = stablehlo.add %arg0, %arg0 : tensor<8xi4>
    %1 = stablehlo.multiply %arg0, %arg0 : tensor<8xi4>
    %2 = stablehlo.reverse %arg1, dims = [0] : tensor<8xui4>
    %3 = stablehlo.subtract %arg1, %2 : tensor<8xui4>
    %4 = stablehlo.multiply %arg1, %arg1 : tensor<8xui4>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %5 = call @floor_divide(%arg0, %c_0) : (tensor<8xi4>, tensor<i32>) -> tensor<8xi4>
    %6 = stablehlo.convert %arg0 : (tensor<8xi4>) -> tensor<8xi32>
    %7 = stablehlo.convert %arg1 : (tensor<8xui4>) -> tensor<8xi8>
    %8 = stablehlo.reverse %arg0, dims = [0] : tensor<8xi4>
    %9 = stablehlo.compare LT, %arg0, %8, SIGNED : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi1>
    %10 = stablehlo.convert %arg0 : (tensor<8xi4>) -> tensor<8xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %12 = stablehlo.multiply %10, %11 : tensor<8xi32>
    %13 = stablehlo.convert %12 : (tensor<8xi32>) -> tensor<8xi4>
    return %0, %1, %3, %4, %5, %6, %7, %9, %13, %c : tensor<8xi4>, tensor<8xi4>, tensor<8xui4>, tensor<8xui4>, tensor<8xi4>, tensor<8xi32>, tensor<8xi8>, tensor<8xi1>, tensor<8xi4>, tensor<2xi4>
  }
  func.func private @floor_divide(%arg0: tensor<8xi4>, %arg1: tensor<i32>) -> tensor<8xi4> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<i4>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i4>) -> tensor<8xi4>
    %2 = stablehlo.divide %arg0, %1 : tensor<8xi4>
    %3 = stablehlo.sign %arg0 : tensor<8xi4>
    %4 = stablehlo.sign %0 : tensor<i4>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i4>) -> tensor<8xi4>
    %6 = stablehlo.compare NE, %3, %5, SIGNED : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi1>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i4>) -> tensor<8xi4>
    %8 = stablehlo.remainder %arg0, %7 : tensor<8xi4>
    %c = stablehlo.constant dense<0> : tensor<i4>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i4>) -> tensor<8xi4>
    %10 = stablehlo.compare NE, %8, %9, SIGNED : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi1>
    %11 = stablehlo.and %6, %10 : tensor<8xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i4>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i4>) -> tensor<8xi4>
    %13 = stablehlo.subtract %2, %12 : tensor<8xi4>
    %14 = call @_where(%11, %13, %2) : (tensor<8xi1>, tensor<8xi4>, tensor<8xi4>) -> tensor<8xi4>
    return %14 : tensor<8xi4>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<8xi4>, %arg2: tensor<8xi4>) -> tensor<8xi4> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xi4>
    return %0 : tensor<8xi4>
  }
}
