"builtin.module"() <{sym_name = "jit_sorted_values"}> ({
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>) -> tensor<i1>, sym_name = "top_k_gt_f32_comparator"}> ({
  ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>, %arg63: tensor<i32>, %arg64: tensor<i32>):
    %191 = "stablehlo.compare"(%arg61, %arg62) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "func.return"(%191) : (tensor<i1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x5xf32>, tensor<7xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>, tensor<7xi32>, tensor<7xi32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<5xi32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2][0]"}, {jax.result_info = "result[2][1]"}, {jax.result_info = "result[3][0]"}, {jax.result_info = "result[3][1]"}, {jax.result_info = "result[4][0]"}, {jax.result_info = "result[4][1]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg53: tensor<4x5xf32>, %arg54: tensor<7xi32>):
    %153 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %154 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %155 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %156 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %157 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %158 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %159 = "func.call"(%arg53) <{callee = @sort}> : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %160 = "func.call"(%arg53) <{callee = @argsort}> : (tensor<4x5xf32>) -> tensor<4x5xi32>
    %161 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<7xi32>
    %162:2 = "stablehlo.sort"(%arg54, %161) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg57: tensor<i32>, %arg58: tensor<i32>, %arg59: tensor<i32>, %arg60: tensor<i32>):
      %190 = "stablehlo.compare"(%arg57, %arg58) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%190) : (tensor<i1>) -> ()
    }) : (tensor<7xi32>, tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>)
    %163:2 = "stablehlo.composite"(%arg53) <{composite_attributes = {k = 3 : i64}, decomposition = @chlo.top_k.impl, name = "chlo.top_k", version = 1 : i32}> : (tensor<4x5xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %164 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x5xi32>
    %165:2 = "stablehlo.custom_call"(%arg53, %164, %157, %158) <{call_target_name = "ApproxTopK", called_computations = [@top_k_gt_f32_comparator]}> {mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %166:3 = "func.call"(%arg54) <{callee = @_unique_sorted_mask}> : (tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi1>, tensor<7xi32>)
    %167 = "func.call"(%166#1) <{callee = @cumsum}> : (tensor<7xi1>) -> tensor<7xi32>
    %168 = "stablehlo.broadcast_in_dim"(%156) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %169 = "func.call"(%167, %156) <{callee = @clip}> : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    %170 = "stablehlo.broadcast_in_dim"(%156) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %171 = "stablehlo.compare"(%169, %170) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %172 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %173 = "stablehlo.add"(%169, %172) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %174 = "stablehlo.select"(%171, %173, %169) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %175 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32>
    %176 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %177 = "stablehlo.scatter"(%168, %175, %176) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg55: tensor<i32>, %arg56: tensor<i32>):
      %189 = "stablehlo.add"(%arg55, %arg56) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%189) : (tensor<i32>) -> ()
    }) : (tensor<5xi32>, tensor<7x1xi32>, tensor<7xi32>) -> tensor<5xi32>
    %178 = "func.call"(%177) <{callee = @cumsum_1}> : (tensor<5xi32>) -> tensor<5xi32>
    %179 = "func.call"(%178, %154) <{callee = @floor_divide}> : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    %180 = "func.call"(%179, %153) <{callee = @remainder}> : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    %181 = "stablehlo.broadcast_in_dim"(%156) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %182 = "stablehlo.compare"(%180, %181) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %183 = "stablehlo.broadcast_in_dim"(%153) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %184 = "stablehlo.add"(%180, %183) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %185 = "stablehlo.select"(%182, %184, %180) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %186 = "stablehlo.broadcast_in_dim"(%185) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi32>) -> tensor<5x1xi32>
    %187 = "stablehlo.gather"(%166#0, %186) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<7xi32>, tensor<5x1xi32>) -> tensor<5xi32>
    %188 = "func.call"(%arg53) <{callee = @median}> : (tensor<4x5xf32>) -> tensor<f32>
    "func.return"(%159, %160, %162#0, %162#1, %163#0, %163#1, %165#0, %165#1, %187, %188) : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<7xi32>, tensor<7xi32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<5xi32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x5xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>), sym_name = "chlo.top_k.impl", sym_visibility = "private"}> ({
  ^bb0(%arg48: tensor<4x5xf32>):
    %148 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x5xi32>
    %149:2 = "stablehlo.sort"(%arg48, %148) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>, %arg51: tensor<i32>, %arg52: tensor<i32>):
      %152 = "stablehlo.compare"(%arg49, %arg50) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%152) : (tensor<i1>) -> ()
    }) : (tensor<4x5xf32>, tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
    %150 = "stablehlo.slice"(%149#0) <{limit_indices = array<i64: 4, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x5xf32>) -> tensor<4x3xf32>
    %151 = "stablehlo.slice"(%149#1) <{limit_indices = array<i64: 4, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x5xi32>) -> tensor<4x3xi32>
    "func.return"(%150, %151) : (tensor<4x3xf32>, tensor<4x3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x5xf32>) -> tensor<4x5xf32>, res_attrs = [{}], sym_name = "sort", sym_visibility = "private"}> ({
  ^bb0(%arg45: tensor<4x5xf32>):
    %136 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %137 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %138 = "stablehlo.sort"(%arg45) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
      %139 = "stablehlo.compare"(%arg46, %137) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %140 = "stablehlo.select"(%139, %137, %arg46) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %141 = "stablehlo.compare"(%arg46, %arg46) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %142 = "stablehlo.select"(%141, %136, %140) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %143 = "stablehlo.compare"(%arg47, %137) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %144 = "stablehlo.select"(%143, %137, %arg47) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %145 = "stablehlo.compare"(%arg47, %arg47) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %146 = "stablehlo.select"(%145, %136, %144) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %147 = "stablehlo.compare"(%142, %146) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%147) : (tensor<i1>) -> ()
    }) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    "func.return"(%138) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x5xf32>) -> tensor<4x5xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<4x5xf32>):
    %123 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %125 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x5xi32>
    %126:2 = "stablehlo.sort"(%arg40, %125) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>, %arg43: tensor<i32>, %arg44: tensor<i32>):
      %127 = "stablehlo.compare"(%arg41, %124) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %128 = "stablehlo.select"(%127, %124, %arg41) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %129 = "stablehlo.compare"(%arg41, %arg41) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %130 = "stablehlo.select"(%129, %123, %128) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %131 = "stablehlo.compare"(%arg42, %124) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %132 = "stablehlo.select"(%131, %124, %arg42) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %133 = "stablehlo.compare"(%arg42, %arg42) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %134 = "stablehlo.select"(%133, %123, %132) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %135 = "stablehlo.compare"(%130, %134) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%135) : (tensor<i1>) -> ()
    }) : (tensor<4x5xf32>, tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
    "func.return"(%126#1) : (tensor<4x5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi1>, tensor<7xi32>), res_attrs = [{}, {}, {}], sym_name = "_unique_sorted_mask", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<7xi32>):
    %99 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %100 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %101 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %102 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %103 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %104 = "stablehlo.reshape"(%arg35) : (tensor<7xi32>) -> tensor<7x1xi32>
    %105 = "stablehlo.transpose"(%104) <{permutation = array<i64: 1, 0>}> : (tensor<7x1xi32>) -> tensor<1x7xi32>
    %106 = "stablehlo.reverse"(%105) <{dimensions = array<i64: 0>}> : (tensor<1x7xi32>) -> tensor<1x7xi32>
    %107 = "func.call"(%106) <{callee = @lexsort}> : (tensor<1x7xi32>) -> tensor<7xi32>
    %108 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %109 = "stablehlo.compare"(%107, %108) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %110 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %111 = "stablehlo.add"(%107, %110) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %112 = "stablehlo.select"(%109, %111, %107) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32>
    %114 = "stablehlo.gather"(%arg35, %113) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<7xi32>, tensor<7x1xi32>) -> tensor<7xi32>
    %115 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<7xi1>
    %116 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 7>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<7xi32>) -> tensor<6xi32>
    %117 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 6>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<7xi32>) -> tensor<6xi32>
    %118 = "stablehlo.compare"(%116, %117) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %119 = "stablehlo.reduce"(%118, %100) <{dimensions = array<i64>}> ({
    ^bb0(%arg38: tensor<i1>, %arg39: tensor<i1>):
      %122 = "stablehlo.or"(%arg38, %arg39) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%122) : (tensor<i1>) -> ()
    }) : (tensor<6xi1>, tensor<i1>) -> tensor<6xi1>
    %120 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %121 = "stablehlo.scatter"(%115, %120, %119) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg36: tensor<i1>, %arg37: tensor<i1>):
      "stablehlo.return"(%arg37) : (tensor<i1>) -> ()
    }) : (tensor<7xi1>, tensor<1xi32>, tensor<6xi1>) -> tensor<7xi1>
    "func.return"(%114, %121, %107) : (tensor<7xi32>, tensor<7xi1>, tensor<7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x7xi32>) -> tensor<7xi32>, res_attrs = [{}], sym_name = "lexsort", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<1x7xi32>):
    %94 = "stablehlo.slice"(%arg30) <{limit_indices = array<i64: 1, 7>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<1x7xi32>) -> tensor<1x7xi32>
    %95 = "stablehlo.reshape"(%94) : (tensor<1x7xi32>) -> tensor<7xi32>
    %96 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<7xi32>
    %97:2 = "stablehlo.sort"(%95, %96) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg31: tensor<i32>, %arg32: tensor<i32>, %arg33: tensor<i32>, %arg34: tensor<i32>):
      %98 = "stablehlo.compare"(%arg31, %arg32) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%98) : (tensor<i1>) -> ()
    }) : (tensor<7xi32>, tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>)
    "func.return"(%97#1) : (tensor<7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<7xi1>) -> tensor<7xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg29: tensor<7xi1>):
    %92 = "stablehlo.convert"(%arg29) : (tensor<7xi1>) -> tensor<7xi32>
    %93 = "func.call"(%92) <{callee = @cumsum_0}> : (tensor<7xi32>) -> tensor<7xi32>
    "func.return"(%93) : (tensor<7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<7xi32>) -> tensor<7xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg26: tensor<7xi32>):
    %88 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %90 = "stablehlo.reduce_window"(%arg26, %89) <{padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 7>}> ({
    ^bb0(%arg27: tensor<i32>, %arg28: tensor<i32>):
      %91 = "stablehlo.add"(%arg27, %arg28) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%91) : (tensor<i32>) -> ()
    }) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    "func.return"(%90) : (tensor<7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg24: tensor<7xi32>, %arg25: tensor<i32>):
    %85 = "stablehlo.convert"(%arg25) : (tensor<i32>) -> tensor<i32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %87 = "stablehlo.maximum"(%86, %arg24) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    "func.return"(%87) : (tensor<7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<5xi32>) -> tensor<5xi32>, res_attrs = [{}], sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<5xi32>):
    %84 = "func.call"(%arg23) <{callee = @cumsum_2}> : (tensor<5xi32>) -> tensor<5xi32>
    "func.return"(%84) : (tensor<5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5xi32>) -> tensor<5xi32>, sym_name = "cumsum_2", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<5xi32>):
    %80 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %82 = "stablehlo.reduce_window"(%arg20, %81) <{padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>}> ({
    ^bb0(%arg21: tensor<i32>, %arg22: tensor<i32>):
      %83 = "stablehlo.add"(%arg21, %arg22) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%83) : (tensor<i32>) -> ()
    }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    "func.return"(%82) : (tensor<5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<5xi32>, %arg19: tensor<i32>):
    %64 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %65 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %66 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %67 = "stablehlo.divide"(%arg18, %66) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %68 = "stablehlo.sign"(%arg18) : (tensor<5xi32>) -> tensor<5xi32>
    %69 = "stablehlo.sign"(%arg19) : (tensor<i32>) -> tensor<i32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %71 = "stablehlo.compare"(%68, %70) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %72 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %73 = "stablehlo.remainder"(%arg18, %72) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %74 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %75 = "stablehlo.compare"(%73, %74) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %76 = "stablehlo.and"(%71, %75) : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
    %77 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %78 = "stablehlo.subtract"(%67, %77) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %79 = "func.call"(%76, %78, %67) <{callee = @_where}> : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    "func.return"(%79) : (tensor<5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<5xi1>, %arg16: tensor<5xi32>, %arg17: tensor<5xi32>):
    %63 = "stablehlo.select"(%arg15, %arg16, %arg17) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    "func.return"(%63) : (tensor<5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<5xi32>, %arg14: tensor<i32>):
    %45 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %47 = "stablehlo.convert"(%arg14) : (tensor<i32>) -> tensor<i32>
    %48 = "stablehlo.compare"(%47, %46) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %49 = "func.call"(%48, %45, %47) <{callee = @_where_3}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %51 = "stablehlo.remainder"(%arg13, %50) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %52 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %53 = "stablehlo.compare"(%51, %52) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %54 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %55 = "stablehlo.compare"(%51, %54) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %56 = "stablehlo.compare"(%49, %46) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<5xi1>
    %58 = "stablehlo.compare"(%55, %57) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
    %59 = "stablehlo.and"(%58, %53) : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
    %60 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %61 = "stablehlo.add"(%51, %60) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %62 = "stablehlo.select"(%59, %61, %51) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    "func.return"(%62) : (tensor<5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where_3", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<i1>, %arg11: tensor<i32>, %arg12: tensor<i32>):
    %44 = "stablehlo.select"(%arg10, %arg11, %arg12) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%44) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x5xf32>) -> tensor<f32>, res_attrs = [{}], sym_name = "median", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<4x5xf32>):
    %42 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %43 = "func.call"(%arg9, %42) <{callee = @quantile}> : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%43) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>, res_attrs = [{}], sym_name = "quantile", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4x5xf32>, %arg4: tensor<f32>):
    %4 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.constant"() <{value = dense<2.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %10 = "stablehlo.reshape"(%arg3) : (tensor<4x5xf32>) -> tensor<20xf32>
    %11 = "stablehlo.compare"(%10, %10) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xi1>
    %12 = "stablehlo.reduce"(%11, %9) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg7: tensor<i1>, %arg8: tensor<i1>):
      %41 = "stablehlo.or"(%arg7, %arg8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%41) : (tensor<i1>) -> ()
    }) : (tensor<20xi1>, tensor<i1>) -> tensor<i1>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1xi1>
    %14 = "func.call"(%13, %8, %10) <{callee = @_where_4}> : (tensor<1xi1>, tensor<f32>, tensor<20xf32>) -> tensor<20xf32>
    %15 = "stablehlo.sort"(%14) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %32 = "stablehlo.compare"(%arg5, %7) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %33 = "stablehlo.select"(%32, %7, %arg5) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %34 = "stablehlo.compare"(%arg5, %arg5) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %35 = "stablehlo.select"(%34, %8, %33) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %36 = "stablehlo.compare"(%arg6, %7) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %37 = "stablehlo.select"(%36, %7, %arg6) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %38 = "stablehlo.compare"(%arg6, %arg6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %39 = "stablehlo.select"(%38, %8, %37) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %40 = "stablehlo.compare"(%35, %39) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%40) : (tensor<i1>) -> ()
    }) : (tensor<20xf32>) -> tensor<20xf32>
    %16 = "stablehlo.subtract"(%6, %5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.multiply"(%arg4, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.floor"(%17) : (tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.ceil"(%17) : (tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.subtract"(%6, %5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.clamp"(%7, %18, %20) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.subtract"(%6, %5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.clamp"(%7, %19, %22) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.convert"(%21) : (tensor<f32>) -> tensor<i32>
    %25 = "stablehlo.convert"(%23) : (tensor<f32>) -> tensor<i32>
    %26 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %27 = "stablehlo.gather"(%15, %26) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1>}> : (tensor<20xf32>, tensor<1xi32>) -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %29 = "stablehlo.gather"(%15, %28) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1>}> : (tensor<20xf32>, tensor<1xi32>) -> tensor<f32>
    %30 = "stablehlo.add"(%27, %29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.multiply"(%30, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%31) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1xi1>, tensor<f32>, tensor<20xf32>) -> tensor<20xf32>, res_attrs = [{}], sym_name = "_where_4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1xi1>, %arg1: tensor<f32>, %arg2: tensor<20xf32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi1>) -> tensor<20xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<20xf32>
    %3 = "stablehlo.select"(%1, %2, %arg2) : (tensor<20xi1>, tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
    "func.return"(%3) : (tensor<20xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
