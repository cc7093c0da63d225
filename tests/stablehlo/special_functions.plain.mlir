module @jit_special_functions attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<2x3xf32> {jax.result_info = "result[1]"}, tensor<2x3xf32> {jax.result_info = "result[2]"}, tensor<2x3xf32> {jax.result_info = "result[3]"}, tensor<2x3xf32> {jax.result_info = "result[4]"}, tensor<2x3xf32> {jax.result_info = "result[5]"}, tensor<2x3xf32> {jax.result_info = "result[6]"}, tensor<2x3xf32> {jax.result_info = "result[7]"}, tensor<2x3xf32> {jax.result_info = "result[8]"}, tensor<2x3xf32> {jax.result_info = "result[9]"}, tensor<2x3xf32> {jax.result_info = "result[10]"}, tensor<2x3xf32> {jax.result_info = "result[11]"}, tensor<2x3xf32> {jax.result_info = "result[12]"}, tensor<2x3xf32> {jax.result_info = "result[13]"}, tensor<2x3xf32> {jax.result_info = "result[14]"}, tensor<2x3xf32> {jax.result_info = "result[15]"}, tensor<2x3xf32> {jax.result_info = "result[16]"}, tensor<2x3xf32> {jax.result_info = "result[17]"}, tensor<2x3xf32> {jax.result_info = "result[18]"}, tensor<2x3xf32> {jax.result_info = "result[19]"}, tensor<2x3xf32> {jax.result_info = "result[20]"}) {
    %0 = stablehlo.abs %arg0 : tensor<2x3xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
    %3 = chlo.erf %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %4 = chlo.erfc %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %5 = chlo.erf_inv %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %6 = chlo.lgamma %2 : tensor<2x3xf32> -> tensor<2x3xf32>
    %7 = chlo.digamma %2 : tensor<2x3xf32> -> tensor<2x3xf32>
    %8 = chlo.acos %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %9 = chlo.asin %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %10 = chlo.atan %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %11 = chlo.sinh %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %12 = chlo.cosh %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %13 = chlo.asinh %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %15 = stablehlo.add %2, %14 : tensor<2x3xf32>
    %16 = call @arccosh(%15) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %17 = chlo.atanh %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %18 = chlo.square %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %19 = stablehlo.tan %arg0 : tensor<2x3xf32>
    %20 = chlo.bessel_i1e %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    %21 = chlo.next_after %arg0, %2 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %23 = stablehlo.add %2, %22 : tensor<2x3xf32>
    %24 = chlo.zeta %23, %2 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %26 = chlo.polygamma %25, %2 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    %27 = stablehlo.multiply %arg0, %arg0 : tensor<2x3xf32>
    %28 = stablehlo.multiply %27, %arg0 : tensor<2x3xf32>
    %cst_3 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<2x3xf32>
    %31 = stablehlo.add %arg0, %30 : tensor<2x3xf32>
    %cst_4 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<2x3xf32>
    %34 = stablehlo.tanh %33 : tensor<2x3xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %36 = stablehlo.add %35, %34 : tensor<2x3xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %38 = stablehlo.multiply %37, %36 : tensor<2x3xf32>
    %39 = stablehlo.multiply %arg0, %38 : tensor<2x3xf32>
    %cst_7 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %41 = stablehlo.multiply %2, %40 : tensor<2x3xf32>
    %42 = chlo.lgamma %41 : tensor<2x3xf32> -> tensor<2x3xf32>
    return %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %16, %17, %18, %19, %20, %21, %24, %26, %39, %42 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
  func.func private @arccosh(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = chlo.acosh %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
