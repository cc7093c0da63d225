module @jit_products attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<2x3x4xf32>, %arg3: tensor<2x4x3xf32>) -> (tensor<3x5xf32> {jax.result_info = "result[0]"}, tensor<2x3x3xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<3x3xf32> {jax.result_info = "result[3]"}, tensor<4x5xf32> {jax.result_info = "result[4]"}, tensor<3x5xf32> {jax.result_info = "result[5]"}, tensor<3x5xf32> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %1 = stablehlo.dot_general %arg2, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<12xf32>
    %3 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<12xf32>
    %4 = stablehlo.dot_general %2, %3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12xf32>, tensor<12xf32>) -> tensor<f32>
    %5 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [0, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<3x3xf32>
    %6 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x4xf32>) -> tensor<4xf32>
    %8 = stablehlo.slice %arg1 [0:1, 0:5] : (tensor<4x5xf32>) -> tensor<1x5xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x5xf32>) -> tensor<5xf32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<4x5xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<4x5xf32>
    %15 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %16 = stablehlo.convert %arg0 : (tensor<3x4xf32>) -> tensor<3x4xbf16>
    %17 = stablehlo.convert %arg1 : (tensor<4x5xf32>) -> tensor<4x5xbf16>
    %18 = stablehlo.dot_general %16, %17, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xbf16>, tensor<4x5xbf16>) -> tensor<3x5xf32>
    return %0, %1, %4, %5, %14, %15, %18 : tensor<3x5xf32>, tensor<2x3x3xf32>, tensor<f32>, tensor<3x3xf32>, tensor<4x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
  }
}
