module @jit_factors attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x3xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<5x3xf32> {jax.result_info = "result[0].Q"}, tensor<3x3xf32> {jax.result_info = "result[0].R"}, tensor<3x3xf32> {jax.result_info = "result[1].Q"}, tensor<3x5xf32> {jax.result_info = "result[1].R"}, tensor<2x4x4xf32> {jax.result_info = "result[2][0]"}, tensor<2x4xi32> {jax.result_info = "result[2][1]"}, tensor<2x4xi32> {jax.result_info = "result[2][2]"}, tensor<2x4x4xf32> {jax.result_info = "result[3]"}, tensor<2xf32> {jax.result_info = "result[4].sign"}, tensor<2xf32> {jax.result_info = "result[4].logabsdet"}) {
    %0:2 = call @qr(%arg0) : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>)
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %2:2 = call @qr_0(%1) : (tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x5xf32>)
    %c = stablehlo.constant dense<> : tensor<0xi32>
    %c_0 = stablehlo.constant dense<> : tensor<0xi32>
    %c_1 = stablehlo.constant dense<> : tensor<0xi32>
    %c_2 = stablehlo.constant dense<> : tensor<0xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %6 = stablehlo.iota dim = 0 : tensor<4xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %9:5 = stablehlo.while(%iterArg = %c_6, %iterArg_14 = %c_5, %iterArg_15 = %7, %iterArg_16 = %8, %iterArg_17 = %arg1) : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    cond {
      %c_18 = stablehlo.constant dense<4> : tensor<i32>
      %38 = stablehlo.compare LT, %iterArg, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %38 : tensor<i1>
    } do {
      %38:4 = func.call @closed_call(%iterArg_14, %iterArg_15, %iterArg_16, %iterArg_17) : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %39 = stablehlo.add %iterArg, %c_18 : tensor<i32>
      stablehlo.return %39, %38#0, %38#1, %38#2, %38#3 : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    }
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %11 = stablehlo.add %9#2, %10 : tensor<2x4xi32>
    %12 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %13 = "stablehlo.scatter"(%12, %c, %11) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      stablehlo.return %arg3 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %15 = stablehlo.add %9#3, %14 : tensor<2x4xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %17 = stablehlo.compare LT, %15, %16, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_10 = stablehlo.constant dense<4> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %19 = stablehlo.add %15, %18 : tensor<2x4xi32>
    %20 = stablehlo.select %17, %19, %15 : tensor<2x4xi1>, tensor<2x4xi32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %22 = "stablehlo.gather"(%4, %21) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<2x4x1xi32>) -> tensor<2x4xi32>
    %23 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %24 = "stablehlo.scatter"(%23, %c_0, %22) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      stablehlo.return %arg3 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %26 = stablehlo.add %9#3, %25 : tensor<2x4xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %28 = stablehlo.compare LT, %26, %27, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_13 = stablehlo.constant dense<4> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %30 = stablehlo.add %26, %29 : tensor<2x4xi32>
    %31 = stablehlo.select %28, %30, %26 : tensor<2x4xi1>, tensor<2x4xi32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %33 = "stablehlo.gather"(%arg1, %32) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
    %34 = "stablehlo.scatter"(%arg1, %c_1, %33) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %35 = "stablehlo.scatter"(%34, %c_2, %9#4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %36 = call @inv(%arg1) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %37:2 = call @slogdet(%arg1) : (tensor<2x4x4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    return %0#0, %0#1, %2#0, %2#1, %35, %13, %24, %36, %37#0, %37#1 : tensor<5x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x5xf32>, tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>, tensor<2xf32>, tensor<2xf32>
  }
  func.func private @qr(%arg0: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>) {
    %0:2 = stablehlo.custom_call @Qr(%arg0) {backend_config = ""} : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
    %1 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) {backend_config = ""} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %2 = stablehlo.slice %0#0 [0:3, 0:3] : (tensor<5x3xf32>) -> tensor<3x3xf32>
    %3 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %5 = stablehlo.add %3, %4 : tensor<3x3xi32>
    %6 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %9 = stablehlo.select %7, %8, %2 : tensor<3x3xi1>, tensor<3x3xf32>
    return %1, %9 : tensor<5x3xf32>, tensor<3x3xf32>
  }
  func.func private @qr_0(%arg0: tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x5xf32>) {
    %0:2 = stablehlo.custom_call @Qr(%arg0) {backend_config = ""} : (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)
    %1 = stablehlo.slice %0#0 [0:3, 0:3] : (tensor<3x5xf32>) -> tensor<3x3xf32>
    %2 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%1, %0#1) {backend_config = ""} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %3 = stablehlo.iota dim = 0 : tensor<3x5xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x5xi32>
    %5 = stablehlo.add %3, %4 : tensor<3x5xi32>
    %6 = stablehlo.iota dim = 1 : tensor<3x5xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %9 = stablehlo.select %7, %8, %0#0 : tensor<3x5xi1>, tensor<3x5xf32>
    return %2, %9 : tensor<3x3xf32>, tensor<3x5xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2x4xi32>, %arg2: tensor<2x4xi32>, %arg3: tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.iota dim = 0 : tensor<4xi32>
    %2 = stablehlo.iota dim = 0 : tensor<4xi32>
    %3 = stablehlo.convert %arg0 : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %c_0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %5 = stablehlo.add %c_2, %c_3 : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.select %4, %5, %c_4 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %3, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %8 = stablehlo.add %3, %c_6 : tensor<i32>
    %9 = stablehlo.select %7, %8, %3 : tensor<i1>, tensor<i32>
    %10 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %10, %11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %13 = "stablehlo.gather"(%arg3, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %15 = stablehlo.abs %14 : tensor<2x4xf32>
    %16 = stablehlo.convert %arg0 : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %18 = stablehlo.compare GE, %1, %17, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<4xi1>) -> tensor<2x4xi1>
    %21 = stablehlo.broadcast_in_dim %19, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    %22 = stablehlo.select %20, %15, %21 : tensor<2x4xi1>, tensor<2x4xf32>
    %23 = call @argmax(%22) : (tensor<2x4xf32>) -> tensor<2xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.compare LT, %arg0, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<4> : tensor<i32>
    %25 = stablehlo.add %arg0, %c_8 : tensor<i32>
    %26 = stablehlo.select %24, %25, %arg0 : tensor<i1>, tensor<i32>
    %27 = stablehlo.convert %26 : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %29 = "stablehlo.scatter"(%arg1, %28, %23) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      stablehlo.return %arg5 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    %30 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %31 = stablehlo.convert %arg0 : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [1] : (tensor<1xi32>) -> tensor<2x1xi32>
    %34 = stablehlo.concatenate %30, %33, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %36 = stablehlo.compare LT, %34, %35, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %c_10 = stablehlo.constant dense<4> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %38 = stablehlo.add %34, %37 : tensor<2x2xi32>
    %39 = stablehlo.select %36, %38, %34 : tensor<2x2xi1>, tensor<2x2xi32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %41 = "stablehlo.gather"(%arg3, %40) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x2x1xi32>) -> tensor<2x2x4xf32>
    %42 = stablehlo.convert %arg0 : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %44 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %45 = stablehlo.broadcast_in_dim %43, dims = [1] : (tensor<1xi32>) -> tensor<2x1xi32>
    %46 = stablehlo.concatenate %45, %44, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %48 = stablehlo.compare LT, %46, %47, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %c_12 = stablehlo.constant dense<4> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %50 = stablehlo.add %46, %49 : tensor<2x2xi32>
    %51 = stablehlo.select %48, %50, %46 : tensor<2x2xi1>, tensor<2x2xi32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %53 = "stablehlo.scatter"(%arg3, %52, %41) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<2x2x1xi32>, tensor<2x2x4xf32>) -> tensor<2x4x4xf32>
    %54 = stablehlo.convert %arg0 : tensor<i32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %56 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %57 = stablehlo.broadcast_in_dim %55, dims = [1] : (tensor<1xi32>) -> tensor<2x1xi32>
    %58 = stablehlo.concatenate %57, %56, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %59 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %60 = stablehlo.compare LT, %58, %59, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %c_14 = stablehlo.constant dense<4> : tensor<i32>
    %61 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %62 = stablehlo.add %58, %61 : tensor<2x2xi32>
    %63 = stablehlo.select %60, %62, %58 : tensor<2x2xi1>, tensor<2x2xi32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %65 = "stablehlo.gather"(%arg2, %64) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xi32>, tensor<2x2x1xi32>) -> tensor<2x2xi32>
    %66 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %67 = stablehlo.convert %arg0 : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [1] : (tensor<1xi32>) -> tensor<2x1xi32>
    %70 = stablehlo.concatenate %66, %69, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %71 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %72 = stablehlo.compare LT, %70, %71, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %c_16 = stablehlo.constant dense<4> : tensor<i32>
    %73 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %74 = stablehlo.add %70, %73 : tensor<2x2xi32>
    %75 = stablehlo.select %72, %74, %70 : tensor<2x2xi1>, tensor<2x2xi32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %77 = "stablehlo.scatter"(%arg2, %76, %65) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      stablehlo.return %arg5 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<2x2x1xi32>, tensor<2x2xi32>) -> tensor<2x4xi32>
    %78 = stablehlo.convert %arg0 : tensor<i32>
    %79 = stablehlo.convert %arg0 : tensor<i32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %80 = stablehlo.compare LT, %78, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_18 = stablehlo.constant dense<4> : tensor<i32>
    %81 = stablehlo.add %78, %c_18 : tensor<i32>
    %82 = stablehlo.select %80, %81, %78 : tensor<i1>, tensor<i32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %83 = stablehlo.compare LT, %79, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_20 = stablehlo.constant dense<4> : tensor<i32>
    %84 = stablehlo.add %79, %c_20 : tensor<i32>
    %85 = stablehlo.select %83, %84, %79 : tensor<i1>, tensor<i32>
    %86 = stablehlo.broadcast_in_dim %82, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %87 = stablehlo.broadcast_in_dim %85, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %88 = stablehlo.concatenate %86, %87, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %89 = "stablehlo.gather"(%53, %88) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
    %90 = stablehlo.reshape %89 : (tensor<2x1x1xf32>) -> tensor<2xf32>
    %91 = stablehlo.convert %arg0 : tensor<i32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %93 = stablehlo.compare GT, %1, %92, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %95 = stablehlo.compare NE, %90, %94, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %96 = stablehlo.broadcast_in_dim %93, dims = [1] : (tensor<4xi1>) -> tensor<1x4xi1>
    %97 = stablehlo.broadcast_in_dim %95, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %98 = stablehlo.broadcast_in_dim %96, dims = [0, 1] : (tensor<1x4xi1>) -> tensor<2x4xi1>
    %99 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %100 = stablehlo.and %98, %99 : tensor<2x4xi1>
    %101 = stablehlo.convert %arg0 : tensor<i32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %102 = stablehlo.compare LT, %c_22, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %c_25 = stablehlo.constant dense<4> : tensor<i32>
    %103 = stablehlo.add %c_24, %c_25 : tensor<i32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %104 = stablehlo.select %102, %103, %c_26 : tensor<i1>, tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %105 = stablehlo.compare LT, %101, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_28 = stablehlo.constant dense<4> : tensor<i32>
    %106 = stablehlo.add %101, %c_28 : tensor<i32>
    %107 = stablehlo.select %105, %106, %101 : tensor<i1>, tensor<i32>
    %108 = stablehlo.broadcast_in_dim %104, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %109 = stablehlo.broadcast_in_dim %107, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %110 = stablehlo.concatenate %108, %109, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %111 = "stablehlo.gather"(%53, %110) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %112 = stablehlo.reshape %111 : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %113 = stablehlo.broadcast_in_dim %90, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %115 = stablehlo.divide %112, %114 : tensor<2x4xf32>
    %116 = stablehlo.convert %arg0 : tensor<i32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %117 = stablehlo.compare LT, %c_29, %c_30, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %c_32 = stablehlo.constant dense<4> : tensor<i32>
    %118 = stablehlo.add %c_31, %c_32 : tensor<i32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %119 = stablehlo.select %117, %118, %c_33 : tensor<i1>, tensor<i32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %120 = stablehlo.compare LT, %116, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_35 = stablehlo.constant dense<4> : tensor<i32>
    %121 = stablehlo.add %116, %c_35 : tensor<i32>
    %122 = stablehlo.select %120, %121, %116 : tensor<i1>, tensor<i32>
    %123 = stablehlo.broadcast_in_dim %119, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %124 = stablehlo.broadcast_in_dim %122, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %125 = stablehlo.concatenate %123, %124, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %126 = "stablehlo.gather"(%53, %125) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %127 = stablehlo.reshape %126 : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %128 = stablehlo.select %100, %115, %127 : tensor<2x4xi1>, tensor<2x4xf32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %129 = stablehlo.compare LT, %arg0, %c_36, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_37 = stablehlo.constant dense<4> : tensor<i32>
    %130 = stablehlo.add %arg0, %c_37 : tensor<i32>
    %131 = stablehlo.select %129, %130, %arg0 : tensor<i1>, tensor<i32>
    %132 = stablehlo.convert %131 : tensor<i32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %134 = "stablehlo.scatter"(%53, %133, %128) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<1xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    %135 = stablehlo.convert %arg0 : tensor<i32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %136 = stablehlo.compare LT, %c_38, %c_39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %c_41 = stablehlo.constant dense<4> : tensor<i32>
    %137 = stablehlo.add %c_40, %c_41 : tensor<i32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %138 = stablehlo.select %136, %137, %c_42 : tensor<i1>, tensor<i32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %139 = stablehlo.compare LT, %135, %c_43, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_44 = stablehlo.constant dense<4> : tensor<i32>
    %140 = stablehlo.add %135, %c_44 : tensor<i32>
    %141 = stablehlo.select %139, %140, %135 : tensor<i1>, tensor<i32>
    %142 = stablehlo.broadcast_in_dim %138, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %143 = stablehlo.broadcast_in_dim %141, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %144 = stablehlo.concatenate %142, %143, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %145 = "stablehlo.gather"(%134, %144) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %146 = stablehlo.reshape %145 : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %148 = stablehlo.convert %arg0 : tensor<i32>
    %c_45 = stablehlo.constant dense<0> : tensor<i32>
    %149 = stablehlo.compare LT, %148, %c_45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_46 = stablehlo.constant dense<4> : tensor<i32>
    %150 = stablehlo.add %148, %c_46 : tensor<i32>
    %151 = stablehlo.select %149, %150, %148 : tensor<i1>, tensor<i32>
    %c_47 = stablehlo.constant dense<0> : tensor<i32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %152 = stablehlo.compare LT, %c_47, %c_48, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_49 = stablehlo.constant dense<0> : tensor<i32>
    %c_50 = stablehlo.constant dense<4> : tensor<i32>
    %153 = stablehlo.add %c_49, %c_50 : tensor<i32>
    %c_51 = stablehlo.constant dense<0> : tensor<i32>
    %154 = stablehlo.select %152, %153, %c_51 : tensor<i1>, tensor<i32>
    %155 = stablehlo.broadcast_in_dim %151, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %156 = stablehlo.broadcast_in_dim %154, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %157 = stablehlo.concatenate %155, %156, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %158 = "stablehlo.gather"(%134, %157) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x1x4xf32>
    %159 = stablehlo.reshape %158 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 2] : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
    %161 = stablehlo.broadcast_in_dim %147, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x4xf32>
    %162 = stablehlo.broadcast_in_dim %160, dims = [0, 1, 2] : (tensor<2x1x4xf32>) -> tensor<2x4x4xf32>
    %163 = stablehlo.multiply %161, %162 : tensor<2x4x4xf32>
    %164 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %165 = stablehlo.convert %arg0 : tensor<i32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %167 = stablehlo.compare GT, %164, %166, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %168 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %169 = stablehlo.convert %arg0 : tensor<i32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [] : (tensor<i32>) -> tensor<1x4xi32>
    %171 = stablehlo.compare GT, %168, %170, SIGNED : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi1>
    %172 = stablehlo.broadcast_in_dim %167, dims = [0, 1] : (tensor<4x1xi1>) -> tensor<4x4xi1>
    %173 = stablehlo.broadcast_in_dim %171, dims = [0, 1] : (tensor<1x4xi1>) -> tensor<4x4xi1>
    %174 = stablehlo.and %172, %173 : tensor<4x4xi1>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %176 = stablehlo.broadcast_in_dim %174, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %177 = stablehlo.broadcast_in_dim %175, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
    %178 = stablehlo.select %176, %163, %177 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %179 = stablehlo.subtract %134, %178 : tensor<2x4x4xf32>
    return %0, %29, %77, %179 : tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
  }
  func.func private @argmax(%arg0: tensor<2x4xf32>) -> tensor<2xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<2xi32>
  }
  func.func private @inv(%arg0: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %3 = stablehlo.add %0, %2 : tensor<4x4xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %5 = stablehlo.convert %4 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
    %7 = call @solve(%arg0, %6) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    return %7 : tensor<2x4x4xf32>
  }
  func.func private @solve(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
    %c = stablehlo.constant dense<> : tensor<0xi32>
    %c_0 = stablehlo.constant dense<> : tensor<0xi32>
    %c_1 = stablehlo.constant dense<> : tensor<0xi32>
    %c_2 = stablehlo.constant dense<> : tensor<0xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.iota dim = 0 : tensor<4xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %6:5 = stablehlo.while(%iterArg = %c_6, %iterArg_14 = %c_5, %iterArg_15 = %4, %iterArg_16 = %5, %iterArg_17 = %arg0) : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    cond {
      %c_18 = stablehlo.constant dense<4> : tensor<i32>
      %36 = stablehlo.compare LT, %iterArg, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %36 : tensor<i1>
    } do {
      %36:4 = func.call @closed_call(%iterArg_14, %iterArg_15, %iterArg_16, %iterArg_17) : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %37 = stablehlo.add %iterArg, %c_18 : tensor<i32>
      stablehlo.return %37, %36#0, %36#1, %36#2, %36#3 : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    }
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %8 = stablehlo.add %6#2, %7 : tensor<2x4xi32>
    %9 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %10 = "stablehlo.scatter"(%9, %c, %8) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      stablehlo.return %arg3 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %12 = stablehlo.add %6#3, %11 : tensor<2x4xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %14 = stablehlo.compare LT, %12, %13, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_10 = stablehlo.constant dense<4> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %16 = stablehlo.add %12, %15 : tensor<2x4xi32>
    %17 = stablehlo.select %14, %16, %12 : tensor<2x4xi1>, tensor<2x4xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %19 = "stablehlo.gather"(%1, %18) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<2x4x1xi32>) -> tensor<2x4xi32>
    %20 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %21 = "stablehlo.scatter"(%20, %c_0, %19) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      stablehlo.return %arg3 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %23 = stablehlo.add %6#3, %22 : tensor<2x4xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %25 = stablehlo.compare LT, %23, %24, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_13 = stablehlo.constant dense<4> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %27 = stablehlo.add %23, %26 : tensor<2x4xi32>
    %28 = stablehlo.select %25, %27, %23 : tensor<2x4xi1>, tensor<2x4xi32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %30 = "stablehlo.gather"(%arg0, %29) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
    %31 = "stablehlo.scatter"(%arg0, %c_1, %30) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %32 = "stablehlo.scatter"(%31, %c_2, %6#4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %33 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %34 = call @_lu_solve(%32, %21, %33) : (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %35 = stablehlo.transpose %34, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    return %35 : tensor<2x4x4xf32>
  }
  func.func private @_lu_solve(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4xi32>, %arg2: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<2x4xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<2x4xi1>, tensor<2x4xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %7 = "stablehlo.gather"(%0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1, 1>}> : (tensor<2x4x4x1xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4x1xf32>
    %8 = stablehlo.transpose %7, dims = [0, 2, 3, 1] : (tensor<2x4x4x1xf32>) -> tensor<2x4x1x4xf32>
    %9 = stablehlo.reshape %8 : (tensor<2x4x1x4xf32>) -> tensor<2x4x4xf32>
    %10 = "stablehlo.triangular_solve"(%arg0, %9) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %11 = stablehlo.reshape %10 : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
    %12 = stablehlo.reshape %11 : (tensor<2x4x1x4xf32>) -> tensor<2x4x4xf32>
    %13 = "stablehlo.triangular_solve"(%arg0, %12) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x4x4xf32>) -> tensor<2x4x1x4xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x1x4xf32>) -> tensor<2x4x4x1xf32>
    %16 = stablehlo.reshape %15 : (tensor<2x4x4x1xf32>) -> tensor<2x4x4xf32>
    return %16 : tensor<2x4x4xf32>
  }
  func.func private @slogdet(%arg0: tensor<2x4x4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %c = stablehlo.constant dense<> : tensor<0xi32>
    %c_0 = stablehlo.constant dense<> : tensor<0xi32>
    %c_1 = stablehlo.constant dense<> : tensor<0xi32>
    %c_2 = stablehlo.constant dense<> : tensor<0xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.iota dim = 0 : tensor<4xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %6:5 = stablehlo.while(%iterArg = %c_6, %iterArg_23 = %c_5, %iterArg_24 = %4, %iterArg_25 = %5, %iterArg_26 = %arg0) : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    cond {
      %c_27 = stablehlo.constant dense<4> : tensor<i32>
      %59 = stablehlo.compare LT, %iterArg, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %59 : tensor<i1>
    } do {
      %59:4 = func.call @closed_call(%iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26) : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %60 = stablehlo.add %iterArg, %c_27 : tensor<i32>
      stablehlo.return %60, %59#0, %59#1, %59#2, %59#3 : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    }
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %8 = stablehlo.add %6#2, %7 : tensor<2x4xi32>
    %9 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %10 = "stablehlo.scatter"(%9, %c, %8) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      stablehlo.return %arg2 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %12 = stablehlo.add %6#3, %11 : tensor<2x4xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %14 = stablehlo.compare LT, %12, %13, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_10 = stablehlo.constant dense<4> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %16 = stablehlo.add %12, %15 : tensor<2x4xi32>
    %17 = stablehlo.select %14, %16, %12 : tensor<2x4xi1>, tensor<2x4xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %19 = "stablehlo.gather"(%1, %18) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<2x4x1xi32>) -> tensor<2x4xi32>
    %20 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %21 = "stablehlo.scatter"(%20, %c_0, %19) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      stablehlo.return %arg2 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %23 = stablehlo.add %6#3, %22 : tensor<2x4xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %25 = stablehlo.compare LT, %23, %24, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_13 = stablehlo.constant dense<4> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %27 = stablehlo.add %23, %26 : tensor<2x4xi32>
    %28 = stablehlo.select %25, %27, %23 : tensor<2x4xi1>, tensor<2x4xi32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %30 = "stablehlo.gather"(%arg0, %29) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
    %31 = "stablehlo.scatter"(%arg0, %c_1, %30) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      stablehlo.return %arg2 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %32 = "stablehlo.scatter"(%31, %c_2, %6#4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      stablehlo.return %arg2 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %33 = call @diagonal(%32) : (tensor<2x4x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %35 = stablehlo.compare EQ, %33, %34, FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %c_14 = stablehlo.constant dense<false> : tensor<i1>
    %36 = stablehlo.reduce(%35 init: %c_14) applies stablehlo.or across dimensions = [1] : (tensor<2x4xi1>, tensor<i1>) -> tensor<2xi1>
    %37 = stablehlo.iota dim = 0 : tensor<4xi32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<2x4xi32>
    %40 = stablehlo.compare NE, %10, %39, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %41 = call @count_nonzero(%40) : (tensor<2x4xi1>) -> tensor<2xi32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %43 = stablehlo.compare LT, %33, %42, FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %44 = call @count_nonzero(%43) : (tensor<2x4xi1>) -> tensor<2xi32>
    %45 = stablehlo.add %41, %44 : tensor<2xi32>
    %c_16 = stablehlo.constant dense<2> : tensor<i32>
    %46 = call @remainder(%45, %c_16) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %c_17 = stablehlo.constant dense<-2> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %48 = stablehlo.multiply %47, %46 : tensor<2xi32>
    %c_18 = stablehlo.constant dense<1> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %50 = stablehlo.add %48, %49 : tensor<2xi32>
    %51 = stablehlo.convert %50 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %53 = stablehlo.multiply %52, %51 : tensor<2xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = call @_where_1(%36, %cst_20, %53) : (tensor<2xi1>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
    %55 = stablehlo.abs %33 : tensor<2x4xf32>
    %56 = stablehlo.log %55 : tensor<2x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_22 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %58 = call @_where_1(%36, %cst_22, %57) : (tensor<2xi1>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
    return %54, %58 : tensor<2xf32>, tensor<2xf32>
  }
  func.func private @diagonal(%arg0: tensor<2x4x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<4xi32>
    %1 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.compare LT, %0, %2, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %5 = stablehlo.add %0, %4 : tensor<4xi32>
    %6 = stablehlo.select %3, %5, %0 : tensor<4xi1>, tensor<4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %10 = stablehlo.add %1, %9 : tensor<4xi32>
    %11 = stablehlo.select %8, %10, %1 : tensor<4xi1>, tensor<4xi32>
    %12 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %15 = "stablehlo.gather"(%arg0, %14) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1, 1>}> : (tensor<2x4x4xf32>, tensor<4x2xi32>) -> tensor<2x4xf32>
    return %15 : tensor<2x4xf32>
  }
  func.func private @count_nonzero(%arg0: tensor<2x4xi1>) -> tensor<2xi32> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4xi1>
    %1 = stablehlo.compare NE, %arg0, %0, UNSIGNED : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %2 = stablehlo.convert %1 : (tensor<2x4xi1>) -> tensor<2x4xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.reduce(%2 init: %c_0) applies stablehlo.add across dimensions = [1] : (tensor<2x4xi32>, tensor<i32>) -> tensor<2xi32>
    return %3 : tensor<2xi32>
  }
  func.func private @remainder(%arg0: tensor<2xi32>, %arg1: tensor<i32>) -> tensor<2xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<2xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
    %12 = stablehlo.and %11, %6 : tensor<2xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %14 = stablehlo.add %4, %13 : tensor<2xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<2xi1>, tensor<2xi32>
    return %15 : tensor<2xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_1(%arg0: tensor<2xi1>, %arg1: tensor<f32>, %arg2: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<2xi1>, tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
