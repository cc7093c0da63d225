module @jit_barriers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<2x3xf32> {jax.result_info = "result[1]"}, tensor<2x3xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<2x3xf32>, tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %3 = stablehlo.add %0#0, %2 : tensor<2x3xf32>
    %4 = stablehlo.sine %arg0 : tensor<2x3xf32>
    %5 = stablehlo.sine %4 : tensor<2x3xf32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %7:2 = stablehlo.optimization_barrier %arg0, %6 : tensor<2x3xf32>, tensor<2x3xf32>
    %8 = stablehlo.sine %7#0 : tensor<2x3xf32>
    %9 = stablehlo.cosine %7#0 : tensor<2x3xf32>
    %10 = stablehlo.cosine %8 : tensor<2x3xf32>
    %11 = stablehlo.multiply %7#1, %10 : tensor<2x3xf32>
    %12 = stablehlo.multiply %11, %9 : tensor<2x3xf32>
    return %3, %5, %12 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
}
