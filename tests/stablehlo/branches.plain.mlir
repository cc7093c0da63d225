module @jit_branches attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1xi32>, %arg1: tensor<3xf32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}, tensor<3xf32> {jax.result_info = "result[2][0]"}, tensor<f32> {jax.result_info = "result[2][1]"}, tensor<i32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1xi32>) -> tensor<i32>
    %1 = stablehlo.exponential %arg1 : tensor<3xf32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.compare GT, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.convert %2 : (tensor<i1>) -> tensor<i32>
    %4 = "stablehlo.case"(%3) ({
      %13 = stablehlo.multiply %arg1, %1 : tensor<3xf32>
      stablehlo.return %13 : tensor<3xf32>
    }, {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %14 = stablehlo.add %1, %13 : tensor<3xf32>
      stablehlo.return %14 : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %5 = stablehlo.clamp %c_0, %0, %c_1 : tensor<i32>
    %6 = "stablehlo.case"(%5) ({
      stablehlo.return %arg1 : tensor<3xf32>
    }, {
      %13 = stablehlo.multiply %arg1, %1 : tensor<3xf32>
      stablehlo.return %13 : tensor<3xf32>
    }, {
      %13 = stablehlo.sine %arg1 : tensor<3xf32>
      stablehlo.return %13 : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = stablehlo.convert %7 : (tensor<i1>) -> tensor<i32>
    %9:2 = "stablehlo.case"(%8) ({
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      stablehlo.return %1, %cst : tensor<3xf32>, tensor<f32>
    }, {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %arg1, %13 : tensor<3xf32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<3xf32>, tensor<f32>)
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.compare EQ, %0, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %11 = stablehlo.convert %10 : (tensor<i1>) -> tensor<i32>
    %12 = "stablehlo.case"(%11) ({
      %c_4 = stablehlo.constant dense<2> : tensor<i32>
      stablehlo.return %c_4 : tensor<i32>
    }, {
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      stablehlo.return %c_4 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    return %4, %6, %9#0, %9#1, %12 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<i32>
  }
}
