"builtin.module"() <{sym_name = "jit_training_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<5x4xf32>, tensor<4x6xf32>, tensor<6x3xf32>, tensor<5xi32>) -> (tensor<f32>, tensor<4x6xf32>, tensor<6x3xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg20: tensor<5x4xf32>, %arg21: tensor<4x6xf32>, %arg22: tensor<6x3xf32>, %arg23: tensor<5xi32>):
    %53 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.dot_general"(%arg20, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %62 = "stablehlo.multiply"(%61, %61) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %63 = "stablehlo.multiply"(%62, %61) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %64 = "stablehlo.multiply"(%61, %61) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %65 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %66 = "stablehlo.multiply"(%65, %64) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %67 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %68 = "stablehlo.multiply"(%67, %63) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %69 = "stablehlo.add"(%61, %68) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %70 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %71 = "stablehlo.multiply"(%70, %69) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %72 = "stablehlo.tanh"(%71) : (tensor<5x6xf32>) -> tensor<5x6xf32>
    %73 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %74 = "stablehlo.subtract"(%73, %72) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %75 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %76 = "stablehlo.add"(%75, %72) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %77 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %78 = "stablehlo.multiply"(%77, %76) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %79 = "stablehlo.multiply"(%61, %78) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %80 = "stablehlo.dot_general"(%79, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<5x6xf32>, tensor<6x3xf32>) -> tensor<5x3xf32>
    %81:3 = "func.call"(%80) <{callee = @log_softmax}> : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x1xf32>)
    %82 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi32>) -> tensor<5x1xi32>
    %83:2 = "func.call"(%81#0, %82) <{callee = @take_along_axis}> : (tensor<5x3xf32>, tensor<5x1xi32>) -> (tensor<5x1xf32>, tensor<5x1x1xi32>)
    %84 = "stablehlo.reduce"(%83#0, %55) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %117 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%117) : (tensor<f32>) -> ()
    }) : (tensor<5x1xf32>, tensor<f32>) -> tensor<f32>
    %85 = "stablehlo.divide"(%84, %54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %86 = "stablehlo.negate"(%85) : (tensor<f32>) -> tensor<f32>
    %87 = "stablehlo.negate"(%57) : (tensor<f32>) -> tensor<f32>
    %88 = "stablehlo.divide"(%87, %54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x1xf32>
    %90 = "func.call"(%83#1, %89) <{callee = @take_along_axis_0}> : (tensor<5x1x1xi32>, tensor<5x1xf32>) -> tensor<5x3xf32>
    %91 = "func.call"(%81#1, %81#2, %90) <{callee = @log_softmax_1}> : (tensor<5x3xf32>, tensor<5x1xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %92 = "stablehlo.dot_general"(%91, %79) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<5x3xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
    %93 = "stablehlo.transpose"(%92) <{permutation = array<i64: 1, 0>}> : (tensor<3x6xf32>) -> tensor<6x3xf32>
    %94 = "stablehlo.dot_general"(%91, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<5x3xf32>, tensor<6x3xf32>) -> tensor<5x6xf32>
    %95 = "stablehlo.multiply"(%61, %94) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %96 = "stablehlo.multiply"(%94, %78) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %97 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %98 = "stablehlo.multiply"(%97, %95) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %99 = "stablehlo.multiply"(%98, %74) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %100 = "stablehlo.multiply"(%99, %72) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %101 = "stablehlo.add"(%99, %100) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %102 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %103 = "stablehlo.multiply"(%102, %101) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %104 = "stablehlo.add"(%96, %103) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %105 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %106 = "stablehlo.multiply"(%105, %103) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %107 = "stablehlo.multiply"(%106, %66) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %108 = "stablehlo.add"(%104, %107) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %109 = "stablehlo.dot_general"(%108, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %110 = "stablehlo.transpose"(%109) <{permutation = array<i64: 1, 0>}> : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %111 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x6xf32>
    %112 = "stablehlo.multiply"(%111, %110) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %113 = "stablehlo.subtract"(%arg21, %112) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %114 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x3xf32>
    %115 = "stablehlo.multiply"(%114, %93) : (tensor<6x3xf32>, tensor<6x3xf32>) -> tensor<6x3xf32>
    %116 = "stablehlo.subtract"(%arg22, %115) : (tensor<6x3xf32>, tensor<6x3xf32>) -> tensor<6x3xf32>
    "func.return"(%86, %113, %116) : (tensor<f32>, tensor<4x6xf32>, tensor<6x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x1xf32>), res_attrs = [{}, {}, {}], sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<5x3xf32>):
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.reduce"(%arg15, %38) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %52 = "stablehlo.maximum"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%52) : (tensor<f32>) -> ()
    }) : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %40 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %41 = "stablehlo.maximum"(%40, %39) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xf32>) -> tensor<5x1xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<5x1xf32>) -> tensor<5x3xf32>
    %44 = "stablehlo.subtract"(%arg15, %43) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %45 = "stablehlo.exponential"(%44) : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %46 = "stablehlo.reduce"(%45, %37) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %51 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xf32>) -> tensor<5x1xf32>
    %48 = "stablehlo.log"(%47) : (tensor<5x1xf32>) -> tensor<5x1xf32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<5x1xf32>) -> tensor<5x3xf32>
    %50 = "stablehlo.subtract"(%44, %49) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    "func.return"(%50, %45, %47) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5x3xf32>, tensor<5x1xi32>) -> (tensor<5x1xf32>, tensor<5x1x1xi32>), res_attrs = [{}, {}], sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<5x3xf32>, %arg12: tensor<5x1xi32>):
    %15 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %17 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %18 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5x1xi32>
    %21 = "stablehlo.compare"(%arg12, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
    %22 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5x1xi32>
    %23 = "stablehlo.add"(%arg12, %22) : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi32>
    %24 = "stablehlo.select"(%21, %23, %arg12) : (tensor<5x1xi1>, tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi32>
    %25 = "stablehlo.reshape"(%24) : (tensor<5x1xi32>) -> tensor<5x1x1xi32>
    %26 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5x1x1xi32>
    %27 = "stablehlo.compare"(%25, %26) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<5x1x1xi32>, tensor<5x1x1xi32>) -> tensor<5x1x1xi1>
    %28 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<5x1x1xi32>
    %30 = "stablehlo.compare"(%25, %29) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<5x1x1xi32>, tensor<5x1x1xi32>) -> tensor<5x1x1xi1>
    %31 = "stablehlo.and"(%27, %30) : (tensor<5x1x1xi1>, tensor<5x1x1xi1>) -> tensor<5x1x1xi1>
    %32 = "stablehlo.reduce"(%31, %16) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg13: tensor<i1>, %arg14: tensor<i1>):
      %36 = "stablehlo.and"(%arg13, %arg14) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%36) : (tensor<i1>) -> ()
    }) : (tensor<5x1x1xi1>, tensor<i1>) -> tensor<5x1xi1>
    %33 = "stablehlo.gather"(%arg11, %25) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<5x1x1xi32>) -> tensor<5x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x1xf32>
    %35 = "stablehlo.select"(%32, %33, %34) : (tensor<5x1xi1>, tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x1xf32>
    "func.return"(%35, %25) : (tensor<5x1xf32>, tensor<5x1x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5x1x1xi32>, tensor<5x1xf32>) -> tensor<5x3xf32>, res_attrs = [{}], sym_name = "take_along_axis_0", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<5x1x1xi32>, %arg8: tensor<5x1xf32>):
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x3xf32>
    %13 = "stablehlo.scatter"(%12, %arg7, %arg8) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %14 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<5x3xf32>, tensor<5x1x1xi32>, tensor<5x1xf32>) -> tensor<5x3xf32>
    "func.return"(%13) : (tensor<5x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<5x3xf32>, tensor<5x1xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>, res_attrs = [{}], sym_name = "log_softmax_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5x3xf32>, %arg1: tensor<5x1xf32>, %arg2: tensor<5x3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.negate"(%arg2) : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %2 = "stablehlo.reduce"(%1, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %10 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%10) : (tensor<f32>) -> ()
    }) : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %3 = "stablehlo.reshape"(%2) : (tensor<5xf32>) -> tensor<5x1xf32>
    %4 = "stablehlo.divide"(%3, %arg1) : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x1xf32>
    %5 = "stablehlo.reduce"(%4, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<5x1xf32>, tensor<f32>) -> tensor<5xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xf32>) -> tensor<5x3xf32>
    %7 = "stablehlo.multiply"(%6, %arg0) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %8 = "stablehlo.add"(%arg2, %7) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    "func.return"(%8) : (tensor<5x3xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
