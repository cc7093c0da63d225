"builtin.module"() <{sym_name = "jit_unary_of_integers"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xi32>, tensor<5xi1>) -> (tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<5xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x4xi32>, %arg1: tensor<5xi1>):
    %0 = "stablehlo.not"(%arg0) : (tensor<3x4xi32>) -> tensor<3x4xi32>
    %1 = "stablehlo.negate"(%arg0) : (tensor<3x4xi32>) -> tensor<3x4xi32>
    %2 = "stablehlo.abs"(%arg0) : (tensor<3x4xi32>) -> tensor<3x4xi32>
    %3 = "stablehlo.sign"(%arg0) : (tensor<3x4xi32>) -> tensor<3x4xi32>
    %4 = "stablehlo.popcnt"(%arg0) : (tensor<3x4xi32>) -> tensor<3x4xi32>
    %5 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<3x4xi32>) -> tensor<3x4xi32>
    %6 = "stablehlo.not"(%arg1) : (tensor<5xi1>) -> tensor<5xi1>
    "func.return"(%0, %1, %2, %3, %4, %5, %6) : (tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<5xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
