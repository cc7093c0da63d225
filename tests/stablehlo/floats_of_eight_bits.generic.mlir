"builtin.module"() <{sym_name = "jit_floats_of_eight_bits"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<9xf32>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E5M2>, tensor<9xf8E5M2FNUZ>) -> (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E5M2>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E5M2>, tensor<9xf8E5M2FNUZ>, tensor<f8E4M3B11FNUZ>, tensor<9xf8E5M2>, tensor<9xui8>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[0][2]"}, {jax.result_info = "result[0][3]"}, {jax.result_info = "result[0][4]"}, {jax.result_info = "result[0][5]"}, {jax.result_info = "result[0][6]"}, {jax.result_info = "result[0][7]"}, {jax.result_info = "result[0][8]"}, {jax.result_info = "result[0][9]"}, {jax.result_info = "result[0][10]"}, {jax.result_info = "result[0][11]"}, {jax.result_info = "result[0][12]"}, {jax.result_info = "result[0][13]"}, {jax.result_info = "result[0][14]"}, {jax.result_info = "result[0][15]"}, {jax.result_info = "result[0][16]"}, {jax.result_info = "result[0][17]"}, {jax.result_info = "result[0][18]"}, {jax.result_info = "result[0][19]"}, {jax.result_info = "result[0][20]"}, {jax.result_info = "result[0][21]"}, {jax.result_info = "result[0][22]"}, {jax.result_info = "result[0][23]"}, {jax.result_info = "result[0][24]"}, {jax.result_info = "result[0][25]"}, {jax.result_info = "result[0][26]"}, {jax.result_info = "result[0][27]"}, {jax.result_info = "result[0][28]"}, {jax.result_info = "result[0][29]"}, {jax.result_info = "result[0][30]"}, {jax.result_info = "result[0][31]"}, {jax.result_info = "result[0][32]"}, {jax.result_info = "result[0][33]"}, {jax.result_info = "result[0][34]"}, {jax.result_info = "result[0][35]"}, {jax.result_info = "result[0][36]"}, {jax.result_info = "result[0][37]"}, {jax.result_info = "result[0][38]"}, {jax.result_info = "result[0][39]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}, {jax.result_info = "result[1][3]"}, {jax.result_info = "result[1][4]"}, {jax.result_info = "result[1][5]"}, {jax.result_info = "result[1][6]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xf32>, %arg1: tensor<9xf8E4M3B11FNUZ>, %arg2: tensor<9xf8E4M3FN>, %arg3: tensor<9xf8E4M3FNUZ>, %arg4: tensor<9xf8E5M2>, %arg5: tensor<9xf8E5M2FNUZ>):
    %0 = "stablehlo.constant"() <{value = dense<1.500000e+00> : tensor<f8E4M3B11FNUZ>}> : () -> tensor<f8E4M3B11FNUZ>
    %1 = "stablehlo.convert"(%arg0) : (tensor<9xf32>) -> tensor<9xf8E4M3B11FNUZ>
    %2 = "stablehlo.convert"(%arg0) : (tensor<9xf32>) -> tensor<9xf8E4M3FN>
    %3 = "stablehlo.convert"(%arg0) : (tensor<9xf32>) -> tensor<9xf8E4M3FNUZ>
    %4 = "stablehlo.convert"(%arg0) : (tensor<9xf32>) -> tensor<9xf8E5M2>
    %5 = "stablehlo.convert"(%arg0) : (tensor<9xf32>) -> tensor<9xf8E5M2FNUZ>
    %6 = "stablehlo.convert"(%arg2) : (tensor<9xf8E4M3FN>) -> tensor<9xf8E5M2>
    %7 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 0>}> : (tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf8E4M3B11FNUZ>
    %8 = "stablehlo.add"(%arg1, %7) : (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf8E4M3B11FNUZ>
    %9 = "stablehlo.multiply"(%arg1, %7) : (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf8E4M3B11FNUZ>
    %10 = "stablehlo.subtract"(%arg1, %7) : (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf8E4M3B11FNUZ>
    %11 = "stablehlo.abs"(%7) : (tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf8E4M3B11FNUZ>
    %12 = "stablehlo.divide"(%arg1, %11) : (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf8E4M3B11FNUZ>
    %13 = "stablehlo.maximum"(%arg1, %7) : (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf8E4M3B11FNUZ>
    %14 = "stablehlo.compare"(%arg1, %7) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>) -> tensor<9xi1>
    %15 = "stablehlo.convert"(%arg1) : (tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf32>
    %16 = "stablehlo.negate"(%arg1) : (tensor<9xf8E4M3B11FNUZ>) -> tensor<9xf8E4M3B11FNUZ>
    %17 = "stablehlo.reverse"(%arg2) <{dimensions = array<i64: 0>}> : (tensor<9xf8E4M3FN>) -> tensor<9xf8E4M3FN>
    %18 = "stablehlo.add"(%arg2, %17) : (tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>) -> tensor<9xf8E4M3FN>
    %19 = "stablehlo.multiply"(%arg2, %17) : (tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>) -> tensor<9xf8E4M3FN>
    %20 = "stablehlo.subtract"(%arg2, %17) : (tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>) -> tensor<9xf8E4M3FN>
    %21 = "stablehlo.abs"(%17) : (tensor<9xf8E4M3FN>) -> tensor<9xf8E4M3FN>
    %22 = "stablehlo.divide"(%arg2, %21) : (tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>) -> tensor<9xf8E4M3FN>
    %23 = "stablehlo.maximum"(%arg2, %17) : (tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>) -> tensor<9xf8E4M3FN>
    %24 = "stablehlo.compare"(%arg2, %17) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>) -> tensor<9xi1>
    %25 = "stablehlo.convert"(%arg2) : (tensor<9xf8E4M3FN>) -> tensor<9xf32>
    %26 = "stablehlo.negate"(%arg2) : (tensor<9xf8E4M3FN>) -> tensor<9xf8E4M3FN>
    %27 = "stablehlo.reverse"(%arg3) <{dimensions = array<i64: 0>}> : (tensor<9xf8E4M3FNUZ>) -> tensor<9xf8E4M3FNUZ>
    %28 = "stablehlo.add"(%arg3, %27) : (tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>) -> tensor<9xf8E4M3FNUZ>
    %29 = "stablehlo.multiply"(%arg3, %27) : (tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>) -> tensor<9xf8E4M3FNUZ>
    %30 = "stablehlo.subtract"(%arg3, %27) : (tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>) -> tensor<9xf8E4M3FNUZ>
    %31 = "stablehlo.abs"(%27) : (tensor<9xf8E4M3FNUZ>) -> tensor<9xf8E4M3FNUZ>
    %32 = "stablehlo.divide"(%arg3, %31) : (tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>) -> tensor<9xf8E4M3FNUZ>
    %33 = "stablehlo.maximum"(%arg3, %27) : (tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>) -> tensor<9xf8E4M3FNUZ>
    %34 = "stablehlo.compare"(%arg3, %27) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>) -> tensor<9xi1>
    %35 = "stablehlo.convert"(%arg3) : (tensor<9xf8E4M3FNUZ>) -> tensor<9xf32>
    %36 = "stablehlo.negate"(%arg3) : (tensor<9xf8E4M3FNUZ>) -> tensor<9xf8E4M3FNUZ>
    %37 = "stablehlo.reverse"(%arg4) <{dimensions = array<i64: 0>}> : (tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
    %38 = "stablehlo.add"(%arg4, %37) : (tensor<9xf8E5M2>, tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
    %39 = "stablehlo.multiply"(%arg4, %37) : (tensor<9xf8E5M2>, tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
    %40 = "stablehlo.subtract"(%arg4, %37) : (tensor<9xf8E5M2>, tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
    %41 = "stablehlo.abs"(%37) : (tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
    %42 = "stablehlo.divide"(%arg4, %41) : (tensor<9xf8E5M2>, tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
    %43 = "stablehlo.maximum"(%arg4, %37) : (tensor<9xf8E5M2>, tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
    %44 = "stablehlo.compare"(%arg4, %37) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xf8E5M2>, tensor<9xf8E5M2>) -> tensor<9xi1>
    %45 = "stablehlo.convert"(%arg4) : (tensor<9xf8E5M2>) -> tensor<9xf32>
    %46 = "stablehlo.negate"(%arg4) : (tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
    %47 = "stablehlo.reverse"(%arg5) <{dimensions = array<i64: 0>}> : (tensor<9xf8E5M2FNUZ>) -> tensor<9xf8E5M2FNUZ>
    %48 = "stablehlo.add"(%arg5, %47) : (tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>) -> tensor<9xf8E5M2FNUZ>
    %49 = "stablehlo.multiply"(%arg5, %47) : (tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>) -> tensor<9xf8E5M2FNUZ>
    %50 = "stablehlo.subtract"(%arg5, %47) : (tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>) -> tensor<9xf8E5M2FNUZ>
    %51 = "stablehlo.abs"(%47) : (tensor<9xf8E5M2FNUZ>) -> tensor<9xf8E5M2FNUZ>
    %52 = "stablehlo.divide"(%arg5, %51) : (tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>) -> tensor<9xf8E5M2FNUZ>
    %53 = "stablehlo.maximum"(%arg5, %47) : (tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>) -> tensor<9xf8E5M2FNUZ>
    %54 = "stablehlo.compare"(%arg5, %47) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>) -> tensor<9xi1>
    %55 = "stablehlo.convert"(%arg5) : (tensor<9xf8E5M2FNUZ>) -> tensor<9xf32>
    %56 = "stablehlo.negate"(%arg5) : (tensor<9xf8E5M2FNUZ>) -> tensor<9xf8E5M2FNUZ>
    %57 = "stablehlo.bitcast_convert"(%arg2) : (tensor<9xf8E4M3FN>) -> tensor<9xui8>
    "func.return"(%8, %9, %10, %12, %13, %14, %15, %16, %18, %19, %20, %22, %23, %24, %25, %26, %28, %29, %30, %32, %33, %34, %35, %36, %38, %39, %40, %42, %43, %44, %45, %46, %48, %49, %50, %52, %53, %54, %55, %56, %1, %2, %3, %4, %5, %0, %6, %57) : (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xf8E5M2>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E5M2>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E5M2FNUZ>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E5M2>, tensor<9xf8E5M2FNUZ>, tensor<f8E4M3B11FNUZ>, tensor<9xf8E5M2>, tensor<9xui8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
