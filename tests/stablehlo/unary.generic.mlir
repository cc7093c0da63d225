"builtin.module"() <{sym_name = "jit_unary"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}, {jax.result_info = "result[13]"}, {jax.result_info = "result[14]"}, {jax.result_info = "result[15]"}, {jax.result_info = "result[16]"}, {jax.result_info = "result[17]"}, {jax.result_info = "result[18]"}, {jax.result_info = "result[19]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<3x4xf32>):
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.abs"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %5 = "stablehlo.add"(%3, %4) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %6 = "stablehlo.abs"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %7 = "stablehlo.cbrt"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %8 = "stablehlo.ceil"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %9 = "stablehlo.cosine"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %10 = "stablehlo.exponential"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %11 = "stablehlo.exponential_minus_one"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %12 = "stablehlo.floor"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %13 = "stablehlo.is_finite"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xi1>
    %14 = "stablehlo.log"(%5) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %15 = "stablehlo.log_plus_one"(%5) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %16 = "stablehlo.negate"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %17 = "stablehlo.exponential"(%16) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %18 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %19 = "stablehlo.add"(%18, %17) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %20 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %21 = "stablehlo.divide"(%20, %19) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %22 = "stablehlo.negate"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %23 = "func.call"(%arg1) <{callee = @rint}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %24 = "stablehlo.round_nearest_afz"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %25 = "stablehlo.rsqrt"(%5) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %26 = "stablehlo.sign"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %27 = "stablehlo.sine"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %28 = "stablehlo.sqrt"(%5) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %29 = "stablehlo.tan"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %30 = "stablehlo.tanh"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30) : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4xf32>) -> tensor<3x4xf32>, res_attrs = [{}], sym_name = "rint", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x4xf32>):
    %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%0) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
