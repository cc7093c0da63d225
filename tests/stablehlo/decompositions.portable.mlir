module @jit_decompositions attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<5x3xf32>) -> (tensor<2x4xf32> {jax.result_info = "result[0][0]"}, tensor<i1> {jax.result_info = "result[0][1]"}, tensor<i1> {jax.result_info = "result[0][2]"}, tensor<3xf32> {jax.result_info = "result[1][0]"}, tensor<i1> {jax.result_info = "result[1][1]"}, tensor<i1> {jax.result_info = "result[1][2]"}, tensor<3xf32> {jax.result_info = "result[1][3]"}, tensor<3xf32> {jax.result_info = "result[2][0]"}, tensor<i1> {jax.result_info = "result[2][1]"}, tensor<i1> {jax.result_info = "result[3][0]"}, tensor<i1> {jax.result_info = "result[3][1]"}, tensor<2x4x4xf32> {jax.result_info = "result[3][2]"}, tensor<2x4x4xf32> {jax.result_info = "result[3][3]"}, tensor<2x4xf32> {jax.result_info = "result[3][4]"}, tensor<2x3xf32> {jax.result_info = "result[3][5]"}, tensor<2x3xf32> {jax.result_info = "result[3][6]"}, tensor<3xi32> {jax.result_info = "result[3][7]"}, tensor<5x3xf32> {jax.result_info = "result[3][8]"}, tensor<i1> {jax.result_info = "result[3][9]"}, tensor<2x4x4xf32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<3> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2x4x4xf32>
    %2:2 = call @eigh(%1) : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>)
    %3:3 = call @svd(%arg1) : (tensor<5x3xf32>) -> (tensor<5x5xf32>, tensor<3xf32>, tensor<3x3xf32>)
    %4 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %5:3 = call @svd_0(%4) : (tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3x5xf32>)
    %6 = stablehlo.slice %arg0 [0:1, 0:4, 0:4] : (tensor<2x4x4xf32>) -> tensor<1x4x4xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %8:2 = call @_schur(%7) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
    %9 = call @hessenberg(%arg0) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %10:4 = stablehlo.custom_call @lawson.tridiagonal(%1) {api_version = 2 : i32, backend_config = "{\22lower\22: true}"} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
    %11:3 = call @_qr(%arg1) : (tensor<5x3xf32>) -> (tensor<5x5xf32>, tensor<5x3xf32>, tensor<3xi32>)
    %12 = stablehlo.dot_general %1, %2#1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %13 = stablehlo.broadcast_in_dim %2#0, dims = [0, 2] : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x1x4xf32>) -> tensor<2x4x4xf32>
    %15 = stablehlo.multiply %2#1, %14 : tensor<2x4x4xf32>
    %16 = stablehlo.subtract %12, %15 : tensor<2x4x4xf32>
    %17 = stablehlo.abs %16 : tensor<2x4x4xf32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<f32>
    %19 = stablehlo.compare LT, %18, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %20 = stablehlo.transpose %2#1, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %21 = stablehlo.dot_general %20, %2#1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %22 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %23 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %24 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %25 = stablehlo.add %22, %24 : tensor<4x4xi32>
    %26 = stablehlo.compare EQ, %25, %23, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %27 = stablehlo.convert %26 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<1x4x4xf32>) -> tensor<2x4x4xf32>
    %30 = stablehlo.subtract %21, %29 : tensor<2x4x4xf32>
    %31 = stablehlo.abs %30 : tensor<2x4x4xf32>
    %32 = stablehlo.reduce(%31 init: %cst_3) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<f32>
    %33 = stablehlo.compare LT, %32, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %34 = stablehlo.slice %3#0 [0:5, 0:3] : (tensor<5x5xf32>) -> tensor<5x3xf32>
    %35 = stablehlo.broadcast_in_dim %3#1, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<5x3xf32>
    %37 = stablehlo.multiply %34, %36 : tensor<5x3xf32>
    %38 = stablehlo.dot_general %37, %3#2, contracting_dims = [1] x [0] : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %39 = stablehlo.subtract %38, %arg1 : tensor<5x3xf32>
    %40 = stablehlo.abs %39 : tensor<5x3xf32>
    %41 = stablehlo.reduce(%40 init: %cst_3) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
    %42 = stablehlo.compare LT, %41, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %43 = stablehlo.transpose %3#0, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %44 = stablehlo.dot_general %43, %3#0, contracting_dims = [1] x [0] : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    %45 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %46 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %47 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %48 = stablehlo.add %45, %47 : tensor<5x5xi32>
    %49 = stablehlo.compare EQ, %48, %46, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %50 = stablehlo.convert %49 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %51 = stablehlo.subtract %44, %50 : tensor<5x5xf32>
    %52 = stablehlo.abs %51 : tensor<5x5xf32>
    %53 = stablehlo.reduce(%52 init: %cst_3) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x5xf32>, tensor<f32>) -> tensor<f32>
    %54 = stablehlo.compare LT, %53, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %55 = call @svd_1(%arg1) : (tensor<5x3xf32>) -> tensor<3xf32>
    %56 = stablehlo.broadcast_in_dim %5#1, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %58 = stablehlo.multiply %5#0, %57 : tensor<3x3xf32>
    %59 = stablehlo.dot_general %58, %5#2, contracting_dims = [1] x [0] : (tensor<3x3xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %60 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %61 = stablehlo.subtract %59, %60 : tensor<3x5xf32>
    %62 = stablehlo.abs %61 : tensor<3x5xf32>
    %63 = stablehlo.reduce(%62 init: %cst_3) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x5xf32>, tensor<f32>) -> tensor<f32>
    %64 = stablehlo.compare LT, %63, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %65 = stablehlo.dot_general %8#1, %8#0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %66 = stablehlo.transpose %8#1, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %67 = stablehlo.dot_general %65, %66, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %68 = stablehlo.slice %arg0 [0:1, 0:4, 0:4] : (tensor<2x4x4xf32>) -> tensor<1x4x4xf32>
    %69 = stablehlo.reshape %68 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %70 = stablehlo.subtract %67, %69 : tensor<4x4xf32>
    %71 = stablehlo.abs %70 : tensor<4x4xf32>
    %72 = stablehlo.reduce(%71 init: %cst_3) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %73 = stablehlo.compare LT, %72, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %74 = call @tril(%8#0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %75 = stablehlo.abs %74 : tensor<4x4xf32>
    %76 = stablehlo.reduce(%75 init: %cst_3) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %77 = stablehlo.compare LT, %76, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %78 = stablehlo.dot_general %11#0, %11#1, contracting_dims = [1] x [0] : (tensor<5x5xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %79 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %80 = stablehlo.compare LT, %11#2, %79, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %81 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %82 = stablehlo.add %11#2, %81 : tensor<3xi32>
    %83 = stablehlo.select %80, %82, %11#2 : tensor<3xi1>, tensor<3xi32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %85 = "stablehlo.gather"(%arg1, %84) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 5, 1>}> : (tensor<5x3xf32>, tensor<3x1xi32>) -> tensor<5x3xf32>
    %86 = stablehlo.subtract %78, %85 : tensor<5x3xf32>
    %87 = stablehlo.abs %86 : tensor<5x3xf32>
    %88 = stablehlo.reduce(%87 init: %cst_3) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
    %89 = stablehlo.compare LT, %88, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %90:4 = call @eigvalsh(%1) : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>)
    %91 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %93 = stablehlo.pad %92, %cst_0, low = [0, 3], high = [0, 0], interior = [0, 0] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x4xf32>
    %94 = call @eigvalsh_3(%90#1, %90#2, %90#3, %93) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    return %2#0, %19, %33, %3#1, %42, %54, %55, %5#1, %64, %73, %77, %9, %10#0, %10#1, %10#2, %10#3, %11#2, %11#1, %89, %94 : tensor<2x4xf32>, tensor<i1>, tensor<i1>, tensor<3xf32>, tensor<i1>, tensor<i1>, tensor<3xf32>, tensor<3xf32>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xi32>, tensor<5x3xf32>, tensor<i1>, tensor<2x4x4xf32>
  }
  func.func private @eigh(%arg0: tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2x4x4xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x4x4xf32>
    %4:2 = stablehlo.custom_call @lawson.eigh(%3) {api_version = 2 : i32, backend_config = "{\22lower\22: true}"} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>)
    return %4#1, %4#0 : tensor<2x4xf32>, tensor<2x4x4xf32>
  }
  func.func private @svd(%arg0: tensor<5x3xf32>) -> (tensor<5x5xf32>, tensor<3xf32>, tensor<3x3xf32>) {
    %0:3 = stablehlo.custom_call @lawson.svd(%arg0) {api_version = 2 : i32, backend_config = "{\22compute_uv\22: true, \22full_matrices\22: true}"} : (tensor<5x3xf32>) -> (tensor<3xf32>, tensor<5x5xf32>, tensor<3x3xf32>)
    return %0#1, %0#0, %0#2 : tensor<5x5xf32>, tensor<3xf32>, tensor<3x3xf32>
  }
  func.func private @svd_0(%arg0: tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3x5xf32>) {
    %0:3 = stablehlo.custom_call @lawson.svd(%arg0) {api_version = 2 : i32, backend_config = "{\22compute_uv\22: true, \22full_matrices\22: false}"} : (tensor<3x5xf32>) -> (tensor<3xf32>, tensor<3x3xf32>, tensor<3x5xf32>)
    return %0#1, %0#0, %0#2 : tensor<3x3xf32>, tensor<3xf32>, tensor<3x5xf32>
  }
  func.func private @_schur(%arg0: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %0:2 = stablehlo.custom_call @lawson.schur(%arg0) {api_version = 2 : i32, backend_config = "{\22vectors\22: true}"} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
    return %0#0, %0#1 : tensor<4x4xf32>, tensor<4x4xf32>
  }
  func.func private @hessenberg(%arg0: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
    %0:2 = stablehlo.custom_call @lawson.hessenberg(%arg0) {api_version = 2 : i32, backend_config = "{}"} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x3xf32>)
    %1 = call @triu(%0#0) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    return %1 : tensor<2x4x4xf32>
  }
  func.func private @triu(%arg0: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %2 = stablehlo.add %0, %1 : tensor<4x4xi32>
    %3 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %7 = stablehlo.select %5, %6, %arg0 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    return %7 : tensor<2x4x4xf32>
  }
  func.func private @_qr(%arg0: tensor<5x3xf32>) -> (tensor<5x5xf32>, tensor<5x3xf32>, tensor<3xi32>) {
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1:3 = stablehlo.custom_call @lawson.geqp3(%arg0, %0) {api_version = 2 : i32, backend_config = "{}"} : (tensor<5x3xf32>, tensor<3xi32>) -> (tensor<5x3xf32>, tensor<3xi32>, tensor<3xf32>)
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %3 = stablehlo.subtract %1#1, %2 : tensor<3xi32>
    %4 = stablehlo.pad %1#0, %cst, low = [0, 0], high = [0, 2], interior = [0, 0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5x5xf32>
    %5 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%4, %1#2) : (tensor<5x5xf32>, tensor<3xf32>) -> tensor<5x5xf32>
    %6 = stablehlo.iota dim = 0 : tensor<5x3xi32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x3xi32>
    %8 = stablehlo.add %6, %7 : tensor<5x3xi32>
    %9 = stablehlo.iota dim = 1 : tensor<5x3xi32>
    %10 = stablehlo.compare GE, %8, %9, SIGNED : (tensor<5x3xi32>, tensor<5x3xi32>) -> tensor<5x3xi1>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %12 = stablehlo.select %10, %11, %1#0 : tensor<5x3xi1>, tensor<5x3xf32>
    return %5, %12, %3 : tensor<5x5xf32>, tensor<5x3xf32>, tensor<3xi32>
  }
  func.func private @svd_1(%arg0: tensor<5x3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.custom_call @lawson.svd(%arg0) {api_version = 2 : i32, backend_config = "{\22compute_uv\22: false, \22full_matrices\22: true}"} : (tensor<5x3xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func private @tril(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %2 = stablehlo.add %0, %1 : tensor<4x4xi32>
    %3 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<4x4xi1>, tensor<4x4xf32>
    return %6 : tensor<4x4xf32>
  }
  func.func private @eigvalsh(%arg0: tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>) {
    %0:4 = call @eigh_2(%arg0) : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>)
    return %0#0, %0#2, %0#1, %0#3 : tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>
  }
  func.func private @eigh_2(%arg0: tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>) {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2x4x4xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x4x4xf32>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %5 = stablehlo.add %3, %4 : tensor<2x4x4xf32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %7 = stablehlo.divide %5, %6 : tensor<2x4x4xf32>
    %8:2 = stablehlo.custom_call @lawson.eigh(%7) {api_version = 2 : i32, backend_config = "{\22lower\22: true}"} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>)
    %9 = stablehlo.transpose %8#0, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %10 = stablehlo.iota dim = 0 : tensor<4xi32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %12 = stablehlo.compare LT, %10, %11, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %13 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %14 = stablehlo.add %10, %13 : tensor<4xi32>
    %15 = stablehlo.select %12, %14, %10 : tensor<4xi1>, tensor<4xi32>
    %16 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %17 = stablehlo.compare LT, %10, %16, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %18 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %19 = stablehlo.add %10, %18 : tensor<4xi32>
    %20 = stablehlo.select %17, %19, %10 : tensor<4xi1>, tensor<4xi32>
    %21 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %23 = stablehlo.concatenate %21, %22, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    return %8#1, %8#0, %9, %23 : tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>
  }
  func.func private @eigvalsh_3(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>, %arg2: tensor<4x2xi32>, %arg3: tensor<2x4xf32>) -> tensor<2x4x4xf32> {
    %0 = call @eigh_4(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x2xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    return %0 : tensor<2x4x4xf32>
  }
  func.func private @eigh_4(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>, %arg2: tensor<4x2xi32>, %arg3: tensor<2x4xf32>) -> tensor<2x4x4xf32> {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %1 = "stablehlo.scatter"(%0, %arg2, %arg3) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %9 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<2x4x4xf32>, tensor<4x2xi32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    %2 = stablehlo.dot_general %1, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %3 = stablehlo.dot_general %2, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x4x4xf32>
    %7 = stablehlo.transpose %6, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x4x4xf32>
    return %8 : tensor<2x4x4xf32>
  }
}
