module @jit_converted attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi1>) -> (tensor<4xf64> {jax.result_info = "result[0]"}, tensor<4xf16> {jax.result_info = "result[1]"}, tensor<4xbf16> {jax.result_info = "result[2]"}, tensor<4xi32> {jax.result_info = "result[3]"}, tensor<4xf32> {jax.result_info = "result[4]"}, tensor<4xi64> {jax.result_info = "result[5]"}, tensor<4xi8> {jax.result_info = "result[6]"}, tensor<4xui16> {jax.result_info = "result[7]"}, tensor<4xf32> {jax.result_info = "result[8]"}, tensor<4xi1> {jax.result_info = "result[9]"}, tensor<4xui32> {jax.result_info = "result[10]"}, tensor<4x4xui8> {jax.result_info = "result[11]"}, tensor<4xf32> {jax.result_info = "result[12]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<4xf64>
    %1 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<4xf16>
    %2 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<4xbf16>
    %3 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<4xi32>
    %4 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xf32>
    %5 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xi64>
    %6 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xi8>
    %7 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xui16>
    %8 = stablehlo.convert %arg2 : (tensor<4xi1>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.compare NE, %arg0, %9, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %11 = stablehlo.convert %10 : tensor<4xi1>
    %12 = stablehlo.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4xui32>
    %13 = stablehlo.bitcast_convert %arg1 : (tensor<4xi32>) -> tensor<4x4xui8>
    %14 = stablehlo.reduce_precision %arg0, format = e5m2 : tensor<4xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %11, %12, %13, %14 : tensor<4xf64>, tensor<4xf16>, tensor<4xbf16>, tensor<4xi32>, tensor<4xf32>, tensor<4xi64>, tensor<4xi8>, tensor<4xui16>, tensor<4xf32>, tensor<4xi1>, tensor<4xui32>, tensor<4x4xui8>, tensor<4xf32>
  }
}
