module @jit_factors attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x3xf32>, %arg1: tensor<2x4x4xf32>) -> (tensor<5x3xf32> {jax.result_info = "result[0].Q"}, tensor<3x3xf32> {jax.result_info = "result[0].R"}, tensor<3x3xf32> {jax.result_info = "result[1].Q"}, tensor<3x5xf32> {jax.result_info = "result[1].R"}, tensor<2x4x4xf32> {jax.result_info = "result[2][0]"}, tensor<2x4xi32> {jax.result_info = "result[2][1]"}, tensor<2x4xi32> {jax.result_info = "result[2][2]"}, tensor<2x4x4xf32> {jax.result_info = "result[3]"}, tensor<2xf32> {jax.result_info = "result[4].sign"}, tensor<2xf32> {jax.result_info = "result[4].logabsdet"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<> : tensor<0xi32>
    %0:2 = call @qr(%arg0) : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>)
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %2:2 = call @qr_0(%1) : (tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x5xf32>)
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.iota dim = 0 : tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %6 = stablehlo.iota dim = 0 : tensor<4xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %9:5 = stablehlo.while(%iterArg = %c_1, %iterArg_3 = %c_1, %iterArg_4 = %7, %iterArg_5 = %8, %iterArg_6 = %arg1) : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    cond {
      %38 = stablehlo.compare LT, %iterArg, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %38 : tensor<i1>
    } do {
      %38:4 = func.call @closed_call(%iterArg_3, %iterArg_4, %iterArg_5, %iterArg_6) : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
      %39 = stablehlo.add %iterArg, %c : tensor<i32>
      stablehlo.return %39, %38#0, %38#1, %38#2, %38#3 : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    }
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %11 = stablehlo.add %9#2, %10 : tensor<2x4xi32>
    %12 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %13 = "stablehlo.scatter"(%12, %c_2, %11) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      stablehlo.return %arg3 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %14 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %15 = stablehlo.add %9#3, %14 : tensor<2x4xi32>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %17 = stablehlo.compare LT, %15, %16, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %18 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %19 = stablehlo.add %15, %18 : tensor<2x4xi32>
    %20 = stablehlo.select %17, %19, %15 : tensor<2x4xi1>, tensor<2x4xi32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %22 = "stablehlo.gather"(%4, %21) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<2x4x1xi32>) -> tensor<2x4xi32>
    %23 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %24 = "stablehlo.scatter"(%23, %c_2, %22) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      stablehlo.return %arg3 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %25 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %26 = stablehlo.add %9#3, %25 : tensor<2x4xi32>
    %27 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %28 = stablehlo.compare LT, %26, %27, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %29 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %30 = stablehlo.add %26, %29 : tensor<2x4xi32>
    %31 = stablehlo.select %28, %30, %26 : tensor<2x4xi1>, tensor<2x4xi32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %33 = "stablehlo.gather"(%arg1, %32) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
    %34 = "stablehlo.scatter"(%arg1, %c_2, %33) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
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
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %0:2 = stablehlo.custom_call @Qr(%arg0) : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
    %1 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %2 = stablehlo.slice %0#0 [0:3, 0:3] : (tensor<5x3xf32>) -> tensor<3x3xf32>
    %3 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %5 = stablehlo.add %3, %4 : tensor<3x3xi32>
    %6 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %9 = stablehlo.select %7, %8, %2 : tensor<3x3xi1>, tensor<3x3xf32>
    return %1, %9 : tensor<5x3xf32>, tensor<3x3xf32>
  }
  func.func private @qr_0(%arg0: tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x5xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %0:2 = stablehlo.custom_call @Qr(%arg0) : (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)
    %1 = stablehlo.slice %0#0 [0:3, 0:3] : (tensor<3x5xf32>) -> tensor<3x3xf32>
    %2 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%1, %0#1) : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %3 = stablehlo.iota dim = 0 : tensor<3x5xi32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x5xi32>
    %5 = stablehlo.add %3, %4 : tensor<3x5xi32>
    %6 = stablehlo.iota dim = 1 : tensor<3x5xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi1>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %9 = stablehlo.select %7, %8, %0#0 : tensor<3x5xi1>, tensor<3x5xf32>
    return %2, %9 : tensor<3x3xf32>, tensor<3x5xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2x4xi32>, %arg2: tensor<2x4xi32>, %arg3: tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<4> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c_2 : tensor<i32>
    %1 = stablehlo.iota dim = 0 : tensor<4xi32>
    %2 = stablehlo.iota dim = 0 : tensor<4xi32>
    %3 = stablehlo.convert %arg0 : tensor<i32>
    %4 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.add %c_1, %c : tensor<i32>
    %6 = stablehlo.select %4, %5, %c_1 : tensor<i1>, tensor<i32>
    %7 = stablehlo.compare LT, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = stablehlo.add %3, %c : tensor<i32>
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
    %19 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<4xi1>) -> tensor<2x4xi1>
    %21 = stablehlo.broadcast_in_dim %19, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    %22 = stablehlo.select %20, %15, %21 : tensor<2x4xi1>, tensor<2x4xf32>
    %23 = call @argmax(%22) : (tensor<2x4xf32>) -> tensor<2xi32>
    %24 = stablehlo.compare LT, %arg0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %25 = stablehlo.add %arg0, %c : tensor<i32>
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
    %35 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %36 = stablehlo.compare LT, %34, %35, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %37 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %38 = stablehlo.add %34, %37 : tensor<2x2xi32>
    %39 = stablehlo.select %36, %38, %34 : tensor<2x2xi1>, tensor<2x2xi32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %41 = "stablehlo.gather"(%arg3, %40) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x2x1xi32>) -> tensor<2x2x4xf32>
    %42 = stablehlo.convert %arg0 : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %44 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %45 = stablehlo.broadcast_in_dim %43, dims = [1] : (tensor<1xi32>) -> tensor<2x1xi32>
    %46 = stablehlo.concatenate %45, %44, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %47 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %48 = stablehlo.compare LT, %46, %47, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %49 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %50 = stablehlo.add %46, %49 : tensor<2x2xi32>
    %51 = stablehlo.select %48, %50, %46 : tensor<2x2xi1>, tensor<2x2xi32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %53 = "stablehlo.scatter"(%arg3, %52, %41) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<2x2x1xi32>, tensor<2x2x4xf32>) -> tensor<2x4x4xf32>
    %54 = stablehlo.convert %arg0 : tensor<i32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %56 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %57 = stablehlo.broadcast_in_dim %55, dims = [1] : (tensor<1xi32>) -> tensor<2x1xi32>
    %58 = stablehlo.concatenate %57, %56, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %59 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %60 = stablehlo.compare LT, %58, %59, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %61 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %62 = stablehlo.add %58, %61 : tensor<2x2xi32>
    %63 = stablehlo.select %60, %62, %58 : tensor<2x2xi1>, tensor<2x2xi32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %65 = "stablehlo.gather"(%arg2, %64) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xi32>, tensor<2x2x1xi32>) -> tensor<2x2xi32>
    %66 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %67 = stablehlo.convert %arg0 : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [1] : (tensor<1xi32>) -> tensor<2x1xi32>
    %70 = stablehlo.concatenate %66, %69, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %71 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %72 = stablehlo.compare LT, %70, %71, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %73 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %74 = stablehlo.add %70, %73 : tensor<2x2xi32>
    %75 = stablehlo.select %72, %74, %70 : tensor<2x2xi1>, tensor<2x2xi32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %77 = "stablehlo.scatter"(%arg2, %76, %65) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      stablehlo.return %arg5 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<2x2x1xi32>, tensor<2x2xi32>) -> tensor<2x4xi32>
    %78 = stablehlo.convert %arg0 : tensor<i32>
    %79 = stablehlo.convert %arg0 : tensor<i32>
    %80 = stablehlo.compare LT, %78, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %81 = stablehlo.add %78, %c : tensor<i32>
    %82 = stablehlo.select %80, %81, %78 : tensor<i1>, tensor<i32>
    %83 = stablehlo.compare LT, %79, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %84 = stablehlo.add %79, %c : tensor<i32>
    %85 = stablehlo.select %83, %84, %79 : tensor<i1>, tensor<i32>
    %86 = stablehlo.broadcast_in_dim %82, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %87 = stablehlo.broadcast_in_dim %85, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %88 = stablehlo.concatenate %86, %87, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %89 = "stablehlo.gather"(%53, %88) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
    %90 = stablehlo.reshape %89 : (tensor<2x1x1xf32>) -> tensor<2xf32>
    %91 = stablehlo.convert %arg0 : tensor<i32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %93 = stablehlo.compare GT, %1, %92, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %94 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %95 = stablehlo.compare NE, %90, %94, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %96 = stablehlo.broadcast_in_dim %93, dims = [1] : (tensor<4xi1>) -> tensor<1x4xi1>
    %97 = stablehlo.broadcast_in_dim %95, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %98 = stablehlo.broadcast_in_dim %96, dims = [0, 1] : (tensor<1x4xi1>) -> tensor<2x4xi1>
    %99 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %100 = stablehlo.and %98, %99 : tensor<2x4xi1>
    %101 = stablehlo.convert %arg0 : tensor<i32>
    %102 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %103 = stablehlo.add %c_1, %c : tensor<i32>
    %104 = stablehlo.select %102, %103, %c_1 : tensor<i1>, tensor<i32>
    %105 = stablehlo.compare LT, %101, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %106 = stablehlo.add %101, %c : tensor<i32>
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
    %117 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %118 = stablehlo.add %c_1, %c : tensor<i32>
    %119 = stablehlo.select %117, %118, %c_1 : tensor<i1>, tensor<i32>
    %120 = stablehlo.compare LT, %116, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %121 = stablehlo.add %116, %c : tensor<i32>
    %122 = stablehlo.select %120, %121, %116 : tensor<i1>, tensor<i32>
    %123 = stablehlo.broadcast_in_dim %119, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %124 = stablehlo.broadcast_in_dim %122, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %125 = stablehlo.concatenate %123, %124, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %126 = "stablehlo.gather"(%53, %125) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %127 = stablehlo.reshape %126 : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %128 = stablehlo.select %100, %115, %127 : tensor<2x4xi1>, tensor<2x4xf32>
    %129 = stablehlo.compare LT, %arg0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %130 = stablehlo.add %arg0, %c : tensor<i32>
    %131 = stablehlo.select %129, %130, %arg0 : tensor<i1>, tensor<i32>
    %132 = stablehlo.convert %131 : tensor<i32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %134 = "stablehlo.scatter"(%53, %133, %128) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<1xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    %135 = stablehlo.convert %arg0 : tensor<i32>
    %136 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %137 = stablehlo.add %c_1, %c : tensor<i32>
    %138 = stablehlo.select %136, %137, %c_1 : tensor<i1>, tensor<i32>
    %139 = stablehlo.compare LT, %135, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %140 = stablehlo.add %135, %c : tensor<i32>
    %141 = stablehlo.select %139, %140, %135 : tensor<i1>, tensor<i32>
    %142 = stablehlo.broadcast_in_dim %138, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %143 = stablehlo.broadcast_in_dim %141, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %144 = stablehlo.concatenate %142, %143, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %145 = "stablehlo.gather"(%134, %144) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1, 2]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 4, 1>}> : (tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<2x4x1xf32>
    %146 = stablehlo.reshape %145 : (tensor<2x4x1xf32>) -> tensor<2x4xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %148 = stablehlo.convert %arg0 : tensor<i32>
    %149 = stablehlo.compare LT, %148, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %150 = stablehlo.add %148, %c : tensor<i32>
    %151 = stablehlo.select %149, %150, %148 : tensor<i1>, tensor<i32>
    %152 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %153 = stablehlo.add %c_1, %c : tensor<i32>
    %154 = stablehlo.select %152, %153, %c_1 : tensor<i1>, tensor<i32>
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
    %175 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %176 = stablehlo.broadcast_in_dim %174, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %177 = stablehlo.broadcast_in_dim %175, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
    %178 = stablehlo.select %176, %163, %177 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    %179 = stablehlo.subtract %134, %178 : tensor<2x4x4xf32>
    return %0, %29, %77, %179 : tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
  }
  func.func private @argmax(%arg0: tensor<2x4xf32>) -> tensor<2xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi32>
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
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %3 = stablehlo.add %0, %2 : tensor<4x4xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %5 = stablehlo.convert %4 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
    %7 = call @solve(%arg0, %6) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    return %7 : tensor<2x4x4xf32>
  }
  func.func private @solve(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %c_1 = stablehlo.constant dense<> : tensor<0xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.iota dim = 0 : tensor<4xi32>
    %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %2 = stablehlo.iota dim = 0 : tensor<4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %5:5 = stablehlo.while(%iterArg = %c_2, %iterArg_3 = %c_2, %iterArg_4 = %3, %iterArg_5 = %4, %iterArg_6 = %arg0) : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    cond {
      %31 = stablehlo.compare LT, %iterArg, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %31 : tensor<i1>
    } do {
      %31:4 = func.call @closed_call(%iterArg_3, %iterArg_4, %iterArg_5, %iterArg_6) : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
      %32 = stablehlo.add %iterArg, %c : tensor<i32>
      stablehlo.return %32, %31#0, %31#1, %31#2, %31#3 : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    }
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %7 = stablehlo.add %5#3, %6 : tensor<2x4xi32>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %9 = stablehlo.compare LT, %7, %8, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %11 = stablehlo.add %7, %10 : tensor<2x4xi32>
    %12 = stablehlo.select %9, %11, %7 : tensor<2x4xi1>, tensor<2x4xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %14 = "stablehlo.gather"(%0, %13) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<2x4x1xi32>) -> tensor<2x4xi32>
    %15 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %16 = "stablehlo.scatter"(%15, %c_1, %14) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      stablehlo.return %arg3 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %17 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %18 = stablehlo.add %5#3, %17 : tensor<2x4xi32>
    %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %20 = stablehlo.compare LT, %18, %19, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %21 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %22 = stablehlo.add %18, %21 : tensor<2x4xi32>
    %23 = stablehlo.select %20, %22, %18 : tensor<2x4xi1>, tensor<2x4xi32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %25 = "stablehlo.gather"(%arg0, %24) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
    %26 = "stablehlo.scatter"(%arg0, %c_1, %25) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %27 = "stablehlo.scatter"(%26, %c_1, %5#4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %28 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %29 = call @_lu_solve(%27, %16, %28) : (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %30 = stablehlo.transpose %29, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    return %30 : tensor<2x4x4xf32>
  }
  func.func private @_lu_solve(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4xi32>, %arg2: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x1xf32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<2x4xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<2x4xi1>, tensor<2x4xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %7 = "stablehlo.gather"(%0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4, 1, 1>}> : (tensor<2x4x4x1xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4x1xf32>
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
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %c_2 = stablehlo.constant dense<false> : tensor<i1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %c_5 = stablehlo.constant dense<4> : tensor<i32>
    %c_6 = stablehlo.constant dense<> : tensor<0xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %2 = stablehlo.iota dim = 0 : tensor<4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %5:5 = stablehlo.while(%iterArg = %c_7, %iterArg_8 = %c_7, %iterArg_9 = %3, %iterArg_10 = %4, %iterArg_11 = %arg0) : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    cond {
      %47 = stablehlo.compare LT, %iterArg, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %47 : tensor<i1>
    } do {
      %47:4 = func.call @closed_call(%iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>) -> (tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>)
      %48 = stablehlo.add %iterArg, %c_4 : tensor<i32>
      stablehlo.return %48, %47#0, %47#1, %47#2, %47#3 : tensor<i32>, tensor<i32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4x4xf32>
    }
    %6 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %7 = stablehlo.add %5#2, %6 : tensor<2x4xi32>
    %8 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
    %9 = "stablehlo.scatter"(%8, %c_6, %7) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      stablehlo.return %arg2 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<0xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %10 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %11 = stablehlo.add %5#3, %10 : tensor<2x4xi32>
    %12 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %13 = stablehlo.compare LT, %11, %12, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %14 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %15 = stablehlo.add %11, %14 : tensor<2x4xi32>
    %16 = stablehlo.select %13, %15, %11 : tensor<2x4xi1>, tensor<2x4xi32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %18 = "stablehlo.gather"(%arg0, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
    %19 = "stablehlo.scatter"(%arg0, %c_6, %18) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      stablehlo.return %arg2 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %20 = "stablehlo.scatter"(%19, %c_6, %5#4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      stablehlo.return %arg2 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<0xi32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %21 = call @diagonal(%20) : (tensor<2x4x4xf32>) -> tensor<2x4xf32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %23 = stablehlo.compare EQ, %21, %22, FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %24 = stablehlo.reduce(%23 init: %c_2) applies stablehlo.or across dimensions = [1] : (tensor<2x4xi1>, tensor<i1>) -> tensor<2xi1>
    %25 = stablehlo.iota dim = 0 : tensor<4xi32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<2x4xi32>
    %28 = stablehlo.compare NE, %9, %27, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %29 = call @count_nonzero(%28) : (tensor<2x4xi1>) -> tensor<2xi32>
    %30 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %31 = stablehlo.compare LT, %21, %30, FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %32 = call @count_nonzero(%31) : (tensor<2x4xi1>) -> tensor<2xi32>
    %33 = stablehlo.add %29, %32 : tensor<2xi32>
    %34 = call @remainder(%33, %c_1) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %35 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %36 = stablehlo.multiply %35, %34 : tensor<2xi32>
    %37 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %38 = stablehlo.add %36, %37 : tensor<2xi32>
    %39 = stablehlo.convert %38 : (tensor<2xi32>) -> tensor<2xf32>
    %40 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %41 = stablehlo.multiply %40, %39 : tensor<2xf32>
    %42 = call @_where_1(%24, %cst_3, %41) : (tensor<2xi1>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
    %43 = stablehlo.abs %21 : tensor<2x4xf32>
    %44 = stablehlo.log %43 : tensor<2x4xf32>
    %45 = stablehlo.reduce(%44 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %46 = call @_where_1(%24, %cst, %45) : (tensor<2xi1>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
    return %42, %46 : tensor<2xf32>, tensor<2xf32>
  }
  func.func private @diagonal(%arg0: tensor<2x4x4xf32>) -> tensor<2x4xf32> {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.iota dim = 0 : tensor<4xi32>
    %1 = stablehlo.iota dim = 0 : tensor<4xi32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.compare LT, %0, %2, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %5 = stablehlo.add %0, %4 : tensor<4xi32>
    %6 = stablehlo.select %3, %5, %0 : tensor<4xi1>, tensor<4xi32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %10 = stablehlo.add %1, %9 : tensor<4xi32>
    %11 = stablehlo.select %8, %10, %1 : tensor<4xi1>, tensor<4xi32>
    %12 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %15 = "stablehlo.gather"(%arg0, %14) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 1>}> : (tensor<2x4x4xf32>, tensor<4x2xi32>) -> tensor<2x4xf32>
    return %15 : tensor<2x4xf32>
  }
  func.func private @count_nonzero(%arg0: tensor<2x4xi1>) -> tensor<2xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<2x4xi1>
    %1 = stablehlo.compare NE, %arg0, %0, UNSIGNED : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %2 = stablehlo.convert %1 : (tensor<2x4xi1>) -> tensor<2x4xi32>
    %3 = stablehlo.reduce(%2 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x4xi32>, tensor<i32>) -> tensor<2xi32>
    return %3 : tensor<2xi32>
  }
  func.func private @remainder(%arg0: tensor<2xi32>, %arg1: tensor<i32>) -> tensor<2xi32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = call @_where(%1, %c, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<2xi32>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %9 = stablehlo.compare LT, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
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
