module @jit_loops attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1xi32>, %arg1: tensor<3xf32>) -> (tensor<i32> {jax.result_info = "result[0][0]"}, tensor<i32> {jax.result_info = "result[0][1]"}, tensor<3xf32> {jax.result_info = "result[1]"}, tensor<3xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<3xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<1xi32>) -> tensor<i32>
    %c = stablehlo.constant dense<7> : tensor<i32>
    %3 = stablehlo.add %2, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4:2 = stablehlo.while(%iterArg = %3, %iterArg_3 = %c_0) : tensor<i32>, tensor<i32>
    cond {
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.compare GT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %c_4 = stablehlo.constant dense<2> : tensor<i32>
      %7 = func.call @remainder(%iterArg, %c_4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %8 = stablehlo.compare EQ, %7, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<2> : tensor<i32>
      %9 = func.call @floor_divide(%iterArg, %c_6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %c_7 = stablehlo.constant dense<3> : tensor<i32>
      %10 = stablehlo.multiply %c_7, %iterArg : tensor<i32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %10, %c_8 : tensor<i32>
      %12 = func.call @_where(%8, %9, %11) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %13 = stablehlo.add %iterArg_3, %c_9 : tensor<i32>
      stablehlo.return %12, %13 : tensor<i32>, tensor<i32>
    }
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5:4 = stablehlo.while(%iterArg = %1, %iterArg_3 = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %arg1) : tensor<3xf32>, tensor<i32>, tensor<i32>, tensor<3xf32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:2 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_5) : (tensor<3xf32>, tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %8, %7#0, %7#1 : tensor<3xf32>, tensor<i32>, tensor<i32>, tensor<3xf32>
    }
    %6:2 = stablehlo.while(%iterArg = %1, %iterArg_3 = %arg1) : tensor<3xf32>, tensor<3xf32>
    cond {
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.reduce(%iterArg_3 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      %cst_5 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
      %8 = stablehlo.compare LT, %7, %cst_5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %7 = stablehlo.multiply %iterArg, %iterArg : tensor<3xf32>
      %8 = stablehlo.add %iterArg_3, %7 : tensor<3xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %10 = stablehlo.add %8, %9 : tensor<3xf32>
      stablehlo.return %iterArg, %10 : tensor<3xf32>, tensor<3xf32>
    }
    return %4#0, %4#1, %5#3, %6#1 : tensor<i32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare NE, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.and %7, %4 : tensor<i1>
    %9 = stablehlo.add %3, %2 : tensor<i32>
    %10 = stablehlo.select %8, %9, %3 : tensor<i1>, tensor<i32>
    return %10 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @floor_divide(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.divide %arg0, %0 : tensor<i32>
    %2 = stablehlo.sign %arg0 : tensor<i32>
    %3 = stablehlo.sign %0 : tensor<i32>
    %4 = stablehlo.compare NE, %2, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.remainder %arg0, %0 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare NE, %5, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %4, %6 : tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.subtract %1, %c_0 : tensor<i32>
    %9 = call @_where(%7, %8, %1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %9 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<3xf32>, %arg1: tensor<i32>, %arg2: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.multiply %arg2, %1 : tensor<3xf32>
    %3 = stablehlo.add %2, %arg0 : tensor<3xf32>
    return %0, %3 : tensor<i32>, tensor<3xf32>
  }
}
