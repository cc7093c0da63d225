module @jit_floats_of_eight_bits attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<9xf8E4M3B11FNUZ>, %arg2: tensor<9xf8E4M3FN>, %arg3: tensor<9xf8E4M3FNUZ>, %arg4: tensor<9xf8E5M2>, %arg5: tensor<9xf8E5M2FNUZ>) -> (tensor<9xf8E4M3B11FNUZ> {jax.result_info = "result[0][0]"}, tensor<9xf8E4M3B11FNUZ> {jax.result_info = "result[0][1]"}, tensor<9xf8E4M3B11FNUZ> {jax.result_info = "result[0][2]"}, tensor<9xf8E4M3B11FNUZ> {jax.result_info = "result[0][3]"}, tensor<9xf8E4M3B11FNUZ> {jax.result_info = "result[0][4]"}, tensor<9xi1> {jax.result_info = "result[0][5]"}, tensor<9xf32> {jax.result_info = "result[0][6]"}, tensor<9xf8E4M3B11FNUZ> {jax.result_info = "result[0][7]"}, tensor<9xf8E4M3FN> {jax.result_info = "result[0][8]"}, tensor<9xf8E4M3FN> {jax.result_info = "result[0][9]"}, tensor<9xf8E4M3FN> {jax.result_info = "result[0][10]"}, tensor<9xf8E4M3FN> {jax.result_info = "result[0][11]"}, tensor<9xf8E4M3FN> {jax.result_info = "result[0][12]"}, tensor<9xi1> {jax.result_info = "result[0][13]"}, tensor<9xf32> {jax.result_info = "result[0][14]"}, tensor<9xf8E4M3FN> {jax.result_info = "result[0][15]"}, tensor<9xf8E4M3FNUZ> {jax.result_info = "result[0][16]"}, tensor<9xf8E4M3FNUZ> {jax.result_info = "result[0][17]"}, tensor<9xf8E4M3FNUZ> {jax.result_info = "result[0][18]"}, tensor<9xf8E4M3FNUZ> {jax.result_info = "result[0][19]"}, tensor<9xf8E4M3FNUZ> {jax.result_info = "result[0][20]"}, tensor<9xi1> {jax.result_info = "result[0][21]"}, tensor<9xf32> {jax.result_info = "result[0][22]"}, tensor<9xf8E4M3FNUZ> {jax.result_info = "result[0][23]"}, tensor<9xf8E5M2> {jax.result_info = "result[0][24]"}, tensor<9xf8E5M2> {jax.result_info = "result[0][25]"}, tensor<9xf8E5M2> {jax.result_info = "result[0][26]"}, tensor<9xf8E5M2> {jax.result_info = "result[0][27]"}, tensor<9xf8E5M2> {jax.result_info = "result[0][28]"}, tensor<9xi1> {jax.result_info = "result[0][29]"}, tensor<9xf32> {jax.result_info = "result[0][30]"}, tensor<9xf8E5M2> {jax.result_info = "result[0][31]"}, tensor<9xf8E5M2FNUZ> {jax.result_info = "result[0][32]"}, tensor<9xf8E5M2FNUZ> {jax.result_info = "result[0][33]"}, tensor<9xf8E5M2FNUZ> {jax.result_info = "result[0][34]"}, tensor<9xf8E5M2FNUZ> {jax.result_info = "result[0][35]"}, tensor<9xf8E5M2FNUZ> {jax.result_info = "result[0][36]"}, tensor<9xi1> {jax.result_info = "result[0][37]"}, tensor<9xf32> {jax.result_info = "result[0][38]"}, tensor<9xf8E5M2FNUZ> {jax.result_info = "result[0][39]"}, tensor<9xf8E4M3B11FNUZ> {jax.result_info = "result[1][0]"}, tensor<9xf8E4M3FN> {jax.result_info = "result[1][1]"}, tensor<9xf8E4M3FNUZ> {jax.result_info = "result[1][2]"}, tensor<9xf8E5M2> {jax.result_info = "result[1][3]"}, tensor<9xf8E5M2FNUZ> {jax.result_info = "result[1][4]"}, tensor<f8E4M3B11FNUZ> {jax.result_info = "result[1][5]"}, tensor<9xf8E5M2> {jax.result_info = "result[1][6]"}, tensor<9xui8> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f8E4M3B11FNUZ>
    %0 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf8E4M3B11FNUZ>
    %1 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf8E4M3FN>
    %2 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf8E4M3FNUZ>
    %3 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf8E5M2>
    %4 = stablehlo.convert %arg0 : (tensor<9xf32>) -> tensor<9xf8E5M2FNUZ>
    %5 = stablehlo.convert %arg2 : (tensor<9xf8E4M3FN>) -> tensor<9xf8E5M2>
    %6 = stablehlo.reverse %arg1, dims = [0] : tensor<9xf8E4M3B11FNUZ>
    %7 = stablehlo.add %arg1, %6 : tensor<9xf8E4M3B11FNUZ>
    %8 = stablehlo.multiply %arg1, %6 : tensor<9xf8E4M3B11FNUZ>
    %9 = stablehlo.subtract %arg1, %6 : tensor<9xf8E4M3B11FNUZ>
    %10 = stablehlo.abs %6 : tensor<9xf8E4M3B11FNUZ>
    %11 = stablehlo.divide %arg1, %10 : tensor<9xf8E4M3B11FNUZ>
    %12 = stablehlo.maximum %arg1, %6 : tensor<9xf8E4M3B11FNUZ>
    %13 = stablehlo.compare LT, %arg1, %6, FLOAT : (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>) -> tensor<9xi1>
    %14 = stablehlo.convert %arg1 : (tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf32>
    %15 = stablehlo.negate %arg1 : tensor<9xf8E4M3B11FNUZ>
    %16 = stablehlo.reverse %arg2, dims = [0] : tensor<9xf8E4M3FN>
    %17 = stablehlo.add %arg2, %16 : tensor<9xf8E4M3FN>
    %18 = stablehlo.multiply %arg2, %16 : tensor<9xf8E4M3FN>
    %19 = stablehlo.subtract %arg2, %16 : tensor<9xf8E4M3FN>
    %20 = stablehlo.abs %16 : tensor<9xf8E4M3FN>
    %21 = stablehlo.divide %arg2, %20 : tensor<9xf8E4M3FN>
    %22 = stablehlo.maximum %arg2, %16 : tensor<9xf8E4M3FN>
    %23 = stablehlo.compare LT, %arg2, %16, FLOAT : (tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>) -> tensor<9xi1>
    %24 = stablehlo.convert %arg2 : (tensor<9xf8E4M3FN>) -> tensor<9xf32>
    %25 = stablehlo.negate %arg2 : tensor<9xf8E4M3FN>
    %26 = stablehlo.reverse %arg3, dims = [0] : tensor<9xf8E4M3FNUZ>
    %27 = stablehlo.add %arg3, %26 : tensor<9xf8E4M3FNUZ>
    %28 = stablehlo.multiply %arg3, %26 : tensor<9xf8E4M3FNUZ>
    %29 = stablehlo.subtract %arg3, %26 : tensor<9xf8E4M3FNUZ>
    %30 = stablehlo.abs %26 : tensor<9xf8E4M3FNUZ>
    %31 = stablehlo.divide %arg3, %30 : tensor<9xf8E4M3FNUZ>
    %32 = stablehlo.maximum %arg3, %26 : tensor<9xf8E4M3FNUZ>
    %33 = stablehlo.compare LT, %arg3, %26, FLOAT : (tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>) -> tensor<9xi1>
    %34 = stablehlo.convert %arg3 : (tensor<9xf8E4M3FNUZ>) -> tensor<9xf32>
    %35 = stablehlo.negate %arg3 : tensor<9xf8E4M3FNUZ>
    %36 = stablehlo.reverse %arg4, dims = [0] : tensor<9xf8E5M2>
    %37 = stablehlo.add %arg4, %36 : tensor<9xf8E5M2>
    %38 = stablehlo.multiply %arg4, %36 : tensor<9xf8E5M2>
    %39 = stablehlo.subtract %arg4, %36 : tensor<9xf8E5M2>
    %40 = stablehlo.abs %36 : tensor<9xf8E5M2>
    %41 = stablehlo.divide %arg4, %40 : tensor<9xf8E5M2>
    %42 = stablehlo.maximum %arg4, %36 : tensor<9xf8E5M2>
    %43 = stablehlo.compare LT, %arg4, %36, FLOAT : (tensor<9xf8E5M2>, tensor<9xf8E5M2>) -> tensor<9xi1>
    %44 = stablehlo.convert %arg4 : (tensor<9xf8E5M2>) -> tensor<9xf32>
    %45 = stablehlo.negate %arg4 : tensor<9xf8E5M2>
    %46 = stablehlo.reverse %arg5, dims = [0] : tensor<9xf8E5M2FNUZ>
    %47 = stablehlo.add %arg5, %46 : tensor<9xf8E5M2FNUZ>
    %48 = stablehlo.multiply %arg5, %46 : tensor<9xf8E5M2FNUZ>
    %49 = stablehlo.subtract %arg5, %46 : tensor<9xf8E5M2FNUZ>
    %50 = stablehlo.abs %46 : tensor<9xf8E5M2FNUZ>
    %51 = stablehlo.divide %arg5, %50 : tensor<9xf8E5M2FNUZ>
    %52 = stablehlo.maximum %arg5, %46 : tensor<9xf8E5M2FNUZ>
    %53 = stablehlo.compare LT, %arg5, %46, FLOAT : (tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>) -> tensor<9xi1>
    %54 = stablehlo.convert %arg5 : (tensor<9xf8E5M2FNUZ>) -> tensor<9xf32>
    %55 = stablehlo.negate %arg5 : tensor<9xf8E5M2FNUZ>
    %56 = stablehlo.bitcast_convert %arg2 : (tensor<9xf8E4M3FN>) -> tensor<9xui8>
    return %7, %8, %9, %11, %12, %13, %14, %15, %17, %18, %19, %21, %22, %23, %24, %25, %27, %28, %29, %31, %32, %33, %34, %35, %37, %38, %39, %41, %42, %43, %44, %45, %47, %48, %49, %51, %52, %53, %54, %55, %0, %1, %2, %3, %4, %cst, %5, %56 : tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E5M2>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E5M2>, tensor<9xf8E5M2FNUZ>, tensor<f8E4M3B11FNUZ>, tensor<9xf8E5M2>, tensor<9xui8>
  }
}
