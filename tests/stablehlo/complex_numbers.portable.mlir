module @jit_complex_numbers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x2xf32>) -> (tensor<2x3xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<2x3xf32> {jax.result_info = "result[4]"}, tensor<2x3xf32> {jax.result_info = "result[5]"}, tensor<2x3xf32> {jax.result_info = "result[6]"}, tensor<2x3xi1> {jax.result_info = "result[7]"}, tensor<2x3xcomplex<f64>> {jax.result_info = "result[8]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[9]"}) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %1 = stablehlo.complex %arg0, %0 : tensor<2x3xcomplex<f32>>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
    %3 = stablehlo.add %1, %2 : tensor<2x3xcomplex<f32>>
    %4 = stablehlo.multiply %1, %1 : tensor<2x3xcomplex<f32>>
    %5 = stablehlo.real %1 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %6 = stablehlo.imag %1 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %7 = stablehlo.negate %6 : tensor<2x3xf32>
    %8 = stablehlo.complex %5, %7 : tensor<2x3xcomplex<f32>>
    %9 = stablehlo.real %1 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %10 = stablehlo.imag %1 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %11 = stablehlo.abs %1 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %12 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    %13 = stablehlo.reshape %12 : (tensor<3x2xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    %14 = stablehlo.compare EQ, %1, %13, FLOAT : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xi1>
    %15 = stablehlo.convert %1 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f64>>
    %16 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %17 = stablehlo.compare GT, %arg0, %16, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %18 = call @_where(%17, %1, %c) : (tensor<2x3xi1>, tensor<2x3xcomplex<f32>>, tensor<i64>) -> tensor<2x3xcomplex<f32>>
    return %1, %3, %4, %8, %9, %10, %11, %14, %15, %18 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f32>>
  }
  func.func private @_where(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xcomplex<f32>>, %arg2: tensor<i64>) -> tensor<2x3xcomplex<f32>> {
    %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x3xi1>, tensor<2x3xcomplex<f32>>
    return %2 : tensor<2x3xcomplex<f32>>
  }
}
