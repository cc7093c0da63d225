module @jit_training_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<6x3xf32>, %arg3: tensor<5xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1][0]"}, tensor<6x3xf32> {jax.result_info = "result[1][1]"}) {
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %cst_0 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %cst_5 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %cst_6 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<5x6xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<5x6xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<5x6xf32>
    %4 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<5x6xf32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<5x6xf32>
    %8 = stablehlo.add %0, %7 : tensor<5x6xf32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<5x6xf32>
    %11 = stablehlo.tanh %10 : tensor<5x6xf32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<5x6xf32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %15 = stablehlo.add %14, %11 : tensor<5x6xf32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<5x6xf32>
    %18 = stablehlo.multiply %0, %17 : tensor<5x6xf32>
    %19 = stablehlo.dot_general %18, %arg2, contracting_dims = [1] x [0] : (tensor<5x6xf32>, tensor<6x3xf32>) -> tensor<5x3xf32>
    %20:3 = call @log_softmax(%19) : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x1xf32>)
    %21 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %22:2 = call @take_along_axis(%20#0, %21) : (tensor<5x3xf32>, tensor<5x1xi32>) -> (tensor<5x1xf32>, tensor<5x1x1xi32>)
    %23 = stablehlo.reduce(%22#0 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x1xf32>, tensor<f32>) -> tensor<f32>
    %24 = stablehlo.divide %23, %cst_0 : tensor<f32>
    %25 = stablehlo.negate %24 : tensor<f32>
    %26 = stablehlo.negate %cst_3 : tensor<f32>
    %27 = stablehlo.divide %26, %cst_0 : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %29 = call @take_along_axis_0(%22#1, %28) : (tensor<5x1x1xi32>, tensor<5x1xf32>) -> tensor<5x3xf32>
    %30 = call @log_softmax_1(%20#1, %20#2, %29) : (tensor<5x3xf32>, tensor<5x1xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %31 = stablehlo.dot_general %30, %18, contracting_dims = [0] x [0] : (tensor<5x3xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
    %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
    %33 = stablehlo.dot_general %30, %arg2, contracting_dims = [1] x [1] : (tensor<5x3xf32>, tensor<6x3xf32>) -> tensor<5x6xf32>
    %34 = stablehlo.multiply %0, %33 : tensor<5x6xf32>
    %35 = stablehlo.multiply %33, %17 : tensor<5x6xf32>
    %36 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %37 = stablehlo.multiply %36, %34 : tensor<5x6xf32>
    %38 = stablehlo.multiply %37, %13 : tensor<5x6xf32>
    %39 = stablehlo.multiply %38, %11 : tensor<5x6xf32>
    %40 = stablehlo.add %38, %39 : tensor<5x6xf32>
    %41 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %42 = stablehlo.multiply %41, %40 : tensor<5x6xf32>
    %43 = stablehlo.add %35, %42 : tensor<5x6xf32>
    %44 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %45 = stablehlo.multiply %44, %42 : tensor<5x6xf32>
    %46 = stablehlo.multiply %45, %5 : tensor<5x6xf32>
    %47 = stablehlo.add %43, %46 : tensor<5x6xf32>
    %48 = stablehlo.dot_general %47, %arg0, contracting_dims = [0] x [0] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %50 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<4x6xf32>
    %52 = stablehlo.subtract %arg1, %51 : tensor<4x6xf32>
    %53 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x3xf32>
    %54 = stablehlo.multiply %53, %32 : tensor<6x3xf32>
    %55 = stablehlo.subtract %arg2, %54 : tensor<6x3xf32>
    return %25, %52, %55 : tensor<f32>, tensor<4x6xf32>, tensor<6x3xf32>
  }
  func.func private @log_softmax(%arg0: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<5xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x3xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<5x3xf32>
    %6 = stablehlo.exponential %5 : tensor<5x3xf32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %9 = stablehlo.log %8 : tensor<5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x3xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<5x3xf32>
    return %11, %6, %8 : tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<5x3xf32>, %arg1: tensor<5x1xi32>) -> (tensor<5x1xf32>, tensor<5x1x1xi32>) {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
    %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<5x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<5x1xi1>, tensor<5x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<5x1xi32>) -> tensor<5x1x1xi32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<5x1x1xi32>, tensor<5x1x1xi32>) -> tensor<5x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<5x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<5x1x1xi32>, tensor<5x1x1xi32>) -> tensor<5x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<5x1x1xi1>
    %12 = stablehlo.reduce(%11 init: %c) applies stablehlo.and across dimensions = [2] : (tensor<5x1x1xi1>, tensor<i1>) -> tensor<5x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<5x1x1xi32>) -> tensor<5x1xf32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<5x1xi1>, tensor<5x1xf32>
    return %15, %5 : tensor<5x1xf32>, tensor<5x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<5x1x1xi32>, %arg1: tensor<5x1xf32>) -> tensor<5x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x3xf32>, tensor<5x1x1xi32>, tensor<5x1xf32>) -> tensor<5x3xf32>
    return %1 : tensor<5x3xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<5x3xf32>, %arg1: tensor<5x1xf32>, %arg2: tensor<5x3xf32>) -> tensor<5x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.negate %arg2 : tensor<5x3xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %2 = stablehlo.reshape %1 : (tensor<5xf32>) -> tensor<5x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<5x1xf32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<5x1xf32>, tensor<f32>) -> tensor<5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<5xf32>) -> tensor<5x3xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<5x3xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<5x3xf32>
    return %7 : tensor<5x3xf32>
  }
}
