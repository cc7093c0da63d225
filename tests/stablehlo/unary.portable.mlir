module @jit_unary attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}, tensor<3x4xf32> {jax.result_info = "result[4]"}, tensor<3x4xf32> {jax.result_info = "result[5]"}, tensor<3x4xf32> {jax.result_info = "result[6]"}, tensor<3x4xi1> {jax.result_info = "result[7]"}, tensor<3x4xf32> {jax.result_info = "result[8]"}, tensor<3x4xf32> {jax.result_info = "result[9]"}, tensor<3x4xf32> {jax.result_info = "result[10]"}, tensor<3x4xf32> {jax.result_info = "result[11]"}, tensor<3x4xf32> {jax.result_info = "result[12]"}, tensor<3x4xf32> {jax.result_info = "result[13]"}, tensor<3x4xf32> {jax.result_info = "result[14]"}, tensor<3x4xf32> {jax.result_info = "result[15]"}, tensor<3x4xf32> {jax.result_info = "result[16]"}, tensor<3x4xf32> {jax.result_info = "result[17]"}, tensor<3x4xf32> {jax.result_info = "result[18]"}, tensor<3x4xf32> {jax.result_info = "result[19]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.abs %arg0 : tensor<3x4xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<3x4xf32>
    %3 = stablehlo.abs %arg0 : tensor<3x4xf32>
    %4 = stablehlo.cbrt %arg0 : tensor<3x4xf32>
    %5 = stablehlo.ceil %arg0 : tensor<3x4xf32>
    %6 = stablehlo.cosine %arg0 : tensor<3x4xf32>
    %7 = stablehlo.exponential %arg0 : tensor<3x4xf32>
    %8 = stablehlo.exponential_minus_one %arg0 : tensor<3x4xf32>
    %9 = stablehlo.floor %arg0 : tensor<3x4xf32>
    %10 = stablehlo.is_finite %arg0 : (tensor<3x4xf32>) -> tensor<3x4xi1>
    %11 = stablehlo.log %2 : tensor<3x4xf32>
    %12 = stablehlo.log_plus_one %2 : tensor<3x4xf32>
    %13 = stablehlo.negate %arg0 : tensor<3x4xf32>
    %14 = stablehlo.exponential %13 : tensor<3x4xf32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %16 = stablehlo.add %15, %14 : tensor<3x4xf32>
    %17 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %18 = stablehlo.divide %17, %16 : tensor<3x4xf32>
    %19 = stablehlo.negate %arg0 : tensor<3x4xf32>
    %20 = call @rint(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %21 = stablehlo.round_nearest_afz %arg0 : tensor<3x4xf32>
    %22 = stablehlo.rsqrt %2 : tensor<3x4xf32>
    %23 = stablehlo.sign %arg0 : tensor<3x4xf32>
    %24 = stablehlo.sine %arg0 : tensor<3x4xf32>
    %25 = stablehlo.sqrt %2 : tensor<3x4xf32>
    %26 = stablehlo.tan %arg0 : tensor<3x4xf32>
    %27 = stablehlo.tanh %arg0 : tensor<3x4xf32>
    return %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
  func.func private @rint(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
