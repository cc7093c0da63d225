"builtin.module"() <{sym_name = "jit_decompositions"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4x4xf32>, tensor<5x3xf32>) -> (tensor<2x4xf32>, tensor<i1>, tensor<i1>, tensor<3xf32>, tensor<i1>, tensor<i1>, tensor<3xf32>, tensor<3xf32>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xi32>, tensor<5x3xf32>, tensor<i1>, tensor<2x4x4xf32>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[0][2]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}, {jax.result_info = "result[1][3]"}, {jax.result_info = "result[2][0]"}, {jax.result_info = "result[2][1]"}, {jax.result_info = "result[3][0]"}, {jax.result_info = "result[3][1]"}, {jax.result_info = "result[3][2]"}, {jax.result_info = "result[3][3]"}, {jax.result_info = "result[3][4]"}, {jax.result_info = "result[3][5]"}, {jax.result_info = "result[3][6]"}, {jax.result_info = "result[3][7]"}, {jax.result_info = "result[3][8]"}, {jax.result_info = "result[3][9]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg21: tensor<2x4x4xf32>, %arg22: tensor<5x3xf32>):
    %89 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %92 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %93 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.transpose"(%arg21) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %96 = "stablehlo.add"(%arg21, %95) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %97:2 = "func.call"(%96) <{callee = @eigh}> : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>)
    %98:3 = "func.call"(%arg22) <{callee = @svd}> : (tensor<5x3xf32>) -> (tensor<5x5xf32>, tensor<3xf32>, tensor<3x3xf32>)
    %99 = "stablehlo.transpose"(%arg22) <{permutation = array<i64: 1, 0>}> : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %100:3 = "func.call"(%99) <{callee = @svd_0}> : (tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3x5xf32>)
    %101 = "stablehlo.slice"(%arg21) <{limit_indices = array<i64: 1, 4, 4>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x4x4xf32>) -> tensor<1x4x4xf32>
    %102 = "stablehlo.reshape"(%101) : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %103:2 = "func.call"(%102) <{callee = @_schur}> : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
    %104 = "func.call"(%arg21) <{callee = @hessenberg}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %105:4 = "stablehlo.custom_call"(%96) <{api_version = 2 : i32, backend_config = "{\22lower\22: true}", call_target_name = "lawson.tridiagonal"}> : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
    %106:3 = "func.call"(%arg22) <{callee = @_qr}> : (tensor<5x3xf32>) -> (tensor<5x5xf32>, tensor<5x3xf32>, tensor<3xi32>)
    %107 = "stablehlo.dot_general"(%96, %97#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %108 = "stablehlo.broadcast_in_dim"(%97#0) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x4xf32>) -> tensor<2x4x4xf32>
    %110 = "stablehlo.multiply"(%97#1, %109) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %111 = "stablehlo.subtract"(%107, %110) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %112 = "stablehlo.abs"(%111) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %113 = "stablehlo.reduce"(%112, %94) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %197 = "stablehlo.maximum"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%197) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<f32>
    %114 = "stablehlo.compare"(%113, %93) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %115 = "stablehlo.transpose"(%97#1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %116 = "stablehlo.dot_general"(%115, %97#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %117 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %118 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %119 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %120 = "stablehlo.add"(%117, %119) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %121 = "stablehlo.compare"(%120, %118) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %122 = "stablehlo.convert"(%121) : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %123 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x4xf32>) -> tensor<2x4x4xf32>
    %125 = "stablehlo.subtract"(%116, %124) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %126 = "stablehlo.abs"(%125) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %127 = "stablehlo.reduce"(%126, %94) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %196 = "stablehlo.maximum"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%196) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<f32>
    %128 = "stablehlo.compare"(%127, %93) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %129 = "stablehlo.slice"(%98#0) <{limit_indices = array<i64: 5, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<5x5xf32>) -> tensor<5x3xf32>
    %130 = "stablehlo.broadcast_in_dim"(%98#1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<1x3xf32>
    %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xf32>) -> tensor<5x3xf32>
    %132 = "stablehlo.multiply"(%129, %131) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %133 = "stablehlo.dot_general"(%132, %98#2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %134 = "stablehlo.subtract"(%133, %arg22) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %135 = "stablehlo.abs"(%134) : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %136 = "stablehlo.reduce"(%135, %94) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %195 = "stablehlo.maximum"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%195) : (tensor<f32>) -> ()
    }) : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
    %137 = "stablehlo.compare"(%136, %93) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %138 = "stablehlo.transpose"(%98#0) <{permutation = array<i64: 1, 0>}> : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %139 = "stablehlo.dot_general"(%138, %98#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    %140 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x5xi32>
    %141 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x5xi32>
    %142 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5x5xi32>
    %143 = "stablehlo.add"(%140, %142) : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi32>
    %144 = "stablehlo.compare"(%143, %141) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %145 = "stablehlo.convert"(%144) : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %146 = "stablehlo.subtract"(%139, %145) : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    %147 = "stablehlo.abs"(%146) : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %148 = "stablehlo.reduce"(%147, %94) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %194 = "stablehlo.maximum"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%194) : (tensor<f32>) -> ()
    }) : (tensor<5x5xf32>, tensor<f32>) -> tensor<f32>
    %149 = "stablehlo.compare"(%148, %93) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %150 = "func.call"(%arg22) <{callee = @svd_1}> : (tensor<5x3xf32>) -> tensor<3xf32>
    %151 = "stablehlo.broadcast_in_dim"(%100#1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<1x3xf32>
    %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %153 = "stablehlo.multiply"(%100#0, %152) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %154 = "stablehlo.dot_general"(%153, %100#2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<3x3xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %155 = "stablehlo.transpose"(%arg22) <{permutation = array<i64: 1, 0>}> : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %156 = "stablehlo.subtract"(%154, %155) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %157 = "stablehlo.abs"(%156) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %158 = "stablehlo.reduce"(%157, %94) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %193 = "stablehlo.maximum"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%193) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<f32>
    %159 = "stablehlo.compare"(%158, %93) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %160 = "stablehlo.dot_general"(%103#1, %103#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %161 = "stablehlo.transpose"(%103#1) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %162 = "stablehlo.dot_general"(%160, %161) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %163 = "stablehlo.slice"(%arg21) <{limit_indices = array<i64: 1, 4, 4>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x4x4xf32>) -> tensor<1x4x4xf32>
    %164 = "stablehlo.reshape"(%163) : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %165 = "stablehlo.subtract"(%162, %164) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %166 = "stablehlo.abs"(%165) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %167 = "stablehlo.reduce"(%166, %94) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %192 = "stablehlo.maximum"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%192) : (tensor<f32>) -> ()
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %168 = "stablehlo.compare"(%167, %93) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %169 = "func.call"(%103#0) <{callee = @tril}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %170 = "stablehlo.abs"(%169) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %171 = "stablehlo.reduce"(%170, %94) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %191 = "stablehlo.maximum"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%191) : (tensor<f32>) -> ()
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %172 = "stablehlo.compare"(%171, %93) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %173 = "stablehlo.dot_general"(%106#0, %106#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<5x5xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %174 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %175 = "stablehlo.compare"(%106#2, %174) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %176 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %177 = "stablehlo.add"(%106#2, %176) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %178 = "stablehlo.select"(%175, %177, %106#2) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %179 = "stablehlo.broadcast_in_dim"(%178) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %180 = "stablehlo.gather"(%arg22, %179) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 5, 1>}> : (tensor<5x3xf32>, tensor<3x1xi32>) -> tensor<5x3xf32>
    %181 = "stablehlo.subtract"(%173, %180) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %182 = "stablehlo.abs"(%181) : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %183 = "stablehlo.reduce"(%182, %94) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %190 = "stablehlo.maximum"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%190) : (tensor<f32>) -> ()
    }) : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
    %184 = "stablehlo.compare"(%183, %93) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %185:4 = "func.call"(%96) <{callee = @eigvalsh}> : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>)
    %186 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x1xf32>
    %188 = "stablehlo.pad"(%187, %90) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 0, 3>, interior_padding = array<i64: 0, 0>}> : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x4xf32>
    %189 = "func.call"(%185#1, %185#2, %185#3, %188) <{callee = @eigvalsh_3}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    "func.return"(%97#0, %114, %128, %98#1, %137, %149, %150, %100#1, %159, %168, %172, %104, %105#0, %105#1, %105#2, %105#3, %106#2, %106#1, %184, %189) : (tensor<2x4xf32>, tensor<i1>, tensor<i1>, tensor<3xf32>, tensor<i1>, tensor<i1>, tensor<3xf32>, tensor<3xf32>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xi32>, tensor<5x3xf32>, tensor<i1>, tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>), res_attrs = [{}, {}], sym_name = "eigh", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<2x4x4xf32>):
    %83 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.transpose"(%arg20) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %85 = "stablehlo.add"(%arg20, %84) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %86 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x4xf32>
    %87 = "stablehlo.divide"(%85, %86) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %88:2 = "stablehlo.custom_call"(%87) <{api_version = 2 : i32, backend_config = "{\22lower\22: true}", call_target_name = "lawson.eigh"}> : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>)
    "func.return"(%88#1, %88#0) : (tensor<2x4xf32>, tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<5x3xf32>) -> (tensor<5x5xf32>, tensor<3xf32>, tensor<3x3xf32>), res_attrs = [{}, {}, {}], sym_name = "svd", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<5x3xf32>):
    %82:3 = "stablehlo.custom_call"(%arg19) <{api_version = 2 : i32, backend_config = "{\22compute_uv\22: true, \22full_matrices\22: true}", call_target_name = "lawson.svd"}> : (tensor<5x3xf32>) -> (tensor<3xf32>, tensor<5x5xf32>, tensor<3x3xf32>)
    "func.return"(%82#1, %82#0, %82#2) : (tensor<5x5xf32>, tensor<3xf32>, tensor<3x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3x5xf32>), res_attrs = [{}, {}, {}], sym_name = "svd_0", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<3x5xf32>):
    %81:3 = "stablehlo.custom_call"(%arg18) <{api_version = 2 : i32, backend_config = "{\22compute_uv\22: true, \22full_matrices\22: false}", call_target_name = "lawson.svd"}> : (tensor<3x5xf32>) -> (tensor<3xf32>, tensor<3x3xf32>, tensor<3x5xf32>)
    "func.return"(%81#1, %81#0, %81#2) : (tensor<3x3xf32>, tensor<3xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>), res_attrs = [{}, {}], sym_name = "_schur", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<4x4xf32>):
    %80:2 = "stablehlo.custom_call"(%arg17) <{api_version = 2 : i32, backend_config = "{\22vectors\22: true}", call_target_name = "lawson.schur"}> : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
    "func.return"(%80#0, %80#1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>, res_attrs = [{}], sym_name = "hessenberg", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<2x4x4xf32>):
    %78:2 = "stablehlo.custom_call"(%arg16) <{api_version = 2 : i32, backend_config = "{}", call_target_name = "lawson.hessenberg"}> : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x3xf32>)
    %79 = "func.call"(%78#0) <{callee = @triu}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    "func.return"(%79) : (tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>, res_attrs = [{}], sym_name = "triu", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<2x4x4xf32>):
    %68 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.constant"() <{value = dense<-2> : tensor<i32>}> : () -> tensor<i32>
    %70 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %71 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %72 = "stablehlo.add"(%70, %71) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %73 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %74 = "stablehlo.compare"(%72, %73) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %76 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x4xf32>
    %77 = "stablehlo.select"(%75, %76, %arg15) : (tensor<2x4x4xi1>, tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    "func.return"(%77) : (tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<5x3xf32>) -> (tensor<5x5xf32>, tensor<5x3xf32>, tensor<3xi32>), res_attrs = [{}, {}, {}], sym_name = "_qr", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<5x3xf32>):
    %51 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %56:3 = "stablehlo.custom_call"(%arg14, %55) <{api_version = 2 : i32, backend_config = "{}", call_target_name = "lawson.geqp3"}> : (tensor<5x3xf32>, tensor<3xi32>) -> (tensor<5x3xf32>, tensor<3xi32>, tensor<3xf32>)
    %57 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %58 = "stablehlo.subtract"(%56#1, %57) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %59 = "stablehlo.pad"(%56#0, %52) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<5x3xf32>, tensor<f32>) -> tensor<5x5xf32>
    %60 = "stablehlo.custom_call"(%59, %56#2) <{call_target_name = "ProductOfElementaryHouseholderReflectors"}> : (tensor<5x5xf32>, tensor<3xf32>) -> tensor<5x5xf32>
    %61 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x3xi32>
    %62 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5x3xi32>
    %63 = "stablehlo.add"(%61, %62) : (tensor<5x3xi32>, tensor<5x3xi32>) -> tensor<5x3xi32>
    %64 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x3xi32>
    %65 = "stablehlo.compare"(%63, %64) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<5x3xi32>, tensor<5x3xi32>) -> tensor<5x3xi1>
    %66 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x3xf32>
    %67 = "stablehlo.select"(%65, %66, %56#0) : (tensor<5x3xi1>, tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    "func.return"(%60, %67, %58) : (tensor<5x5xf32>, tensor<5x3xf32>, tensor<3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<5x3xf32>) -> tensor<3xf32>, res_attrs = [{}], sym_name = "svd_1", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<5x3xf32>):
    %50 = "stablehlo.custom_call"(%arg13) <{api_version = 2 : i32, backend_config = "{\22compute_uv\22: false, \22full_matrices\22: true}", call_target_name = "lawson.svd"}> : (tensor<5x3xf32>) -> tensor<3xf32>
    "func.return"(%50) : (tensor<3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<4x4xf32>):
    %41 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.constant"() <{value = dense<-2> : tensor<i32>}> : () -> tensor<i32>
    %43 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %44 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %45 = "stablehlo.add"(%43, %44) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %46 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %47 = "stablehlo.compare"(%45, %46) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %48 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %49 = "stablehlo.select"(%47, %arg12, %48) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%49) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>), res_attrs = [{}, {}, {}, {}], sym_name = "eigvalsh", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<2x4x4xf32>):
    %40:4 = "func.call"(%arg11) <{callee = @eigh_2}> : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>)
    "func.return"(%40#0, %40#2, %40#1, %40#3) : (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>), res_attrs = [{}, {}, {}, {}], sym_name = "eigh_2", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<2x4x4xf32>):
    %13 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.transpose"(%arg10) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %17 = "stablehlo.add"(%arg10, %16) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %18 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x4xf32>
    %19 = "stablehlo.divide"(%17, %18) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %20 = "stablehlo.transpose"(%19) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %21 = "stablehlo.add"(%19, %20) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %22 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x4xf32>
    %23 = "stablehlo.divide"(%21, %22) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %24:2 = "stablehlo.custom_call"(%23) <{api_version = 2 : i32, backend_config = "{\22lower\22: true}", call_target_name = "lawson.eigh"}> : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>)
    %25 = "stablehlo.transpose"(%24#0) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %26 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %27 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %28 = "stablehlo.compare"(%26, %27) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %29 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %30 = "stablehlo.add"(%26, %29) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %31 = "stablehlo.select"(%28, %30, %26) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %32 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %33 = "stablehlo.compare"(%26, %32) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %34 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %35 = "stablehlo.add"(%26, %34) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %36 = "stablehlo.select"(%33, %35, %26) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %37 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %39 = "stablehlo.concatenate"(%37, %38) <{dimension = 1 : i64}> : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    "func.return"(%24#1, %24#0, %25, %39) : (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>, res_attrs = [{}], sym_name = "eigvalsh_3", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x4x4xf32>, %arg7: tensor<2x4x4xf32>, %arg8: tensor<4x2xi32>, %arg9: tensor<2x4xf32>):
    %12 = "func.call"(%arg6, %arg7, %arg8, %arg9) <{callee = @eigh_4}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    "func.return"(%12) : (tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>, res_attrs = [{}], sym_name = "eigh_4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>, %arg2: tensor<4x2xi32>, %arg3: tensor<2x4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x4xf32>
    %3 = "stablehlo.scatter"(%2, %arg2, %arg3) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %11 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<4x2xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    %4 = "stablehlo.dot_general"(%3, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %5 = "stablehlo.dot_general"(%4, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %6 = "stablehlo.transpose"(%5) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x4xf32>
    %8 = "stablehlo.divide"(%6, %7) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %9 = "stablehlo.transpose"(%8) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %10 = "stablehlo.add"(%8, %9) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    "func.return"(%10) : (tensor<2x4x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
