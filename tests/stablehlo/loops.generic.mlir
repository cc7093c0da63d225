"builtin.module"() <{sym_name = "jit_loops"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1xi32>, tensor<3xf32>) -> (tensor<i32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg10: tensor<1xi32>, %arg11: tensor<3xf32>):
    %32 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.constant"() <{value = dense<1.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %43 = "stablehlo.multiply"(%arg11, %42) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %44 = "stablehlo.reshape"(%arg10) : (tensor<1xi32>) -> tensor<i32>
    %45 = "stablehlo.add"(%44, %40) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %46:2 = "stablehlo.while"(%45, %39) ({
    ^bb0(%arg28: tensor<i32>, %arg29: tensor<i32>):
      %66 = "stablehlo.compare"(%arg28, %38) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%66) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg26: tensor<i32>, %arg27: tensor<i32>):
      %59 = "func.call"(%arg26, %37) <{callee = @remainder}> : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %60 = "stablehlo.compare"(%59, %39) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %61 = "func.call"(%arg26, %37) <{callee = @floor_divide}> : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %62 = "stablehlo.multiply"(%36, %arg26) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %63 = "stablehlo.add"(%62, %38) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %64 = "func.call"(%60, %61, %63) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %65 = "stablehlo.add"(%arg27, %38) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%64, %65) : (tensor<i32>, tensor<i32>) -> ()
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %47:4 = "stablehlo.while"(%43, %39, %39, %arg11) ({
    ^bb0(%arg22: tensor<3xf32>, %arg23: tensor<i32>, %arg24: tensor<i32>, %arg25: tensor<3xf32>):
      %58 = "stablehlo.compare"(%arg23, %35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%58) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg18: tensor<3xf32>, %arg19: tensor<i32>, %arg20: tensor<i32>, %arg21: tensor<3xf32>):
      %56:2 = "func.call"(%arg18, %arg20, %arg21) <{callee = @closed_call}> : (tensor<3xf32>, tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>)
      %57 = "stablehlo.add"(%arg19, %38) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg18, %57, %56#0, %56#1) : (tensor<3xf32>, tensor<i32>, tensor<i32>, tensor<3xf32>) -> ()
    }) : (tensor<3xf32>, tensor<i32>, tensor<i32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<i32>, tensor<i32>, tensor<3xf32>)
    %48:2 = "stablehlo.while"(%43, %arg11) ({
    ^bb0(%arg14: tensor<3xf32>, %arg15: tensor<3xf32>):
      %53 = "stablehlo.reduce"(%arg15, %34) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %55 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%55) : (tensor<f32>) -> ()
      }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      %54 = "stablehlo.compare"(%53, %33) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%54) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg12: tensor<3xf32>, %arg13: tensor<3xf32>):
      %49 = "stablehlo.multiply"(%arg12, %arg12) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %50 = "stablehlo.add"(%arg13, %49) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %51 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
      %52 = "stablehlo.add"(%50, %51) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%arg12, %52) : (tensor<3xf32>, tensor<3xf32>) -> ()
    }) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    "func.return"(%46#0, %46#1, %47#3, %48#1) : (tensor<i32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<i32>, %arg9: tensor<i32>):
    %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.convert"(%arg9) : (tensor<i32>) -> tensor<i32>
    %22 = "stablehlo.compare"(%21, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %23 = "func.call"(%22, %19, %21) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %24 = "stablehlo.remainder"(%arg8, %23) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "stablehlo.compare"(%24, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %26 = "stablehlo.compare"(%24, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %27 = "stablehlo.compare"(%23, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %28 = "stablehlo.compare"(%26, %27) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %29 = "stablehlo.and"(%28, %25) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %30 = "stablehlo.add"(%24, %23) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %31 = "stablehlo.select"(%29, %30, %24) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%31) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<i1>, %arg6: tensor<i32>, %arg7: tensor<i32>):
    %18 = "stablehlo.select"(%arg5, %arg6, %arg7) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%18) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
    %6 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.divide"(%arg3, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %10 = "stablehlo.sign"(%arg3) : (tensor<i32>) -> tensor<i32>
    %11 = "stablehlo.sign"(%8) : (tensor<i32>) -> tensor<i32>
    %12 = "stablehlo.compare"(%10, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %13 = "stablehlo.remainder"(%arg3, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.compare"(%13, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = "stablehlo.and"(%12, %14) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %16 = "stablehlo.subtract"(%9, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %17 = "func.call"(%15, %16, %9) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%17) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xf32>, tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3xf32>, %arg1: tensor<i32>, %arg2: tensor<3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.add"(%arg1, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %4 = "stablehlo.multiply"(%arg2, %3) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %5 = "stablehlo.add"(%4, %arg0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%2, %5) : (tensor<i32>, tensor<3xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
