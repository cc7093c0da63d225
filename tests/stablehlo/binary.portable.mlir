module @jit_binary attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4x3xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}, tensor<3x4xf32> {jax.result_info = "result[4]"}, tensor<3x4xf32> {jax.result_info = "result[5]"}, tensor<3x4xf32> {jax.result_info = "result[6]"}, tensor<3x4xf32> {jax.result_info = "result[7]"}, tensor<3x4xf32> {jax.result_info = "result[8]"}) {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<3x4xf32>
    %2 = stablehlo.subtract %arg0, %0 : tensor<3x4xf32>
    %3 = stablehlo.multiply %arg0, %0 : tensor<3x4xf32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %5 = stablehlo.add %0, %4 : tensor<3x4xf32>
    %6 = stablehlo.divide %arg0, %5 : tensor<3x4xf32>
    %7 = stablehlo.maximum %arg0, %0 : tensor<3x4xf32>
    %8 = stablehlo.minimum %arg0, %0 : tensor<3x4xf32>
    %9 = stablehlo.atan2 %arg0, %0 : tensor<3x4xf32>
    %10 = stablehlo.abs %arg0 : tensor<3x4xf32>
    %11 = stablehlo.power %10, %0 : tensor<3x4xf32>
    %12 = call @remainder(%arg0, %c) : (tensor<3x4xf32>, tensor<i32>) -> tensor<3x4xf32>
    return %1, %2, %3, %6, %7, %8, %9, %11, %12 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
  func.func private @remainder(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<3x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.remainder %arg0, %1 : tensor<3x4xf32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %4 = stablehlo.compare NE, %2, %3, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %6 = stablehlo.compare LT, %2, %5, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %7 = stablehlo.compare LT, %0, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i1>) -> tensor<3x4xi1>
    %9 = stablehlo.compare NE, %6, %8, UNSIGNED : (tensor<3x4xi1>, tensor<3x4xi1>) -> tensor<3x4xi1>
    %10 = stablehlo.and %9, %4 : tensor<3x4xi1>
    %11 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %12 = stablehlo.add %2, %11 : tensor<3x4xf32>
    %13 = stablehlo.select %10, %12, %2 : tensor<3x4xi1>, tensor<3x4xf32>
    return %13 : tensor<3x4xf32>
  }
}
