module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<4x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.reshape %arg1 : (tensor<8x8xf32>) -> tensor<1x8x1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x8x1x8xf32>) -> tensor<1x8x3x8xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x8x3x8xf32>) -> tensor<8x24xf32>
    %4 = stablehlo.dot_general %0, %3, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
    %5 = stablehlo.slice %4 [0:4, 0:8] : (tensor<4x24xf32>) -> tensor<4x8xf32>
    %6 = stablehlo.slice %4 [0:4, 8:16] : (tensor<4x24xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.slice %4 [0:4, 16:24] : (tensor<4x24xf32>) -> tensor<4x8xf32>
    %8 = stablehlo.transpose %6, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %9 = stablehlo.dot_general %5, %8, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %11 = stablehlo.divide %9, %10 : tensor<4x4xf32>
    %12 = stablehlo.reduce(%11 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %14 = stablehlo.maximum %13, %12 : tensor<4xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %17 = stablehlo.subtract %11, %16 : tensor<4x4xf32>
    %18 = stablehlo.exponential %17 : tensor<4x4xf32>
    %19 = stablehlo.reduce(%18 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %22 = stablehlo.divide %18, %21 : tensor<4x4xf32>
    %23 = stablehlo.dot_general %22, %7, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    return %23 : tensor<4x8xf32>
  }
}
