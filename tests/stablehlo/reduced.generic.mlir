"builtin.module"() <{sym_name = "jit_reduced"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4xf32>, tensor<3x4xi32>, tensor<3x4xi1>) -> (tensor<f32>, tensor<3xf32>, tensor<4xf32>, tensor<f32>, tensor<4xi32>, tensor<3xi1>, tensor<4xi1>, tensor<3xi32>, tensor<i32>, tensor<3xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg21: tensor<3x4xf32>, %arg22: tensor<3x4xi32>, %arg23: tensor<3x4xi1>):
    %48 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %50 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.reduce"(%arg21, %55) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %77 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%77) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %57 = "stablehlo.reduce"(%arg21, %54) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %76 = "stablehlo.maximum"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %58 = "stablehlo.reduce"(%arg21, %53) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %75 = "stablehlo.minimum"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%75) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
    %59 = "stablehlo.reduce"(%arg21, %52) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %74 = "stablehlo.multiply"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%74) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %60 = "stablehlo.reduce"(%arg22, %51) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg30: tensor<i32>, %arg31: tensor<i32>):
      %73 = "stablehlo.add"(%arg30, %arg31) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%73) : (tensor<i32>) -> ()
    }) : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
    %61 = "stablehlo.reduce"(%arg23, %50) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg28: tensor<i1>, %arg29: tensor<i1>):
      %72 = "stablehlo.and"(%arg28, %arg29) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%72) : (tensor<i1>) -> ()
    }) : (tensor<3x4xi1>, tensor<i1>) -> tensor<3xi1>
    %62 = "stablehlo.reduce"(%arg23, %49) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg26: tensor<i1>, %arg27: tensor<i1>):
      %71 = "stablehlo.or"(%arg26, %arg27) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%71) : (tensor<i1>) -> ()
    }) : (tensor<3x4xi1>, tensor<i1>) -> tensor<4xi1>
    %63 = "func.call"(%arg21) <{callee = @argmax}> : (tensor<3x4xf32>) -> tensor<3xi32>
    %64 = "stablehlo.reshape"(%arg21) : (tensor<3x4xf32>) -> tensor<12xf32>
    %65 = "func.call"(%64) <{callee = @argmin}> : (tensor<12xf32>) -> tensor<i32>
    %66 = "stablehlo.reduce"(%arg21, %55) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %70 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%70) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %67 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %68 = "stablehlo.divide"(%66, %67) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %69 = "func.call"(%arg21, %51) <{callee = @_std}> : (tensor<3x4xf32>, tensor<i32>) -> tensor<f32>
    "func.return"(%56, %57, %58, %59, %60, %61, %62, %63, %65, %68, %69) : (tensor<f32>, tensor<3xf32>, tensor<4xf32>, tensor<f32>, tensor<4xi32>, tensor<3xi1>, tensor<4xi1>, tensor<3xi32>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x4xf32>) -> tensor<3xi32>, sym_name = "argmax", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<3x4xf32>):
    %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x4xi32>
    %38:2 = "stablehlo.reduce"(%arg16, %37, %36, %35) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<i32>, %arg19: tensor<f32>, %arg20: tensor<i32>):
      %39 = "stablehlo.compare"(%arg17, %arg19) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %40 = "stablehlo.compare"(%arg17, %arg17) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %41 = "stablehlo.or"(%39, %40) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %42 = "stablehlo.compare"(%arg17, %arg19) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %43 = "stablehlo.compare"(%arg18, %arg20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %44 = "stablehlo.and"(%42, %43) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %45 = "stablehlo.or"(%41, %44) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %46 = "stablehlo.select"(%41, %arg17, %arg19) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %47 = "stablehlo.select"(%45, %arg18, %arg20) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%46, %47) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
    "func.return"(%38#1) : (tensor<3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<12xf32>) -> tensor<i32>, sym_name = "argmin", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<12xf32>):
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<12xi32>
    %25:2 = "stablehlo.reduce"(%arg11, %24, %23, %22) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<i32>, %arg14: tensor<f32>, %arg15: tensor<i32>):
      %26 = "stablehlo.compare"(%arg12, %arg14) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %27 = "stablehlo.compare"(%arg12, %arg12) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %28 = "stablehlo.or"(%26, %27) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %29 = "stablehlo.compare"(%arg12, %arg14) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %30 = "stablehlo.compare"(%arg13, %arg15) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %31 = "stablehlo.and"(%29, %30) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %32 = "stablehlo.or"(%28, %31) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %33 = "stablehlo.select"(%28, %arg12, %arg14) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %34 = "stablehlo.select"(%32, %arg13, %arg15) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%33, %34) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<12xf32>, tensor<12xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    "func.return"(%25#1) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xf32>, tensor<i32>) -> tensor<f32>, res_attrs = [{}], sym_name = "_std", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<3x4xf32>, %arg10: tensor<i32>):
    %20 = "func.call"(%arg9, %arg10) <{callee = @_var}> : (tensor<3x4xf32>, tensor<i32>) -> tensor<f32>
    %21 = "stablehlo.sqrt"(%20) : (tensor<f32>) -> tensor<f32>
    "func.return"(%21) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xf32>, tensor<i32>) -> tensor<f32>, res_attrs = [{}], sym_name = "_var", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x4xf32>, %arg4: tensor<i32>):
    %2 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.reduce"(%arg3, %4) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %19 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %7 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %8 = "stablehlo.divide"(%6, %7) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x4xf32>
    %10 = "stablehlo.subtract"(%arg3, %9) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %11 = "stablehlo.multiply"(%10, %10) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %12 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<f32>
    %13 = "stablehlo.subtract"(%3, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %14 = "stablehlo.reduce"(%11, %4) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %18 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.divide"(%14, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.compare"(%13, %4) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %17 = "func.call"(%16, %15, %2) <{callee = @_where}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%17) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.select"(%arg0, %arg1, %0) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%1) : (tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
