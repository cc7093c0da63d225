module @jit_moved attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<1x4xf32>) -> (tensor<4x2x3xf32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]"}, tensor<2x3x4xf32> {jax.result_info = "result[2]"}, tensor<2x6x4xf32> {jax.result_info = "result[3]"}, tensor<1x2x2xf32> {jax.result_info = "result[4]"}, tensor<3x4xf32> {jax.result_info = "result[5]"}, tensor<2x3x4xf32> {jax.result_info = "result[6]"}, tensor<3x5x4xf32> {jax.result_info = "result[7]"}, tensor<3x3x4xf32> {jax.result_info = "result[8]"}, tensor<5xi32> {jax.result_info = "result[9]"}, tensor<2x3xf32> {jax.result_info = "result[10]"}, tensor<2x1x4xf32> {jax.result_info = "result[11]"}, tensor<2x1x4xf32> {jax.result_info = "result[12]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
    %2 = stablehlo.reverse %arg0, dims = [0, 2] : tensor<2x3x4xf32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x4xf32>
    %4 = stablehlo.multiply %arg0, %3 : tensor<2x3x4xf32>
    %5 = stablehlo.concatenate %arg0, %4, dim = 1 : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x6x4xf32>
    %6 = stablehlo.slice %arg0 [1:2, 0:3:2, 1:3] : (tensor<2x3x4xf32>) -> tensor<1x2x2xf32>
    %7 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<3x4xf32>
    %8 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<2x3x4xf32>
    %10 = stablehlo.add %9, %arg0 : tensor<2x3x4xf32>
    %11 = call @_pad(%arg0, %c) : (tensor<2x3x4xf32>, tensor<i32>) -> tensor<3x5x4xf32>
    %12 = stablehlo.pad %arg0, %cst, low = [0, -1, 0], high = [0, 1, 0], interior = [1, 0, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x3x4xf32>
    %13 = stablehlo.iota dim = 0 : tensor<5xi32>
    %14 = stablehlo.iota dim = 1 : tensor<2x3xf32>
    %15 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x4xf32>) -> tensor<2x1x4xf32>
    %16 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %17 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %18 = stablehlo.concatenate %16, %17, dim = 0 : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<2x1x4xf32>
    return %0, %1, %2, %5, %6, %7, %10, %11, %12, %13, %14, %15, %18 : tensor<4x2x3xf32>, tensor<4x6xf32>, tensor<2x3x4xf32>, tensor<2x6x4xf32>, tensor<1x2x2xf32>, tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<3x5x4xf32>, tensor<3x3x4xf32>, tensor<5xi32>, tensor<2x3xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>
  }
  func.func private @_pad(%arg0: tensor<2x3x4xf32>, %arg1: tensor<i32>) -> tensor<3x5x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0, 0], high = [0, 2, 0], interior = [0, 0, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x5x4xf32>
    return %1 : tensor<3x5x4xf32>
  }
}
