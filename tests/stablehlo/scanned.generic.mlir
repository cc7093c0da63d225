"builtin.module"() <{sym_name = "jit_scanned"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<6x3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<6xf32>, tensor<3xf32>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg20: tensor<6x3xf32>, %arg21: tensor<3xf32>):
    %19 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %25 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6xf32>
    %26:5 = "stablehlo.while"(%arg20, %arg21, %22, %24, %25) ({
    ^bb0(%arg47: tensor<6x3xf32>, %arg48: tensor<3xf32>, %arg49: tensor<i32>, %arg50: tensor<3xf32>, %arg51: tensor<6xf32>):
      %48 = "stablehlo.compare"(%arg49, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%48) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg42: tensor<6x3xf32>, %arg43: tensor<3xf32>, %arg44: tensor<i32>, %arg45: tensor<3xf32>, %arg46: tensor<6xf32>):
      %44 = "func.call"(%arg42, %arg44) <{callee = @dynamic_index_in_dim}> : (tensor<6x3xf32>, tensor<i32>) -> tensor<3xf32>
      %45:2 = "func.call"(%arg43, %arg45, %44) <{callee = @closed_call}> : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>)
      %46 = "func.call"(%arg46, %45#1, %arg44) <{callee = @dynamic_update_index_in_dim}> : (tensor<6xf32>, tensor<f32>, tensor<i32>) -> tensor<6xf32>
      %47 = "stablehlo.add"(%arg44, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg42, %arg43, %47, %45#0, %46) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<6xf32>) -> ()
    }) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<6xf32>) -> (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<6xf32>)
    %27 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %28 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x3xf32>
    %29:5 = "stablehlo.while"(%arg20, %arg21, %22, %27, %28) ({
    ^bb0(%arg37: tensor<6x3xf32>, %arg38: tensor<3xf32>, %arg39: tensor<i32>, %arg40: tensor<3xf32>, %arg41: tensor<6x3xf32>):
      %43 = "stablehlo.compare"(%arg39, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%43) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg32: tensor<6x3xf32>, %arg33: tensor<3xf32>, %arg34: tensor<i32>, %arg35: tensor<3xf32>, %arg36: tensor<6x3xf32>):
      %39 = "func.call"(%arg32, %arg34) <{callee = @dynamic_index_in_dim}> : (tensor<6x3xf32>, tensor<i32>) -> tensor<3xf32>
      %40:2 = "func.call"(%arg33, %arg35, %39) <{callee = @closed_call_0}> : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
      %41 = "func.call"(%arg36, %40#1, %arg34) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<6x3xf32>
      %42 = "stablehlo.add"(%arg34, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg32, %arg33, %42, %40#0, %41) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<6x3xf32>) -> ()
    }) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<6x3xf32>) -> (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<6x3xf32>)
    %30 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %31 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %32:5 = "stablehlo.while"(%29#4, %arg21, %22, %31, %30) ({
    ^bb0(%arg27: tensor<6x3xf32>, %arg28: tensor<3xf32>, %arg29: tensor<i32>, %arg30: tensor<3xf32>, %arg31: tensor<3xf32>):
      %38 = "stablehlo.compare"(%arg29, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%38) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg22: tensor<6x3xf32>, %arg23: tensor<3xf32>, %arg24: tensor<i32>, %arg25: tensor<3xf32>, %arg26: tensor<3xf32>):
      %33 = "stablehlo.subtract"(%21, %arg24) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %34 = "stablehlo.subtract"(%33, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %35 = "func.call"(%arg22, %34) <{callee = @dynamic_index_in_dim}> : (tensor<6x3xf32>, tensor<i32>) -> tensor<3xf32>
      %36:2 = "func.call"(%arg23, %arg25, %arg26, %35) <{callee = @closed_call_2}> : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
      %37 = "stablehlo.add"(%arg24, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg22, %arg23, %37, %36#0, %36#1) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>) -> ()
    }) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>)
    "func.return"(%26#3, %26#4, %32#3) : (tensor<3xf32>, tensor<6xf32>, tensor<3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<6x3xf32>, tensor<i32>) -> tensor<3xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<6x3xf32>, %arg19: tensor<i32>):
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.dynamic_slice"(%arg18, %arg19, %16) <{slice_sizes = array<i64: 1, 3>}> : (tensor<6x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %18 = "stablehlo.reshape"(%17) : (tensor<1x3xf32>) -> tensor<3xf32>
    "func.return"(%18) : (tensor<3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<3xf32>, %arg14: tensor<3xf32>, %arg15: tensor<3xf32>):
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.multiply"(%arg14, %arg13) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %12 = "stablehlo.add"(%11, %arg15) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %13 = "stablehlo.tanh"(%12) : (tensor<3xf32>) -> tensor<3xf32>
    %14 = "stablehlo.reduce"(%13, %10) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %15 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%13, %14) : (tensor<3xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<6xf32>, tensor<f32>, tensor<i32>) -> tensor<6xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<6xf32>, %arg11: tensor<f32>, %arg12: tensor<i32>):
    %8 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %9 = "stablehlo.dynamic_update_slice"(%arg10, %8, %arg12) : (tensor<6xf32>, tensor<1xf32>, tensor<i32>) -> tensor<6xf32>
    "func.return"(%9) : (tensor<6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>), res_attrs = [{}, {}], sym_name = "closed_call_0", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<3xf32>, %arg8: tensor<3xf32>, %arg9: tensor<3xf32>):
    %6 = "stablehlo.multiply"(%arg8, %arg7) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %7 = "stablehlo.add"(%6, %arg9) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%7, %arg8) : (tensor<3xf32>, tensor<3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<6x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<6x3xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<6x3xf32>, %arg5: tensor<3xf32>, %arg6: tensor<i32>):
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<1x3xf32>
    %5 = "stablehlo.dynamic_update_slice"(%arg4, %4, %arg6, %3) : (tensor<6x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x3xf32>
    "func.return"(%5) : (tensor<6x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>), res_attrs = [{}, {}], sym_name = "closed_call_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>):
    %0 = "stablehlo.multiply"(%arg3, %arg2) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %1 = "stablehlo.add"(%arg1, %0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %2 = "stablehlo.multiply"(%arg2, %arg0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%1, %2) : (tensor<3xf32>, tensor<3xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
