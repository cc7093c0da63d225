"builtin.module"() <{sym_name = "jit_halves"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4xbf16>, tensor<4xf16>) -> (tensor<4xbf16>, tensor<4xf16>, tensor<bf16>, tensor<f32>, tensor<4xbf16>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xbf16>, %arg1: tensor<4xf16>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %3 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4xbf16>
    %5 = "stablehlo.add"(%3, %4) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    %6 = "stablehlo.exponential"(%arg1) : (tensor<4xf16>) -> tensor<4xf16>
    %7 = "stablehlo.convert"(%arg0) : (tensor<4xbf16>) -> tensor<4xf32>
    %8 = "stablehlo.reduce"(%7, %1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %15 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.convert"(%8) : (tensor<f32>) -> tensor<bf16>
    %10 = "stablehlo.convert"(%arg1) : (tensor<4xf16>) -> tensor<4xf32>
    %11 = "stablehlo.convert"(%arg0) : (tensor<4xbf16>) -> tensor<4xf32>
    %12 = "stablehlo.dot_general"(%10, %11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4xbf16>
    %14 = "stablehlo.maximum"(%arg0, %13) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    "func.return"(%5, %6, %9, %12, %14) : (tensor<4xbf16>, tensor<4xf16>, tensor<bf16>, tensor<f32>, tensor<4xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
