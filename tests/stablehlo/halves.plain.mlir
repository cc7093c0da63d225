module @jit_halves attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xbf16>, %arg1: tensor<4xf16>) -> (tensor<4xbf16> {jax.result_info = "result[0]"}, tensor<4xf16> {jax.result_info = "result[1]"}, tensor<bf16> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<4xbf16> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<4xbf16>
    %2 = stablehlo.add %0, %1 : tensor<4xbf16>
    %3 = stablehlo.exponential %arg1 : tensor<4xf16>
    %4 = stablehlo.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %6 = stablehlo.convert %5 : (tensor<f32>) -> tensor<bf16>
    %7 = stablehlo.convert %arg1 : (tensor<4xf16>) -> tensor<4xf32>
    %8 = stablehlo.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
    %9 = stablehlo.dot_general %7, %8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<4xbf16>
    %11 = stablehlo.maximum %arg0, %10 : tensor<4xbf16>
    return %2, %3, %6, %9, %11 : tensor<4xbf16>, tensor<4xf16>, tensor<bf16>, tensor<f32>, tensor<4xbf16>
  }
}
