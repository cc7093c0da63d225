module @jit_newer_small_floats attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<9xf8E3M4>, %arg2: tensor<9xf8E4M3>, %arg3: tensor<9xf4E2M1FN>, %arg4: tensor<9xf8E8M0FNU>) -> (tensor<9xf8E3M4> {jax.result_info = "result[0][0]"}, tensor<9xf8E3M4> {jax.result_info = "result[0][1]"}, tensor<9xf8E3M4> {jax.result_info = "result[0][2]"}, tensor<9xf8E3M4> {jax.result_info = "result[0][3]"}, tensor<9xf8E3M4> {jax.result_info = "result[0][4]"}, tensor<9xi1> {jax.result_info = "result[0][5]"}, tensor<9xf32> {jax.result_info = "result[0][6]"}, tensor<9xf8E3M4> {jax.result_info = "result[0][7]"}, tensor<9xf8E4M3> {jax.result_info = "result[0][8]"}, tensor<9xf8E4M3> {jax.result_info = "result[0][9]"}, tensor<9xf8E4M3> {jax.result_info = "result[0][10]"}, tensor<9xf8E4M3> {jax.result_info = "result[0][11]"}, tensor<9xf8E4M3> {jax.result_info = "result[0][12]"}, tensor<9xi1> {jax.result_info = "result[0][13]"}, tensor<9xf32> {jax.result_info = "result[0][14]"}, tensor<9xf8E4M3> {jax.result_info = "result[0][15]"}, tensor<9xf4E2M1FN> {jax.result_info = "result[0][16]"}, tensor<9xf4E2M1FN> {jax.result_info = "result[0][17]"}, tensor<9xf4E2M1FN> {jax.result_info = "result[0][18]"}, tensor<9xf4E2M1FN> {jax.result_info = "result[0][19]"}, tensor<9xf4E2M1FN> {jax.result_info = "result[0][20]"}, tensor<9xi1> {jax.result_info = "result[0][21]"}, tensor<9xf32> {jax.result_info = "result[0][22]"}, tensor<9xf4E2M1FN> {jax.result_info = "result[0][23]"}, tensor<9xf8E3M4> {jax.result_info = "result[1][0]"}, tensor<9xf8E4M3> {jax.result_info = "result[1][1]"}, tensor<9xf4E2M1FN> {jax.result_info = "result[1][2]"}, tensor<9xf8E8M0FNU> {jax.result_info = "result[2]"}, tensor<9xf8E8M0FNU> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.reverse %arg1, dims = [0] : tensor<9xf8E3M4>
    %1 = stablehlo.add %arg1, %0 : tensor<9xf8E3M4>
    %2 = stablehlo.multiply %arg1, %0 : tensor<9xf8E3M4>
    %3 = stablehlo.subtract %arg1, %0 : tensor<9xf8E3M4>
    %4 = stablehlo.abs %0 : tensor<9xf8E3M4>
    %5 = stablehlo.divide %arg1, %4 : tensor<9xf8E3M4>
    %6 = stablehlo.maximum %arg1, %0 : tensor<9xf8E3M4>
    %7 = stablehlo.compare LT, %arg1, %0, FLOAT : (tensor<9xf8E3M4>, tensor<9xf8E3M4>) -> tensor<9xi1>
    %8 = stablehlo.convert %arg1 : (tensor<9xf8E3M4>) -> tensor<9xf32>
    %9 = stablehlo.negate %arg1 : tensor<9xf8E3M4>
    %10 = stablehlo.reverse %arg2, dims = [0] : tensor<9xf8E4M3>
    %11 = stablehlo.add %arg2, %10 : tensor<9xf8E4M3>
    %12 = stablehlo.multiply %arg2, %10 : tensor<9xf8E4M3>
    %13 = stablehlo.subtract %arg2, %10 : tensor<9xf8E4M3>
    %14 = stablehlo.abs %10 : tensor<9xf8E4M3>
    %15 = stablehlo.divide %arg2, %14 : tensor<9xf8E4M3>
    %16 = stablehlo.maximum %arg2, %10 : tensor<9xf8E4M3>
    %17 = stablehlo.compare LT, %arg2, %10, FLOAT : (tensor<9xf8E4M3>, tensor<9xf8E4M3>) -> tensor<9xi1>
    %18 = stablehlo.convert %arg2 : (tensor<9xf8E4M3>) -> tensor<9xf32>
    %19 = stablehlo.negate %arg2 : tensor<9xf8E4M3>
    %20 = stablehlo.reverse %arg3, dims = [0] : tensor<9xf4E2M1FN>
    %21 = stablehlo.add %arg3, %20 : tensor<9xf4E2M1FN>
    %22 = stablehlo.multiply %arg3, %20 : tensor<9xf4E2M1FN>
    %23 = stablehlo.subtract %arg3, %20 : tensor<9xf4E2M1FN>
    %24 = stablehlo.abs %20 : tensor<9xf4E2M1FN>
    %25 = stablehlo.divide %arg3, %24 : tensor<9xf4E2M1FN>
    %26 = stablehlo.maximum %arg3, %20 : tensor<9xf4E2M1FN>
    %27 = stablehlo.compare LT, %arg3, %20, FLOAT : (tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>) -> tensor<9xi1>
    %28 = stablehlo.convert %arg3 : (tensor<9xf4E2M1FN>) -> tensor<9xf32>
    %29 = stablehlo.negate %arg3 : tensor<9xf4E2M1FN>
    %30 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf8E3M4>
    %31 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf8E4M3>
    %32 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf4E2M1FN>
    %33 = stablehlo.multiply %arg4, %arg4 : tensor<9xf8E8M0FNU>
    %34 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf8E8M0FNU>
    return %1, %2, %3, %5, %6, %7, %8, %9, %11, %12, %13, %15, %16, %17, %18, %19, %21, %22, %23, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34 : tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E3M4>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xi1>, tensor<9xf32>, tensor<9xf4E2M1FN>, tensor<9xf8E3M4>, tensor<9xf8E4M3>, tensor<9xf4E2M1FN>, tensor<9xf8E8M0FNU>, tensor<9xf8E8M0FNU>
  }
}
