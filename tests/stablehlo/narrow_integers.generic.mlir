"builtin.module"() <{sym_name = "jit_narrow_integers"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xi4>, tensor<8xui4>) -> (tensor<8xi4>, tensor<8xi4>, tensor<8xui4>, tensor<8xui4>, tensor<8xi4>, tensor<8xi32>, tensor<8xi8>, tensor<8xi1>, tensor<8xi4>, tensor<2xi4>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<8xi4>, %arg6: tensor<8xui4>):
    %18 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.constant"() <{value = dense<[-8, 7]> : tensor<2xi4>}> : () -> tensor<2xi4>
    %21 = "stablehlo.add"(%arg5, %arg5) : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi4>
    %22 = "stablehlo.multiply"(%arg5, %arg5) : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi4>
    %23 = "stablehlo.reverse"(%arg6) <{dimensions = array<i64: 0>}> : (tensor<8xui4>) -> tensor<8xui4>
    %24 = "stablehlo.subtract"(%arg6, %23) : (tensor<8xui4>, tensor<8xui4>) -> tensor<8xui4>
    %25 = "stablehlo.multiply"(%arg6, %arg6) : (tensor<8xui4>, tensor<8xui4>) -> tensor<8xui4>
    %26 = "func.call"(%arg5, %19) <{callee = @floor_divide}> : (tensor<8xi4>, tensor<i32>) -> tensor<8xi4>
    %27 = "stablehlo.convert"(%arg5) : (tensor<8xi4>) -> tensor<8xi32>
    %28 = "stablehlo.convert"(%arg6) : (tensor<8xui4>) -> tensor<8xi8>
    %29 = "stablehlo.reverse"(%arg5) <{dimensions = array<i64: 0>}> : (tensor<8xi4>) -> tensor<8xi4>
    %30 = "stablehlo.compare"(%arg5, %29) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi1>
    %31 = "stablehlo.convert"(%arg5) : (tensor<8xi4>) -> tensor<8xi32>
    %32 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
    %33 = "stablehlo.multiply"(%31, %32) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    %34 = "stablehlo.convert"(%33) : (tensor<8xi32>) -> tensor<8xi4>
    "func.return"(%21, %22, %24, %25, %26, %27, %28, %30, %34, %20) : (tensor<8xi4>, tensor<8xi4>, tensor<8xui4>, tensor<8xui4>, tensor<8xi4>, tensor<8xi32>, tensor<8xi8>, tensor<8xi1>, tensor<8xi4>, tensor<2xi4>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xi4>, tensor<i32>) -> tensor<8xi4>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<8xi4>, %arg4: tensor<i32>):
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i4>}> : () -> tensor<i4>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i4>}> : () -> tensor<i4>
    %3 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i4>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i4>) -> tensor<8xi4>
    %5 = "stablehlo.divide"(%arg3, %4) : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi4>
    %6 = "stablehlo.sign"(%arg3) : (tensor<8xi4>) -> tensor<8xi4>
    %7 = "stablehlo.sign"(%3) : (tensor<i4>) -> tensor<i4>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i4>) -> tensor<8xi4>
    %9 = "stablehlo.compare"(%6, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi1>
    %10 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i4>) -> tensor<8xi4>
    %11 = "stablehlo.remainder"(%arg3, %10) : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi4>
    %12 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i4>) -> tensor<8xi4>
    %13 = "stablehlo.compare"(%11, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi1>
    %14 = "stablehlo.and"(%9, %13) : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
    %15 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i4>) -> tensor<8xi4>
    %16 = "stablehlo.subtract"(%5, %15) : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi4>
    %17 = "func.call"(%14, %16, %5) <{callee = @_where}> : (tensor<8xi1>, tensor<8xi4>, tensor<8xi4>) -> tensor<8xi4>
    "func.return"(%17) : (tensor<8xi4>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8xi1>, tensor<8xi4>, tensor<8xi4>) -> tensor<8xi4>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8xi1>, %arg1: tensor<8xi4>, %arg2: tensor<8xi4>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<8xi1>, tensor<8xi4>, tensor<8xi4>) -> tensor<8xi4>
    "func.return"(%0) : (tensor<8xi4>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
