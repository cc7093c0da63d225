"builtin.module"() <{sym_name = "jit_random_bits"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xui32>) -> (tensor<4xui32>, tensor<5xui8>, tensor<4xui32>, tensor<3x5xui16>, tensor<4xui32>, tensor<3x4xui32>, tensor<4xui32>, tensor<2x3xui64>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<5xui8>, tensor<4xui32>, tensor<3x5xui16>, tensor<4xui32>, tensor<3x4xui32>, tensor<4xui32>, tensor<2x3xui64>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<5xui8>, tensor<4xui32>, tensor<3x5xui16>, tensor<4xui32>, tensor<3x4xui32>, tensor<4xui32>, tensor<2x3xui64>, tensor<4xui32>, tensor<ui32>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[2][0]"}, {jax.result_info = "result[2][1]"}, {jax.result_info = "result[3][0]"}, {jax.result_info = "result[3][1]"}, {jax.result_info = "result[4][0]"}, {jax.result_info = "result[4][1]"}, {jax.result_info = "result[5][0]"}, {jax.result_info = "result[5][1]"}, {jax.result_info = "result[6][0]"}, {jax.result_info = "result[6][1]"}, {jax.result_info = "result[7][0]"}, {jax.result_info = "result[7][1]"}, {jax.result_info = "result[8][0]"}, {jax.result_info = "result[8][1]"}, {jax.result_info = "result[9][0]"}, {jax.result_info = "result[9][1]"}, {jax.result_info = "result[10][0]"}, {jax.result_info = "result[10][1]"}, {jax.result_info = "result[11][0]"}, {jax.result_info = "result[11][1]"}, {jax.result_info = "result[12][0]"}, {jax.result_info = "result[12][1]"}, {jax.result_info = "result[13][0]"}, {jax.result_info = "result[13][1]"}, {jax.result_info = "result[14][0]"}, {jax.result_info = "result[14][1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xui32>):
    %0 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %1 = "stablehlo.bitcast_convert"(%0) : (tensor<2x2xui32>) -> tensor<2xui64>
    %2:2 = "stablehlo.rng_bit_generator"(%1) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    %3 = "stablehlo.bitcast_convert"(%2#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %4 = "stablehlo.reshape"(%3) : (tensor<2x2xui32>) -> tensor<4xui32>
    %5 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %6 = "stablehlo.bitcast_convert"(%5) : (tensor<2x2xui32>) -> tensor<2xui64>
    %7:2 = "stablehlo.rng_bit_generator"(%6) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui16>)
    %8 = "stablehlo.bitcast_convert"(%7#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %9 = "stablehlo.reshape"(%8) : (tensor<2x2xui32>) -> tensor<4xui32>
    %10 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %11 = "stablehlo.bitcast_convert"(%10) : (tensor<2x2xui32>) -> tensor<2xui64>
    %12:2 = "stablehlo.rng_bit_generator"(%11) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    %13 = "stablehlo.bitcast_convert"(%12#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x2xui32>) -> tensor<4xui32>
    %15 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %16 = "stablehlo.bitcast_convert"(%15) : (tensor<2x2xui32>) -> tensor<2xui64>
    %17:2 = "stablehlo.rng_bit_generator"(%16) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui64>)
    %18 = "stablehlo.bitcast_convert"(%17#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %19 = "stablehlo.reshape"(%18) : (tensor<2x2xui32>) -> tensor<4xui32>
    %20 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %21 = "stablehlo.bitcast_convert"(%20) : (tensor<2x2xui32>) -> tensor<2xui64>
    %22:2 = "stablehlo.rng_bit_generator"(%21) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %23 = "stablehlo.bitcast_convert"(%22#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %24 = "stablehlo.reshape"(%23) : (tensor<2x2xui32>) -> tensor<4xui32>
    %25 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %26 = "stablehlo.bitcast_convert"(%25) : (tensor<2x2xui32>) -> tensor<2xui64>
    %27:2 = "stablehlo.rng_bit_generator"(%26) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    %28 = "stablehlo.bitcast_convert"(%27#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %29 = "stablehlo.reshape"(%28) : (tensor<2x2xui32>) -> tensor<4xui32>
    %30 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %31 = "stablehlo.bitcast_convert"(%30) : (tensor<2x2xui32>) -> tensor<2xui64>
    %32:2 = "stablehlo.rng_bit_generator"(%31) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui16>)
    %33 = "stablehlo.bitcast_convert"(%32#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %34 = "stablehlo.reshape"(%33) : (tensor<2x2xui32>) -> tensor<4xui32>
    %35 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %36 = "stablehlo.bitcast_convert"(%35) : (tensor<2x2xui32>) -> tensor<2xui64>
    %37:2 = "stablehlo.rng_bit_generator"(%36) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    %38 = "stablehlo.bitcast_convert"(%37#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %39 = "stablehlo.reshape"(%38) : (tensor<2x2xui32>) -> tensor<4xui32>
    %40 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %41 = "stablehlo.bitcast_convert"(%40) : (tensor<2x2xui32>) -> tensor<2xui64>
    %42:2 = "stablehlo.rng_bit_generator"(%41) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui64>)
    %43 = "stablehlo.bitcast_convert"(%42#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %44 = "stablehlo.reshape"(%43) : (tensor<2x2xui32>) -> tensor<4xui32>
    %45 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %46 = "stablehlo.bitcast_convert"(%45) : (tensor<2x2xui32>) -> tensor<2xui64>
    %47:2 = "stablehlo.rng_bit_generator"(%46) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %48 = "stablehlo.bitcast_convert"(%47#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %49 = "stablehlo.reshape"(%48) : (tensor<2x2xui32>) -> tensor<4xui32>
    %50 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %51 = "stablehlo.bitcast_convert"(%50) : (tensor<2x2xui32>) -> tensor<2xui64>
    %52:2 = "stablehlo.rng_bit_generator"(%51) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    %53 = "stablehlo.bitcast_convert"(%52#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %54 = "stablehlo.reshape"(%53) : (tensor<2x2xui32>) -> tensor<4xui32>
    %55 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %56 = "stablehlo.bitcast_convert"(%55) : (tensor<2x2xui32>) -> tensor<2xui64>
    %57:2 = "stablehlo.rng_bit_generator"(%56) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui16>)
    %58 = "stablehlo.bitcast_convert"(%57#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %59 = "stablehlo.reshape"(%58) : (tensor<2x2xui32>) -> tensor<4xui32>
    %60 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %61 = "stablehlo.bitcast_convert"(%60) : (tensor<2x2xui32>) -> tensor<2xui64>
    %62:2 = "stablehlo.rng_bit_generator"(%61) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    %63 = "stablehlo.bitcast_convert"(%62#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %64 = "stablehlo.reshape"(%63) : (tensor<2x2xui32>) -> tensor<4xui32>
    %65 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %66 = "stablehlo.bitcast_convert"(%65) : (tensor<2x2xui32>) -> tensor<2xui64>
    %67:2 = "stablehlo.rng_bit_generator"(%66) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui64>)
    %68 = "stablehlo.bitcast_convert"(%67#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %69 = "stablehlo.reshape"(%68) : (tensor<2x2xui32>) -> tensor<4xui32>
    %70 = "stablehlo.reshape"(%arg0) : (tensor<4xui32>) -> tensor<2x2xui32>
    %71 = "stablehlo.bitcast_convert"(%70) : (tensor<2x2xui32>) -> tensor<2xui64>
    %72:2 = "stablehlo.rng_bit_generator"(%71) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %73 = "stablehlo.bitcast_convert"(%72#0) : (tensor<2xui64>) -> tensor<2x2xui32>
    %74 = "stablehlo.reshape"(%73) : (tensor<2x2xui32>) -> tensor<4xui32>
    "func.return"(%4, %2#1, %9, %7#1, %14, %12#1, %19, %17#1, %24, %22#1, %29, %27#1, %34, %32#1, %39, %37#1, %44, %42#1, %49, %47#1, %54, %52#1, %59, %57#1, %64, %62#1, %69, %67#1, %74, %72#1) : (tensor<4xui32>, tensor<5xui8>, tensor<4xui32>, tensor<3x5xui16>, tensor<4xui32>, tensor<3x4xui32>, tensor<4xui32>, tensor<2x3xui64>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<5xui8>, tensor<4xui32>, tensor<3x5xui16>, tensor<4xui32>, tensor<3x4xui32>, tensor<4xui32>, tensor<2x3xui64>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<5xui8>, tensor<4xui32>, tensor<3x5xui16>, tensor<4xui32>, tensor<3x4xui32>, tensor<4xui32>, tensor<2x3xui64>, tensor<4xui32>, tensor<ui32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
