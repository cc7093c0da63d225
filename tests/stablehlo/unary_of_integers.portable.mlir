module @jit_unary_of_integers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xi32>, %arg1: tensor<5xi1>) -> (tensor<3x4xi32> {jax.result_info = "result[0]"}, tensor<3x4xi32> {jax.result_info = "result[1]"}, tensor<3x4xi32> {jax.result_info = "result[2]"}, tensor<3x4xi32> {jax.result_info = "result[3]"}, tensor<3x4xi32> {jax.result_info = "result[4]"}, tensor<3x4xi32> {jax.result_info = "result[5]"}, tensor<5xi1> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.not %arg0 : tensor<3x4xi32>
    %1 = stablehlo.negate %arg0 : tensor<3x4xi32>
    %2 = stablehlo.abs %arg0 : tensor<3x4xi32>
    %3 = stablehlo.sign %arg0 : tensor<3x4xi32>
    %4 = stablehlo.popcnt %arg0 : tensor<3x4xi32>
    %5 = stablehlo.count_leading_zeros %arg0 : tensor<3x4xi32>
    %6 = stablehlo.not %arg1 : tensor<5xi1>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<5xi1>
  }
}
