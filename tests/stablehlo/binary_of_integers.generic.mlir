"builtin.module"() <{sym_name = "jit_binary_of_integers"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<6xi32>, tensor<6xi32>, tensor<6xi1>, tensor<2x3xi1>) -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<6xi32>, %arg6: tensor<6xi32>, %arg7: tensor<6xi1>, %arg8: tensor<2x3xi1>):
    %14 = "stablehlo.reshape"(%arg8) : (tensor<2x3xi1>) -> tensor<6xi1>
    %15 = "stablehlo.and"(%arg5, %arg6) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %16 = "stablehlo.or"(%arg5, %arg6) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %17 = "stablehlo.xor"(%arg5, %arg6) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %18 = "stablehlo.shift_left"(%arg5, %arg6) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %19 = "stablehlo.shift_right_arithmetic"(%arg5, %arg6) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %20 = "stablehlo.shift_right_logical"(%arg5, %arg6) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %21 = "func.call"(%arg5, %arg6) <{callee = @floor_divide}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %22 = "stablehlo.remainder"(%arg5, %arg6) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %23 = "stablehlo.and"(%arg7, %14) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %24 = "stablehlo.or"(%arg7, %14) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %25 = "stablehlo.xor"(%arg7, %14) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    "func.return"(%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25) : (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<6xi32>, %arg4: tensor<6xi32>):
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.divide"(%arg3, %arg4) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %4 = "stablehlo.sign"(%arg3) : (tensor<6xi32>) -> tensor<6xi32>
    %5 = "stablehlo.sign"(%arg4) : (tensor<6xi32>) -> tensor<6xi32>
    %6 = "stablehlo.compare"(%4, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %7 = "stablehlo.remainder"(%arg3, %arg4) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %8 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %9 = "stablehlo.compare"(%7, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %10 = "stablehlo.and"(%6, %9) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %11 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %12 = "stablehlo.subtract"(%3, %11) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %13 = "func.call"(%10, %12, %3) <{callee = @_where}> : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    "func.return"(%13) : (tensor<6xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<6xi32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    "func.return"(%0) : (tensor<6xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
