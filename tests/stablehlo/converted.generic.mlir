"builtin.module"() <{sym_name = "jit_converted"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4xf32>, tensor<4xi32>, tensor<4xi1>) -> (tensor<4xf64>, tensor<4xf16>, tensor<4xbf16>, tensor<4xi32>, tensor<4xf32>, tensor<4xi64>, tensor<4xi8>, tensor<4xui16>, tensor<4xf32>, tensor<4xi1>, tensor<4xui32>, tensor<4x4xui8>, tensor<4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi1>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.convert"(%arg0) : (tensor<4xf32>) -> tensor<4xf64>
    %2 = "stablehlo.convert"(%arg0) : (tensor<4xf32>) -> tensor<4xf16>
    %3 = "stablehlo.convert"(%arg0) : (tensor<4xf32>) -> tensor<4xbf16>
    %4 = "stablehlo.convert"(%arg0) : (tensor<4xf32>) -> tensor<4xi32>
    %5 = "stablehlo.convert"(%arg1) : (tensor<4xi32>) -> tensor<4xf32>
    %6 = "stablehlo.convert"(%arg1) : (tensor<4xi32>) -> tensor<4xi64>
    %7 = "stablehlo.convert"(%arg1) : (tensor<4xi32>) -> tensor<4xi8>
    %8 = "stablehlo.convert"(%arg1) : (tensor<4xi32>) -> tensor<4xui16>
    %9 = "stablehlo.convert"(%arg2) : (tensor<4xi1>) -> tensor<4xf32>
    %10 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %11 = "stablehlo.compare"(%arg0, %10) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %12 = "stablehlo.convert"(%11) : (tensor<4xi1>) -> tensor<4xi1>
    %13 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4xf32>) -> tensor<4xui32>
    %14 = "stablehlo.bitcast_convert"(%arg1) : (tensor<4xi32>) -> tensor<4x4xui8>
    %15 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%1, %2, %3, %4, %5, %6, %7, %8, %9, %12, %13, %14, %15) : (tensor<4xf64>, tensor<4xf16>, tensor<4xbf16>, tensor<4xi32>, tensor<4xf32>, tensor<4xi64>, tensor<4xi8>, tensor<4xui16>, tensor<4xf32>, tensor<4xi1>, tensor<4xui32>, tensor<4x4xui8>, tensor<4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
