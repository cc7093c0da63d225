"builtin.module"() <{sym_name = "jit_complex_numbers"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3xf32>, tensor<3x2xf32>) -> (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f32>>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x3xf32>, %arg4: tensor<3x2xf32>):
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %6 = "stablehlo.transpose"(%arg4) <{permutation = array<i64: 1, 0>}> : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %7 = "stablehlo.complex"(%arg3, %6) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
    %8 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
    %9 = "stablehlo.add"(%7, %8) : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    %10 = "stablehlo.multiply"(%7, %7) : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    %11 = "stablehlo.real"(%7) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %12 = "stablehlo.imag"(%7) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %13 = "stablehlo.negate"(%12) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %14 = "stablehlo.complex"(%11, %13) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
    %15 = "stablehlo.real"(%7) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %16 = "stablehlo.imag"(%7) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %17 = "stablehlo.abs"(%7) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %18 = "stablehlo.transpose"(%7) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    %19 = "stablehlo.reshape"(%18) : (tensor<3x2xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    %20 = "stablehlo.compare"(%7, %19) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xi1>
    %21 = "stablehlo.convert"(%7) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f64>>
    %22 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %23 = "stablehlo.compare"(%arg3, %22) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %24 = "func.call"(%23, %7, %3) <{callee = @_where}> : (tensor<2x3xi1>, tensor<2x3xcomplex<f32>>, tensor<i64>) -> tensor<2x3xcomplex<f32>>
    "func.return"(%7, %9, %10, %14, %15, %16, %17, %20, %21, %24) : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x3xi1>, tensor<2x3xcomplex<f32>>, tensor<i64>) -> tensor<2x3xcomplex<f32>>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xcomplex<f32>>, %arg2: tensor<i64>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<i64>) -> tensor<complex<f32>>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x3xi1>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    "func.return"(%2) : (tensor<2x3xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
