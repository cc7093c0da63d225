"builtin.module"() <{sym_name = "jit_moved"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x4xf32>, tensor<1x4xf32>) -> (tensor<4x2x3xf32>, tensor<4x6xf32>, tensor<2x3x4xf32>, tensor<2x6x4xf32>, tensor<1x2x2xf32>, tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<3x5x4xf32>, tensor<3x3x4xf32>, tensor<5xi32>, tensor<2x3xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg2: tensor<2x3x4xf32>, %arg3: tensor<1x4xf32>):
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.transpose"(%arg2) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %6 = "stablehlo.reshape"(%arg2) : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
    %7 = "stablehlo.reverse"(%arg2) <{dimensions = array<i64: 0, 2>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %8 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x4xf32>
    %9 = "stablehlo.multiply"(%arg2, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %10 = "stablehlo.concatenate"(%arg2, %9) <{dimension = 1 : i64}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x6x4xf32>
    %11 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 2, 3, 3>, start_indices = array<i64: 1, 0, 1>, strides = array<i64: 1, 2, 1>}> : (tensor<2x3x4xf32>) -> tensor<1x2x2xf32>
    %12 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<3x4xf32>
    %13 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xf32>) -> tensor<2x3x4xf32>
    %15 = "stablehlo.add"(%14, %arg2) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %16 = "func.call"(%arg2, %3) <{callee = @_pad}> : (tensor<2x3x4xf32>, tensor<i32>) -> tensor<3x5x4xf32>
    %17 = "stablehlo.pad"(%arg2, %2) <{edge_padding_high = array<i64: 0, 1, 0>, edge_padding_low = array<i64: 0, -1, 0>, interior_padding = array<i64: 1, 0, 0>}> : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x3x4xf32>
    %18 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5xi32>
    %19 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xf32>
    %20 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x4xf32>) -> tensor<2x1x4xf32>
    %21 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %22 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %23 = "stablehlo.concatenate"(%21, %22) <{dimension = 0 : i64}> : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<2x1x4xf32>
    "func.return"(%5, %6, %7, %10, %11, %12, %15, %16, %17, %18, %19, %20, %23) : (tensor<4x2x3xf32>, tensor<4x6xf32>, tensor<2x3x4xf32>, tensor<2x6x4xf32>, tensor<1x2x2xf32>, tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<3x5x4xf32>, tensor<3x3x4xf32>, tensor<5xi32>, tensor<2x3xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x4xf32>, tensor<i32>) -> tensor<3x5x4xf32>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x4xf32>, %arg1: tensor<i32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.pad"(%arg0, %0) <{edge_padding_high = array<i64: 0, 2, 0>, edge_padding_low = array<i64: 1, 0, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x5x4xf32>
    "func.return"(%1) : (tensor<3x5x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
