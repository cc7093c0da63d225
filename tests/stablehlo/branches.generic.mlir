"builtin.module"() <{sym_name = "jit_branches"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1xi32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<i32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2][0]"}, {jax.result_info = "result[2][1]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1xi32>, %arg1: tensor<3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.reshape"(%arg0) : (tensor<1xi32>) -> tensor<i32>
    %6 = "stablehlo.exponential"(%arg1) : (tensor<3xf32>) -> tensor<3xf32>
    %7 = "stablehlo.compare"(%5, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = "stablehlo.convert"(%7) : (tensor<i1>) -> tensor<i32>
    %9 = "stablehlo.case"(%8) ({
      %24 = "stablehlo.multiply"(%arg1, %6) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%24) : (tensor<3xf32>) -> ()
    }, {
      %22 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
      %23 = "stablehlo.add"(%6, %22) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%23) : (tensor<3xf32>) -> ()
    }) : (tensor<i32>) -> tensor<3xf32>
    %10 = "stablehlo.clamp"(%2, %5, %4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %11 = "stablehlo.case"(%10) ({
      "stablehlo.return"(%arg1) : (tensor<3xf32>) -> ()
    }, {
      %21 = "stablehlo.multiply"(%arg1, %6) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%21) : (tensor<3xf32>) -> ()
    }, {
      %20 = "stablehlo.sine"(%arg1) : (tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%20) : (tensor<3xf32>) -> ()
    }) : (tensor<i32>) -> tensor<3xf32>
    %12 = "stablehlo.compare"(%5, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %13 = "stablehlo.convert"(%12) : (tensor<i1>) -> tensor<i32>
    %14:2 = "stablehlo.case"(%13) ({
      "stablehlo.return"(%6, %3) : (tensor<3xf32>, tensor<f32>) -> ()
    }, {
      %18 = "stablehlo.reduce"(%arg1, %1) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %19 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%19) : (tensor<f32>) -> ()
      }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%arg1, %18) : (tensor<3xf32>, tensor<f32>) -> ()
    }) : (tensor<i32>) -> (tensor<3xf32>, tensor<f32>)
    %15 = "stablehlo.compare"(%5, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %16 = "stablehlo.convert"(%15) : (tensor<i1>) -> tensor<i32>
    %17 = "stablehlo.case"(%16) ({
      "stablehlo.return"(%4) : (tensor<i32>) -> ()
    }, {
      "stablehlo.return"(%0) : (tensor<i32>) -> ()
    }) : (tensor<i32>) -> tensor<i32>
    "func.return"(%9, %11, %14#0, %14#1, %17) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
