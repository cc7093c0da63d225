"builtin.module"() <{sym_name = "jit_newer_small_floats"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<9xf32>, tensor<9xf8E3M4>, tensor<9xf8E4M3>, tensor<9xf4E2M1FN>, tensor<9xf8E8M0FNU>) -> (tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E3M4>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xi1>, tensor<9xf32>, tensor<9xf4E2M1FN>, tensor<9xf8E3M4>, tensor<9xf8E4M3>, tensor<9xf4E2M1FN>, tensor<9xf8E8M0FNU>, tensor<9xf8E8M0FNU>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[0][2]"}, {jax.result_info = "result[0][3]"}, {jax.result_info = "result[0][4]"}, {jax.result_info = "result[0][5]"}, {jax.result_info = "result[0][6]"}, {jax.result_info = "result[0][7]"}, {jax.result_info = "result[0][8]"}, {jax.result_info = "result[0][9]"}, {jax.result_info = "result[0][10]"}, {jax.result_info = "result[0][11]"}, {jax.result_info = "result[0][12]"}, {jax.result_info = "result[0][13]"}, {jax.result_info = "result[0][14]"}, {jax.result_info = "result[0][15]"}, {jax.result_info = "result[0][16]"}, {jax.result_info = "result[0][17]"}, {jax.result_info = "result[0][18]"}, {jax.result_info = "result[0][19]"}, {jax.result_info = "result[0][20]"}, {jax.result_info = "result[0][21]"}, {jax.result_info = "result[0][22]"}, {jax.result_info = "result[0][23]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xf32>, %arg1: tensor<9xf8E3M4>, %arg2: tensor<9xf8E4M3>, %arg3: tensor<9xf4E2M1FN>, %arg4: tensor<9xf8E8M0FNU>):
    %0 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 0>}> : (tensor<9xf8E3M4>) -> tensor<9xf8E3M4>
    %1 = "stablehlo.add"(%arg1, %0) : (tensor<9xf8E3M4>, tensor<9xf8E3M4>) -> tensor<9xf8E3M4>
    %2 = "stablehlo.multiply"(%arg1, %0) : (tensor<9xf8E3M4>, tensor<9xf8E3M4>) -> tensor<9xf8E3M4>
    %3 = "stablehlo.subtract"(%arg1, %0) : (tensor<9xf8E3M4>, tensor<9xf8E3M4>) -> tensor<9xf8E3M4>
    %4 = "stablehlo.abs"(%0) : (tensor<9xf8E3M4>) -> tensor<9xf8E3M4>
    %5 = "stablehlo.divide"(%arg1, %4) : (tensor<9xf8E3M4>, tensor<9xf8E3M4>) -> tensor<9xf8E3M4>
    %6 = "stablehlo.maximum"(%arg1, %0) : (tensor<9xf8E3M4>, tensor<9xf8E3M4>) -> tensor<9xf8E3M4>
    %7 = "stablehlo.compare"(%arg1, %0) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xf8E3M4>, tensor<9xf8E3M4>) -> tensor<9xi1>
    %8 = "stablehlo.convert"(%arg1) : (tensor<9xf8E3M4>) -> tensor<9xf32>
    %9 = "stablehlo.negate"(%arg1) : (tensor<9xf8E3M4>) -> tensor<9xf8E3M4>
    %10 = "stablehlo.reverse"(%arg2) <{dimensions = array<i64: 0>}> : (tensor<9xf8E4M3>) -> tensor<9xf8E4M3>
    %11 = "stablehlo.add"(%arg2, %10) : (tensor<9xf8E4M3>, tensor<9xf8E4M3>) -> tensor<9xf8E4M3>
    %12 = "stablehlo.multiply"(%arg2, %10) : (tensor<9xf8E4M3>, tensor<9xf8E4M3>) -> tensor<9xf8E4M3>
    %13 = "stablehlo.subtract"(%arg2, %10) : (tensor<9xf8E4M3>, tensor<9xf8E4M3>) -> tensor<9xf8E4M3>
    %14 = "stablehlo.abs"(%10) : (tensor<9xf8E4M3>) -> tensor<9xf8E4M3>
    %15 = "stablehlo.divide"(%arg2, %14) : (tensor<9xf8E4M3>, tensor<9xf8E4M3>) -> tensor<9xf8E4M3>
    %16 = "stablehlo.maximum"(%arg2, %10) : (tensor<9xf8E4M3>, tensor<9xf8E4M3>) -> tensor<9xf8E4M3>
    %17 = "stablehlo.compare"(%arg2, %10) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xf8E4M3>, tensor<9xf8E4M3>) -> tensor<9xi1>
    %18 = "stablehlo.convert"(%arg2) : (tensor<9xf8E4M3>) -> tensor<9xf32>
    %19 = "stablehlo.negate"(%arg2) : (tensor<9xf8E4M3>) -> tensor<9xf8E4M3>
    %20 = "stablehlo.reverse"(%arg3) <{dimensions = array<i64: 0>}> : (tensor<9xf4E2M1FN>) -> tensor<9xf4E2M1FN>
    %21 = "stablehlo.add"(%arg3, %20) : (tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>) -> tensor<9xf4E2M1FN>
    %22 = "stablehlo.multiply"(%arg3, %20) : (tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>) -> tensor<9xf4E2M1FN>
    %23 = "stablehlo.subtract"(%arg3, %20) : (tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>) -> tensor<9xf4E2M1FN>
    %24 = "stablehlo.abs"(%20) : (tensor<9xf4E2M1FN>) -> tensor<9xf4E2M1FN>
    %25 = "stablehlo.divide"(%arg3, %24) : (tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>) -> tensor<9xf4E2M1FN>
    %26 = "stablehlo.maximum"(%arg3, %20) : (tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>) -> tensor<9xf4E2M1FN>
    %27 = "stablehlo.compare"(%arg3, %20) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>) -> tensor<9xi1>
    %28 = "stablehlo.convert"(%arg3) : (tensor<9xf4E2M1FN>) -> tensor<9xf32>
    %29 = "stablehlo.negate"(%arg3) : (tensor<9xf4E2M1FN>) -> tensor<9xf4E2M1FN>
    %30 = "stablehlo.convert"(%arg0) : (tensor<9xf32>) -> tensor<9xf8E3M4>
    %31 = "stablehlo.convert"(%arg0) : (tensor<9xf32>) -> tensor<9xf8E4M3>
    %32 = "stablehlo.convert"(%arg0) : (tensor<9xf32>) -> tensor<9xf4E2M1FN>
    %33 = "stablehlo.multiply"(%arg4, %arg4) : (tensor<9xf8E8M0FNU>, tensor<9xf8E8M0FNU>) -> tensor<9xf8E8M0FNU>
    %34 = "stablehlo.convert"(%arg0) : (tensor<9xf32>) -> tensor<9xf8E8M0FNU>
    "func.return"(%1, %2, %3, %5, %6, %7, %8, %9, %11, %12, %13, %15, %16, %17, %18, %19, %21, %22, %23, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34) : (tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xf8E3M4>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E3M4>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xf8E4M3>, tensor<9xi1>, tensor<9xf32>, tensor<9xf8E4M3>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xf4E2M1FN>, tensor<9xi1>, tensor<9xf32>, tensor<9xf4E2M1FN>, tensor<9xf8E3M4>, tensor<9xf8E4M3>, tensor<9xf4E2M1FN>, tensor<9xf8E8M0FNU>, tensor<9xf8E8M0FNU>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
