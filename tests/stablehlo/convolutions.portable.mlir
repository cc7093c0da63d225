module @jit_convolutions attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x8x6xf32>, %arg1: tensor<4x3x3x2xf32>, %arg2: tensor<6x1x3xf32>, %arg3: tensor<2x6x9xf32>) -> (tensor<2x4x8x6xf32> {jax.result_info = "result[0]"}, tensor<2x4x7x7xf32> {jax.result_info = "result[1]"}, tensor<2x6x3x4xf32> {jax.result_info = "result[2]"}, tensor<2x6x5xf32> {jax.result_info = "result[3]"}, tensor<2x4x16x12xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x8x6xf32>, tensor<4x3x3x2xf32>) -> tensor<2x4x8x6xf32>
    %1 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 0], [2, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x8x6xf32>, tensor<4x3x3x2xf32>) -> tensor<2x4x7x7xf32>
    %2 = stablehlo.transpose %arg0, dims = [0, 2, 3, 1] : (tensor<2x3x8x6xf32>) -> tensor<2x8x6x3xf32>
    %3 = stablehlo.transpose %arg1, dims = [2, 3, 1, 0] : (tensor<4x3x3x2xf32>) -> tensor<3x2x3x4xf32>
    %4 = stablehlo.convolution(%2, %3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x6x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x6x3x4xf32>
    %5 = stablehlo.convolution(%arg3, %arg2) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<2x6x9xf32>, tensor<6x1x3xf32>) -> tensor<2x6x5xf32>
    %6 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[2, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x8x6xf32>, tensor<4x3x3x2xf32>) -> tensor<2x4x16x12xf32>
    return %0, %1, %4, %5, %6 : tensor<2x4x8x6xf32>, tensor<2x4x7x7xf32>, tensor<2x6x3x4xf32>, tensor<2x6x5xf32>, tensor<2x4x16x12xf32>
  }
}
