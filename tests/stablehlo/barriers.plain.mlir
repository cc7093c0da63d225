module @jit_barriers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<2x3xf32> {jax.result_info = "result[1]"}, tensor<2x3xf32> {jax.result_info = "result[2]"}) {
    %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<2x3xf32>, tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %3 = stablehlo.add %0#0, %2 : tensor<2x3xf32>
    %4 = stablehlo.sine %arg0 : tensor<2x3xf32>
    %5 = stablehlo.sine %4 : tensor<2x3xf32>
    %6 = stablehlo.sine %arg0 : tensor<2x3xf32>
    %7 = stablehlo.sine %6 : tensor<2x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %10:2 = stablehlo.optimization_barrier %arg0, %9 : tensor<2x3xf32>, tensor<2x3xf32>
    %11 = stablehlo.sine %10#0 : tensor<2x3xf32>
    %12 = stablehlo.cosine %10#0 : tensor<2x3xf32>
    %13 = stablehlo.cosine %11 : tensor<2x3xf32>
    %14 = stablehlo.multiply %10#1, %13 : tensor<2x3xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<2x3xf32>
    return %3, %5, %15 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
}
