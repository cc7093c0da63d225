"builtin.module"() <{sym_name = "jit_factors"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5x3xf32>, tensor<2x4x4xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x5xf32>, tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>, tensor<2xf32>, tensor<2xf32>), res_attrs = [{jax.result_info = "result[0].Q"}, {jax.result_info = "result[0].R"}, {jax.result_info = "result[1].Q"}, {jax.result_info = "result[1].R"}, {jax.result_info = "result[2][0]"}, {jax.result_info = "result[2][1]"}, {jax.result_info = "result[2][2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4].sign"}, {jax.result_info = "result[4].logabsdet"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg74: tensor<5x3xf32>, %arg75: tensor<2x4x4xf32>):
    %396 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %397 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %398 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %399 = "stablehlo.constant"() <{value = dense<> : tensor<0xi32>}> : () -> tensor<0xi32>
    %400:2 = "func.call"(%arg74) <{callee = @qr}> : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>)
    %401 = "stablehlo.transpose"(%arg74) <{permutation = array<i64: 1, 0>}> : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %402:2 = "func.call"(%401) <{callee = @qr_0}> : (tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x5xf32>)
    %403 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %404 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %405 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %406 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %407 = "stablehlo.broadcast_in_dim"(%405) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %408 = "stablehlo.broadcast_in_dim"(%406) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %409:5 = "stablehlo.while"(%398, %398, %407, %408, %arg75) ({
    ^bb0(%arg89: tensor<i32>, %arg90: tensor<i32>, %arg91: tensor<2x4xi32>, %arg92: tensor<2x4xi32>, %arg93: tensor<2x4x4xf32>):
      %440 = "stablehlo.compare"(%arg89, %397) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%440) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg84: tensor<i32>, %arg85: tensor<i32>, %arg86: tensor<2x4xi32>, %arg87: tensor<2x4xi32>, %arg88: tensor<2x4x4xf32>):
      %438:4 = "func.call"(%arg85, %arg86, %arg87, %arg88) <{callee = @closed_call}> : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
      %439 = "stablehlo.add"(%arg84, %396) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%439, %438#0, %438#1, %438#2, %438#3) : (tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
    %410 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %411 = "stablehlo.add"(%409#2, %410) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %412 = "stablehlo.broadcast_in_dim"(%403) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %413 = "stablehlo.scatter"(%412, %399, %411) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg82: tensor<i32>, %arg83: tensor<i32>):
      "stablehlo.return"(%arg83) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %414 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %415 = "stablehlo.add"(%409#3, %414) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %416 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %417 = "stablehlo.compare"(%415, %416) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %418 = "stablehlo.broadcast_in_dim"(%397) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %419 = "stablehlo.add"(%415, %418) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %420 = "stablehlo.select"(%417, %419, %415) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %421 = "stablehlo.broadcast_in_dim"(%420) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %422 = "stablehlo.gather"(%404, %421) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<2x4x1xi32>) -> tensor<2x4xi32>
    %423 = "stablehlo.broadcast_in_dim"(%404) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %424 = "stablehlo.scatter"(%423, %399, %422) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg80: tensor<i32>, %arg81: tensor<i32>):
      "stablehlo.return"(%arg81) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %425 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %426 = "stablehlo.add"(%409#3, %425) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %427 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %428 = "stablehlo.compare"(%426, %427) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %429 = "stablehlo.broadcast_in_dim"(%397) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %430 = "stablehlo.add"(%426, %429) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %431 = "stablehlo.select"(%428, %430, %426) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %432 = "stablehlo.broadcast_in_dim"(%431) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %433 = "stablehlo.gather"(%arg75, %432) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
    %434 = "stablehlo.scatter"(%arg75, %399, %433) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg78: tensor<f32>, %arg79: tensor<f32>):
      "stablehlo.return"(%arg79) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %435 = "stablehlo.scatter"(%434, %399, %409#4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg76: tensor<f32>, %arg77: tensor<f32>):
      "stablehlo.return"(%arg77) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %436 = "func.call"(%arg75) <{callee = @inv}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %437:2 = "func.call"(%arg75) <{callee = @slogdet}> : (tensor<2x4x4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    "func.return"(%400#0, %400#1, %402#0, %402#1, %435, %413, %424, %436, %437#0, %437#1) : (tensor<5x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x5xf32>, tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>, tensor<2xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>), res_attrs = [{}, {}], sym_name = "qr", sym_visibility = "private"}> ({
  ^bb0(%arg73: tensor<5x3xf32>):
    %384 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %385 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %386:2 = "stablehlo.custom_call"(%arg73) <{call_target_name = "Qr"}> : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
    %387 = "stablehlo.custom_call"(%386#0, %386#1) <{call_target_name = "ProductOfElementaryHouseholderReflectors"}> : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %388 = "stablehlo.slice"(%386#0) <{limit_indices = array<i64: 3, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<5x3xf32>) -> tensor<3x3xf32>
    %389 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x3xi32>
    %390 = "stablehlo.broadcast_in_dim"(%385) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x3xi32>
    %391 = "stablehlo.add"(%389, %390) : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi32>
    %392 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x3xi32>
    %393 = "stablehlo.compare"(%391, %392) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %394 = "stablehlo.broadcast_in_dim"(%384) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %395 = "stablehlo.select"(%393, %394, %388) : (tensor<3x3xi1>, tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    "func.return"(%387, %395) : (tensor<5x3xf32>, tensor<3x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x5xf32>), res_attrs = [{}, {}], sym_name = "qr_0", sym_visibility = "private"}> ({
  ^bb0(%arg72: tensor<3x5xf32>):
    %372 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %373 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %374:2 = "stablehlo.custom_call"(%arg72) <{call_target_name = "Qr"}> : (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)
    %375 = "stablehlo.slice"(%374#0) <{limit_indices = array<i64: 3, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<3x3xf32>
    %376 = "stablehlo.custom_call"(%375, %374#1) <{call_target_name = "ProductOfElementaryHouseholderReflectors"}> : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %377 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x5xi32>
    %378 = "stablehlo.broadcast_in_dim"(%373) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x5xi32>
    %379 = "stablehlo.add"(%377, %378) : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi32>
    %380 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x5xi32>
    %381 = "stablehlo.compare"(%379, %380) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi1>
    %382 = "stablehlo.broadcast_in_dim"(%372) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %383 = "stablehlo.select"(%381, %382, %374#0) : (tensor<3x5xi1>, tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%376, %383) : (tensor<3x3xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>), res_attrs = [{}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg60: tensor<i32>, %arg61: tensor<2x4xi32>, %arg62: tensor<2x4xi32>, %arg63: tensor<2x4x4xf32>):
    %187 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %188 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %189 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %190 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %191 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %192 = "stablehlo.add"(%arg60, %191) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %193 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %194 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %195 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %196 = "stablehlo.compare"(%190, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %197 = "stablehlo.add"(%190, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %198 = "stablehlo.select"(%196, %197, %190) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %199 = "stablehlo.compare"(%195, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %200 = "stablehlo.add"(%195, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %201 = "stablehlo.select"(%199, %200, %195) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %202 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %203 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %204 = "stablehlo.concatenate"(%202, %203) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %205 = "stablehlo.gather"(%arg63, %204) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %206 = "stablehlo.reshape"(%205) : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %207 = "stablehlo.abs"(%206) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %208 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %209 = "stablehlo.broadcast_in_dim"(%208) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %210 = "stablehlo.compare"(%193, %209) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %211 = "stablehlo.broadcast_in_dim"(%188) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %212 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi1>) -> tensor<2x4xi1>
    %213 = "stablehlo.broadcast_in_dim"(%211) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2x4xf32>
    %214 = "stablehlo.select"(%212, %207, %213) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %215 = "func.call"(%214) <{callee = @argmax}> : (tensor<2x4xf32>) -> tensor<2xi32>
    %216 = "stablehlo.compare"(%arg60, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %217 = "stablehlo.add"(%arg60, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %218 = "stablehlo.select"(%216, %217, %arg60) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %219 = "stablehlo.convert"(%218) : (tensor<i32>) -> tensor<i32>
    %220 = "stablehlo.broadcast_in_dim"(%219) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %221 = "stablehlo.scatter"(%arg61, %220, %215) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg70: tensor<i32>, %arg71: tensor<i32>):
      "stablehlo.return"(%arg71) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    %222 = "stablehlo.broadcast_in_dim"(%215) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %223 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %225 = "stablehlo.broadcast_in_dim"(%224) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<2x1xi32>
    %226 = "stablehlo.concatenate"(%222, %225) <{dimension = 1 : i64}> : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %227 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
    %228 = "stablehlo.compare"(%226, %227) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %229 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
    %230 = "stablehlo.add"(%226, %229) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %231 = "stablehlo.select"(%228, %230, %226) : (tensor<2x2xi1>, tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %232 = "stablehlo.broadcast_in_dim"(%231) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %233 = "stablehlo.gather"(%arg63, %232) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x2x1xi32>) -> tensor<2x2x4xf32>
    %234 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %235 = "stablehlo.broadcast_in_dim"(%234) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %236 = "stablehlo.broadcast_in_dim"(%215) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %237 = "stablehlo.broadcast_in_dim"(%235) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<2x1xi32>
    %238 = "stablehlo.concatenate"(%237, %236) <{dimension = 1 : i64}> : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %239 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
    %240 = "stablehlo.compare"(%238, %239) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %241 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
    %242 = "stablehlo.add"(%238, %241) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %243 = "stablehlo.select"(%240, %242, %238) : (tensor<2x2xi1>, tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %244 = "stablehlo.broadcast_in_dim"(%243) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %245 = "stablehlo.scatter"(%arg63, %244, %233) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%arg68: tensor<f32>, %arg69: tensor<f32>):
      "stablehlo.return"(%arg69) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<2x2x1xi32>, tensor<2x2x4xf32>) -> tensor<2x4x4xf32>
    %246 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %247 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %248 = "stablehlo.broadcast_in_dim"(%215) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %249 = "stablehlo.broadcast_in_dim"(%247) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<2x1xi32>
    %250 = "stablehlo.concatenate"(%249, %248) <{dimension = 1 : i64}> : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %251 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
    %252 = "stablehlo.compare"(%250, %251) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %253 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
    %254 = "stablehlo.add"(%250, %253) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %255 = "stablehlo.select"(%252, %254, %250) : (tensor<2x2xi1>, tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %256 = "stablehlo.broadcast_in_dim"(%255) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %257 = "stablehlo.gather"(%arg62, %256) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xi32>, tensor<2x2x1xi32>) -> tensor<2x2xi32>
    %258 = "stablehlo.broadcast_in_dim"(%215) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %259 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %260 = "stablehlo.broadcast_in_dim"(%259) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %261 = "stablehlo.broadcast_in_dim"(%260) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<2x1xi32>
    %262 = "stablehlo.concatenate"(%258, %261) <{dimension = 1 : i64}> : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %263 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
    %264 = "stablehlo.compare"(%262, %263) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %265 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
    %266 = "stablehlo.add"(%262, %265) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %267 = "stablehlo.select"(%264, %266, %262) : (tensor<2x2xi1>, tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %268 = "stablehlo.broadcast_in_dim"(%267) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %269 = "stablehlo.scatter"(%arg62, %268, %257) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%arg66: tensor<i32>, %arg67: tensor<i32>):
      "stablehlo.return"(%arg67) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>, tensor<2x2x1xi32>, tensor<2x2xi32>) -> tensor<2x4xi32>
    %270 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %271 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %272 = "stablehlo.compare"(%270, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %273 = "stablehlo.add"(%270, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %274 = "stablehlo.select"(%272, %273, %270) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %275 = "stablehlo.compare"(%271, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %276 = "stablehlo.add"(%271, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %277 = "stablehlo.select"(%275, %276, %271) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %278 = "stablehlo.broadcast_in_dim"(%274) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %279 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %280 = "stablehlo.concatenate"(%278, %279) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %281 = "stablehlo.gather"(%245, %280) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
    %282 = "stablehlo.reshape"(%281) : (tensor<2x1x1xf32>) -> tensor<2xf32>
    %283 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %284 = "stablehlo.broadcast_in_dim"(%283) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %285 = "stablehlo.compare"(%193, %284) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %286 = "stablehlo.broadcast_in_dim"(%187) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %287 = "stablehlo.compare"(%282, %286) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %288 = "stablehlo.broadcast_in_dim"(%285) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi1>) -> tensor<1x4xi1>
    %289 = "stablehlo.broadcast_in_dim"(%287) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi1>) -> tensor<2x1xi1>
    %290 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xi1>) -> tensor<2x4xi1>
    %291 = "stablehlo.broadcast_in_dim"(%289) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %292 = "stablehlo.and"(%290, %291) : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %293 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %294 = "stablehlo.compare"(%190, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %295 = "stablehlo.add"(%190, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %296 = "stablehlo.select"(%294, %295, %190) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %297 = "stablehlo.compare"(%293, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %298 = "stablehlo.add"(%293, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %299 = "stablehlo.select"(%297, %298, %293) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %300 = "stablehlo.broadcast_in_dim"(%296) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %301 = "stablehlo.broadcast_in_dim"(%299) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %302 = "stablehlo.concatenate"(%300, %301) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %303 = "stablehlo.gather"(%245, %302) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %304 = "stablehlo.reshape"(%303) : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %305 = "stablehlo.broadcast_in_dim"(%282) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x1xf32>
    %306 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %307 = "stablehlo.divide"(%304, %306) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %308 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %309 = "stablehlo.compare"(%190, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %310 = "stablehlo.add"(%190, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %311 = "stablehlo.select"(%309, %310, %190) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %312 = "stablehlo.compare"(%308, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %313 = "stablehlo.add"(%308, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %314 = "stablehlo.select"(%312, %313, %308) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %315 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %316 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %317 = "stablehlo.concatenate"(%315, %316) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %318 = "stablehlo.gather"(%245, %317) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %319 = "stablehlo.reshape"(%318) : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %320 = "stablehlo.select"(%292, %307, %319) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %321 = "stablehlo.compare"(%arg60, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %322 = "stablehlo.add"(%arg60, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %323 = "stablehlo.select"(%321, %322, %arg60) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %324 = "stablehlo.convert"(%323) : (tensor<i32>) -> tensor<i32>
    %325 = "stablehlo.broadcast_in_dim"(%324) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %326 = "stablehlo.scatter"(%245, %325, %320) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2]>, unique_indices = true}> ({
    ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
      "stablehlo.return"(%arg65) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<1xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    %327 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %328 = "stablehlo.compare"(%190, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %329 = "stablehlo.add"(%190, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %330 = "stablehlo.select"(%328, %329, %190) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %331 = "stablehlo.compare"(%327, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %332 = "stablehlo.add"(%327, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %333 = "stablehlo.select"(%331, %332, %327) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %334 = "stablehlo.broadcast_in_dim"(%330) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %335 = "stablehlo.broadcast_in_dim"(%333) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %336 = "stablehlo.concatenate"(%334, %335) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %337 = "stablehlo.gather"(%326, %336) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %338 = "stablehlo.reshape"(%337) : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %339 = "stablehlo.broadcast_in_dim"(%338) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %340 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %341 = "stablehlo.compare"(%340, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %342 = "stablehlo.add"(%340, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %343 = "stablehlo.select"(%341, %342, %340) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %344 = "stablehlo.compare"(%190, %190) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %345 = "stablehlo.add"(%190, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %346 = "stablehlo.select"(%344, %345, %190) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %347 = "stablehlo.broadcast_in_dim"(%343) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %348 = "stablehlo.broadcast_in_dim"(%346) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %349 = "stablehlo.concatenate"(%347, %348) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %350 = "stablehlo.gather"(%326, %349) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x1x4xf32>
    %351 = "stablehlo.reshape"(%350) : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %352 = "stablehlo.broadcast_in_dim"(%351) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
    %353 = "stablehlo.broadcast_in_dim"(%339) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> tensor<2x4x4xf32>
    %354 = "stablehlo.broadcast_in_dim"(%352) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x4xf32>) -> tensor<2x4x4xf32>
    %355 = "stablehlo.multiply"(%353, %354) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %356 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %357 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %358 = "stablehlo.broadcast_in_dim"(%357) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x1xi32>
    %359 = "stablehlo.compare"(%356, %358) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %360 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
    %361 = "stablehlo.convert"(%arg60) : (tensor<i32>) -> tensor<i32>
    %362 = "stablehlo.broadcast_in_dim"(%361) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %363 = "stablehlo.compare"(%360, %362) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi1>
    %364 = "stablehlo.broadcast_in_dim"(%359) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x1xi1>) -> tensor<4x4xi1>
    %365 = "stablehlo.broadcast_in_dim"(%363) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xi1>) -> tensor<4x4xi1>
    %366 = "stablehlo.and"(%364, %365) : (tensor<4x4xi1>, tensor<4x4xi1>) -> tensor<4x4xi1>
    %367 = "stablehlo.broadcast_in_dim"(%187) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %368 = "stablehlo.broadcast_in_dim"(%366) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %369 = "stablehlo.broadcast_in_dim"(%367) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
    %370 = "stablehlo.select"(%368, %355, %369) : (tensor<2x4x4xi1>, tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %371 = "stablehlo.subtract"(%326, %370) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    "func.return"(%192, %221, %269, %371) : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4xf32>) -> tensor<2xi32>, sym_name = "argmax", sym_visibility = "private"}> ({
  ^bb0(%arg55: tensor<2x4xf32>):
    %174 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %175 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %176 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x4xi32>
    %177:2 = "stablehlo.reduce"(%arg55, %176, %175, %174) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg56: tensor<f32>, %arg57: tensor<i32>, %arg58: tensor<f32>, %arg59: tensor<i32>):
      %178 = "stablehlo.compare"(%arg56, %arg58) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %179 = "stablehlo.compare"(%arg56, %arg56) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %180 = "stablehlo.or"(%178, %179) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %181 = "stablehlo.compare"(%arg56, %arg58) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %182 = "stablehlo.compare"(%arg57, %arg59) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %183 = "stablehlo.and"(%181, %182) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %184 = "stablehlo.or"(%180, %183) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %185 = "stablehlo.select"(%180, %arg56, %arg58) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %186 = "stablehlo.select"(%184, %arg57, %arg59) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%185, %186) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
    "func.return"(%177#1) : (tensor<2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>, res_attrs = [{}], sym_name = "inv", sym_visibility = "private"}> ({
  ^bb0(%arg54: tensor<2x4x4xf32>):
    %165 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %166 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %167 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %168 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %169 = "stablehlo.add"(%166, %168) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %170 = "stablehlo.compare"(%169, %167) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %171 = "stablehlo.convert"(%170) : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %172 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
    %173 = "func.call"(%arg54, %172) <{callee = @solve}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    "func.return"(%173) : (tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>, res_attrs = [{}], sym_name = "solve", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<2x4x4xf32>, %arg37: tensor<2x4x4xf32>):
    %127 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %128 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %129 = "stablehlo.constant"() <{value = dense<> : tensor<0xi32>}> : () -> tensor<0xi32>
    %130 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %131 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %132 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %133 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %134 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %135 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %136:5 = "stablehlo.while"(%130, %130, %134, %135, %arg36) ({
    ^bb0(%arg49: tensor<i32>, %arg50: tensor<i32>, %arg51: tensor<2x4xi32>, %arg52: tensor<2x4xi32>, %arg53: tensor<2x4x4xf32>):
      %164 = "stablehlo.compare"(%arg49, %128) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%164) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg44: tensor<i32>, %arg45: tensor<i32>, %arg46: tensor<2x4xi32>, %arg47: tensor<2x4xi32>, %arg48: tensor<2x4x4xf32>):
      %162:4 = "func.call"(%arg45, %arg46, %arg47, %arg48) <{callee = @closed_call}> : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
      %163 = "stablehlo.add"(%arg44, %127) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%163, %162#0, %162#1, %162#2, %162#3) : (tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
    %137 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %138 = "stablehlo.add"(%136#3, %137) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %139 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %140 = "stablehlo.compare"(%138, %139) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %141 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %142 = "stablehlo.add"(%138, %141) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %143 = "stablehlo.select"(%140, %142, %138) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %145 = "stablehlo.gather"(%131, %144) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<2x4x1xi32>) -> tensor<2x4xi32>
    %146 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %147 = "stablehlo.scatter"(%146, %129, %145) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg42: tensor<i32>, %arg43: tensor<i32>):
      "stablehlo.return"(%arg43) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %148 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %149 = "stablehlo.add"(%136#3, %148) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %150 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %151 = "stablehlo.compare"(%149, %150) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %152 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %153 = "stablehlo.add"(%149, %152) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %154 = "stablehlo.select"(%151, %153, %149) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %155 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %156 = "stablehlo.gather"(%arg36, %155) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
    %157 = "stablehlo.scatter"(%arg36, %129, %156) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      "stablehlo.return"(%arg41) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %158 = "stablehlo.scatter"(%157, %129, %136#4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      "stablehlo.return"(%arg39) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %159 = "stablehlo.transpose"(%arg37) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %160 = "func.call"(%158, %147, %159) <{callee = @_lu_solve}> : (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %161 = "stablehlo.transpose"(%160) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    "func.return"(%161) : (tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>, res_attrs = [{}], sym_name = "_lu_solve", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<2x4x4xf32>, %arg34: tensor<2x4xi32>, %arg35: tensor<2x4x4xf32>):
    %108 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %109 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %110 = "stablehlo.broadcast_in_dim"(%arg35) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x4xf32>) -> tensor<2x4x4x1xf32>
    %111 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %112 = "stablehlo.compare"(%arg34, %111) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %113 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %114 = "stablehlo.add"(%arg34, %113) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %115 = "stablehlo.select"(%112, %114, %arg34) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %117 = "stablehlo.gather"(%110, %116) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4, 1, 1>}> : (tensor<2x4x4x1xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4x1xf32>
    %118 = "stablehlo.transpose"(%117) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x4x4x1xf32>) -> tensor<2x4x1x4xf32>
    %119 = "stablehlo.reshape"(%118) : (tensor<2x4x1x4xf32>) -> tensor<2x4x4xf32>
    %120 = "stablehlo.triangular_solve"(%arg33, %119) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %121 = "stablehlo.reshape"(%120) : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
    %122 = "stablehlo.reshape"(%121) : (tensor<2x4x1x4xf32>) -> tensor<2x4x4xf32>
    %123 = "stablehlo.triangular_solve"(%arg33, %122) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %124 = "stablehlo.reshape"(%123) : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
    %125 = "stablehlo.transpose"(%124) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x1x4xf32>) -> tensor<2x4x4x1xf32>
    %126 = "stablehlo.reshape"(%125) : (tensor<2x4x4x1xf32>) -> tensor<2x4x4xf32>
    "func.return"(%126) : (tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4x4xf32>) -> (tensor<2xf32>, tensor<2xf32>), res_attrs = [{}, {}], sym_name = "slogdet", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<2x4x4xf32>):
    %46 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.constant"() <{value = dense<-2> : tensor<i32>}> : () -> tensor<i32>
    %49 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %50 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %51 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.constant"() <{value = dense<> : tensor<0xi32>}> : () -> tensor<0xi32>
    %55 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %57 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %58 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %59 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %60 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %61:5 = "stablehlo.while"(%55, %55, %59, %60, %arg12) ({
    ^bb0(%arg28: tensor<i32>, %arg29: tensor<i32>, %arg30: tensor<2x4xi32>, %arg31: tensor<2x4xi32>, %arg32: tensor<2x4x4xf32>):
      %107 = "stablehlo.compare"(%arg28, %53) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%107) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg23: tensor<i32>, %arg24: tensor<i32>, %arg25: tensor<2x4xi32>, %arg26: tensor<2x4xi32>, %arg27: tensor<2x4x4xf32>):
      %105:4 = "func.call"(%arg24, %arg25, %arg26, %arg27) <{callee = @closed_call}> : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
      %106 = "stablehlo.add"(%arg23, %52) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%106, %105#0, %105#1, %105#2, %105#3) : (tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
    %62 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %63 = "stablehlo.add"(%61#2, %62) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %64 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<2x4xi32>
    %65 = "stablehlo.scatter"(%64, %54, %63) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg21: tensor<i32>, %arg22: tensor<i32>):
      "stablehlo.return"(%arg22) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %66 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %67 = "stablehlo.add"(%61#3, %66) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %68 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %69 = "stablehlo.compare"(%67, %68) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %70 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %71 = "stablehlo.add"(%67, %70) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %72 = "stablehlo.select"(%69, %71, %67) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %74 = "stablehlo.gather"(%arg12, %73) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
    %75 = "stablehlo.scatter"(%arg12, %54, %74) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      "stablehlo.return"(%arg20) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %76 = "stablehlo.scatter"(%75, %54, %61#4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %77 = "func.call"(%76) <{callee = @diagonal}> : (tensor<2x4x4xf32>) -> tensor<2x4xf32>
    %78 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %79 = "stablehlo.compare"(%77, %78) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %80 = "stablehlo.reduce"(%79, %50) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg15: tensor<i1>, %arg16: tensor<i1>):
      %104 = "stablehlo.or"(%arg15, %arg16) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%104) : (tensor<i1>) -> ()
    }) : (tensor<2x4xi1>, tensor<i1>) -> tensor<2xi1>
    %81 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xi32>) -> tensor<2x4xi32>
    %84 = "stablehlo.compare"(%65, %83) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %85 = "func.call"(%84) <{callee = @count_nonzero}> : (tensor<2x4xi1>) -> tensor<2xi32>
    %86 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %87 = "stablehlo.compare"(%77, %86) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %88 = "func.call"(%87) <{callee = @count_nonzero}> : (tensor<2x4xi1>) -> tensor<2xi32>
    %89 = "stablehlo.add"(%85, %88) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %90 = "func.call"(%89, %49) <{callee = @remainder}> : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %91 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %92 = "stablehlo.multiply"(%91, %90) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %93 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %94 = "stablehlo.add"(%92, %93) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %95 = "stablehlo.convert"(%94) : (tensor<2xi32>) -> tensor<2xf32>
    %96 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %97 = "stablehlo.multiply"(%96, %95) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %98 = "func.call"(%80, %51, %97) <{callee = @_where_1}> : (tensor<2xi1>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
    %99 = "stablehlo.abs"(%77) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %100 = "stablehlo.log"(%99) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %101 = "stablehlo.reduce"(%100, %51) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %103 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%103) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %102 = "func.call"(%80, %46, %101) <{callee = @_where_1}> : (tensor<2xi1>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%98, %102) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4x4xf32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "diagonal", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<2x4x4xf32>):
    %28 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %31 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %32 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %33 = "stablehlo.compare"(%30, %32) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %34 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %35 = "stablehlo.add"(%30, %34) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %36 = "stablehlo.select"(%33, %35, %30) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %37 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %38 = "stablehlo.compare"(%31, %37) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %39 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %40 = "stablehlo.add"(%31, %39) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %41 = "stablehlo.select"(%38, %40, %31) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %42 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %43 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %44 = "stablehlo.concatenate"(%42, %43) <{dimension = 1 : i64}> : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %45 = "stablehlo.gather"(%arg11, %44) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 1>}> : (tensor<2x4x4xf32>, tensor<4x2xi32>) -> tensor<2x4xf32>
    "func.return"(%45) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4xi1>) -> tensor<2xi32>, res_attrs = [{}], sym_name = "count_nonzero", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<2x4xi1>):
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x4xi1>
    %24 = "stablehlo.compare"(%arg8, %23) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %25 = "stablehlo.convert"(%24) : (tensor<2x4xi1>) -> tensor<2x4xi32>
    %26 = "stablehlo.reduce"(%25, %21) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg9: tensor<i32>, %arg10: tensor<i32>):
      %27 = "stablehlo.add"(%arg9, %arg10) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%27) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%26) : (tensor<2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2xi32>, %arg7: tensor<i32>):
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.convert"(%arg7) : (tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.compare"(%5, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = "func.call"(%6, %3, %5) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %9 = "stablehlo.remainder"(%arg6, %8) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %10 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %11 = "stablehlo.compare"(%9, %10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %12 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %13 = "stablehlo.compare"(%9, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %14 = "stablehlo.compare"(%7, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2xi1>
    %16 = "stablehlo.compare"(%13, %15) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
    %17 = "stablehlo.and"(%16, %11) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
    %18 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %19 = "stablehlo.add"(%9, %18) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %20 = "stablehlo.select"(%17, %19, %9) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    "func.return"(%20) : (tensor<2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<i1>, %arg4: tensor<i32>, %arg5: tensor<i32>):
    %2 = "stablehlo.select"(%arg3, %arg4, %arg5) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%2) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2xi1>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xi1>, %arg1: tensor<f32>, %arg2: tensor<2xf32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %1 = "stablehlo.select"(%arg0, %0, %arg2) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%1) : (tensor<2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
