module @jit_scattered attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>, %arg3: tensor<3x4xf32>) -> (tensor<5x4xf32> {jax.result_info = "result[0]"}, tensor<5x4xf32> {jax.result_info = "result[1]"}, tensor<5x4xf32> {jax.result_info = "result[2]"}, tensor<5x4xf32> {jax.result_info = "result[3]"}, tensor<5x4xf32> {jax.result_info = "result[4]"}, tensor<3x4xf32> {jax.result_info = "result[5]"}, tensor<5x4xf32> {jax.result_info = "result[6]"}, tensor<4xi32> {jax.result_info = "result[7]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %c_3 = stablehlo.constant dense<5> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %2 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<3xi1>, tensor<3xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg3) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %67 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %67 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %7 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %8 = stablehlo.compare LT, %arg1, %7, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %10 = stablehlo.add %arg1, %9 : tensor<3xi32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<3xi1>, tensor<3xi32>
    %12 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %13 = stablehlo.compare LT, %arg2, %12, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %15 = stablehlo.add %arg2, %14 : tensor<3xi32>
    %16 = stablehlo.select %13, %15, %arg2 : tensor<3xi1>, tensor<3xi32>
    %17 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %19 = stablehlo.concatenate %17, %18, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
    %20 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %21 = "stablehlo.scatter"(%arg0, %19, %20) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<3x2xi32>, tensor<3xf32>) -> tensor<5x4xf32>
    %22 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %23 = stablehlo.compare LT, %arg2, %22, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %24 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %25 = stablehlo.add %arg2, %24 : tensor<3xi32>
    %26 = stablehlo.select %23, %25, %arg2 : tensor<3xi1>, tensor<3xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %28 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %29 = "stablehlo.scatter"(%arg0, %27, %28) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %67 = stablehlo.multiply %arg4, %arg5 : tensor<f32>
      stablehlo.return %67 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<5x3xf32>) -> tensor<5x4xf32>
    %30 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %31 = stablehlo.compare LT, %arg1, %30, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %32 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %33 = stablehlo.add %arg1, %32 : tensor<3xi32>
    %34 = stablehlo.select %31, %33, %arg1 : tensor<3xi1>, tensor<3xi32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %36 = "stablehlo.scatter"(%arg0, %35, %arg3) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %67 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      stablehlo.return %67 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %37 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %38 = stablehlo.compare LT, %arg1, %37, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %39 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %40 = stablehlo.add %arg1, %39 : tensor<3xi32>
    %41 = stablehlo.select %38, %40, %arg1 : tensor<3xi1>, tensor<3xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %43 = "stablehlo.scatter"(%arg0, %42, %arg3) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %67 = stablehlo.minimum %arg4, %arg5 : tensor<f32>
      stablehlo.return %67 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %44 = stablehlo.slice %arg0 [0:3, 0:4] : (tensor<5x4xf32>) -> tensor<3x4xf32>
    %45 = stablehlo.slice %arg3 [0:3, 0:1] : (tensor<3x4xf32>) -> tensor<3x1xf32>
    %46 = stablehlo.reshape %45 : (tensor<3x1xf32>) -> tensor<3xf32>
    %47 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %48 = stablehlo.compare LT, %arg2, %47, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %49 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %50 = stablehlo.add %arg2, %49 : tensor<3xi32>
    %51 = stablehlo.select %48, %50, %arg2 : tensor<3xi1>, tensor<3xi32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %53 = "stablehlo.scatter"(%44, %52, %46) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %67 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %67 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<3x4xf32>
    %54 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %55 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %56 = "stablehlo.scatter"(%54, %55, %arg3) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %67 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %67 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %57 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %58 = call @clip(%arg2, %c_4) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %59 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %60 = stablehlo.compare LT, %58, %59, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %61 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %62 = stablehlo.add %58, %61 : tensor<3xi32>
    %63 = stablehlo.select %60, %62, %58 : tensor<3xi1>, tensor<3xi32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %65 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %66 = "stablehlo.scatter"(%57, %64, %65) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      %67 = stablehlo.add %arg4, %arg5 : tensor<i32>
      stablehlo.return %67 : tensor<i32>
    }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
    return %6, %21, %29, %36, %43, %53, %56, %66 : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<3x4xf32>, tensor<5x4xf32>, tensor<4xi32>
  }
  func.func private @clip(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<3xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3xi32>
    return %2 : tensor<3xi32>
  }
}
