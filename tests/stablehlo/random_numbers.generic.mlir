"builtin.module"() <{sym_name = "jit_random_numbers"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2xui32>) -> (tensor<5xf32>, tensor<3x2xf32>, tensor<6xi32>, tensor<4xui32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg35: tensor<2xui32>):
    %1141 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %1142 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %1143 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1144 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1145 = "func.call"(%arg35) <{callee = @_threefry_split}> : (tensor<2xui32>) -> tensor<2x2xui32>
    %1146 = "stablehlo.slice"(%1145) <{limit_indices = array<i64: 1, 2>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %1147 = "stablehlo.reshape"(%1146) : (tensor<1x2xui32>) -> tensor<2xui32>
    %1148 = "stablehlo.slice"(%1145) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %1149 = "stablehlo.reshape"(%1148) : (tensor<1x2xui32>) -> tensor<2xui32>
    %1150 = "func.call"(%1147) <{callee = @_normal}> : (tensor<2xui32>) -> tensor<5xf32>
    %1151 = "func.call"(%1149, %1144, %1143) <{callee = @_uniform_1}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
    %1152 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi32>
    %1153 = "func.call"(%1147, %1152) <{callee = @_shuffle}> : (tensor<2xui32>, tensor<6xi32>) -> tensor<6xi32>
    %1154 = "stablehlo.slice"(%1149) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1155 = "stablehlo.reshape"(%1154) : (tensor<1xui32>) -> tensor<ui32>
    %1156 = "stablehlo.slice"(%1149) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1157 = "stablehlo.reshape"(%1156) : (tensor<1xui32>) -> tensor<ui32>
    %1158 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xui64>
    %1159 = "stablehlo.broadcast_in_dim"(%1142) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<4xui64>
    %1160 = "stablehlo.multiply"(%1159, %1158) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
    %1161 = "stablehlo.broadcast_in_dim"(%1141) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<4xui64>
    %1162 = "stablehlo.shift_right_logical"(%1160, %1161) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
    %1163 = "stablehlo.convert"(%1160) : (tensor<4xui64>) -> tensor<4xui32>
    %1164 = "stablehlo.convert"(%1162) : (tensor<4xui64>) -> tensor<4xui32>
    %1165:2 = "func.call"(%1155, %1157, %1164, %1163) <{callee = @threefry2x32_4}> : (tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>)
    %1166 = "stablehlo.xor"(%1165#0, %1165#1) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    "func.return"(%1150, %1151, %1153, %1166) : (tensor<5xf32>, tensor<3x2xf32>, tensor<6xi32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2xui32>) -> tensor<2x2xui32>, res_attrs = [{}], sym_name = "_threefry_split", sym_visibility = "private"}> ({
  ^bb0(%arg34: tensor<2xui32>):
    %1124 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %1125 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %1126 = "stablehlo.slice"(%arg34) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1127 = "stablehlo.reshape"(%1126) : (tensor<1xui32>) -> tensor<ui32>
    %1128 = "stablehlo.slice"(%arg34) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1129 = "stablehlo.reshape"(%1128) : (tensor<1xui32>) -> tensor<ui32>
    %1130 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xui64>
    %1131 = "stablehlo.broadcast_in_dim"(%1125) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %1132 = "stablehlo.multiply"(%1131, %1130) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %1133 = "stablehlo.broadcast_in_dim"(%1124) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %1134 = "stablehlo.shift_right_logical"(%1132, %1133) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %1135 = "stablehlo.convert"(%1132) : (tensor<2xui64>) -> tensor<2xui32>
    %1136 = "stablehlo.convert"(%1134) : (tensor<2xui64>) -> tensor<2xui32>
    %1137:2 = "func.call"(%1127, %1129, %1136, %1135) <{callee = @threefry2x32}> : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
    %1138 = "stablehlo.broadcast_in_dim"(%1137#0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %1139 = "stablehlo.broadcast_in_dim"(%1137#1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %1140 = "stablehlo.concatenate"(%1138, %1139) <{dimension = 1 : i64}> : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
    "func.return"(%1140) : (tensor<2x2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>), sym_name = "threefry2x32", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<ui32>, %arg31: tensor<ui32>, %arg32: tensor<2xui32>, %arg33: tensor<2xui32>):
    %932 = "stablehlo.constant"() <{value = dense<5> : tensor<ui32>}> : () -> tensor<ui32>
    %933 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
    %934 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
    %935 = "stablehlo.constant"() <{value = dense<8> : tensor<ui32>}> : () -> tensor<ui32>
    %936 = "stablehlo.constant"() <{value = dense<24> : tensor<ui32>}> : () -> tensor<ui32>
    %937 = "stablehlo.constant"() <{value = dense<16> : tensor<ui32>}> : () -> tensor<ui32>
    %938 = "stablehlo.constant"() <{value = dense<3> : tensor<ui32>}> : () -> tensor<ui32>
    %939 = "stablehlo.constant"() <{value = dense<29> : tensor<ui32>}> : () -> tensor<ui32>
    %940 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
    %941 = "stablehlo.constant"() <{value = dense<6> : tensor<ui32>}> : () -> tensor<ui32>
    %942 = "stablehlo.constant"() <{value = dense<26> : tensor<ui32>}> : () -> tensor<ui32>
    %943 = "stablehlo.constant"() <{value = dense<17> : tensor<ui32>}> : () -> tensor<ui32>
    %944 = "stablehlo.constant"() <{value = dense<15> : tensor<ui32>}> : () -> tensor<ui32>
    %945 = "stablehlo.constant"() <{value = dense<19> : tensor<ui32>}> : () -> tensor<ui32>
    %946 = "stablehlo.constant"() <{value = dense<13> : tensor<ui32>}> : () -> tensor<ui32>
    %947 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %948 = "stablehlo.xor"(%arg30, %arg31) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %949 = "stablehlo.xor"(%948, %947) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %950 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %951 = "stablehlo.add"(%arg32, %950) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %952 = "stablehlo.broadcast_in_dim"(%arg31) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %953 = "stablehlo.add"(%arg33, %952) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %954 = "stablehlo.add"(%951, %953) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %955 = "stablehlo.broadcast_in_dim"(%946) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %956 = "stablehlo.shift_left"(%953, %955) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %957 = "stablehlo.broadcast_in_dim"(%945) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %958 = "stablehlo.shift_right_logical"(%953, %957) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %959 = "stablehlo.or"(%956, %958) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %960 = "stablehlo.xor"(%954, %959) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %961 = "stablehlo.add"(%954, %960) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %962 = "stablehlo.broadcast_in_dim"(%944) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %963 = "stablehlo.shift_left"(%960, %962) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %964 = "stablehlo.broadcast_in_dim"(%943) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %965 = "stablehlo.shift_right_logical"(%960, %964) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %966 = "stablehlo.or"(%963, %965) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %967 = "stablehlo.xor"(%961, %966) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %968 = "stablehlo.add"(%961, %967) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %969 = "stablehlo.broadcast_in_dim"(%942) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %970 = "stablehlo.shift_left"(%967, %969) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %971 = "stablehlo.broadcast_in_dim"(%941) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %972 = "stablehlo.shift_right_logical"(%967, %971) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %973 = "stablehlo.or"(%970, %972) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %974 = "stablehlo.xor"(%968, %973) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %975 = "stablehlo.add"(%968, %974) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %976 = "stablehlo.broadcast_in_dim"(%941) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %977 = "stablehlo.shift_left"(%974, %976) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %978 = "stablehlo.broadcast_in_dim"(%942) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %979 = "stablehlo.shift_right_logical"(%974, %978) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %980 = "stablehlo.or"(%977, %979) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %981 = "stablehlo.xor"(%975, %980) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %982 = "stablehlo.broadcast_in_dim"(%arg31) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %983 = "stablehlo.add"(%975, %982) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %984 = "stablehlo.broadcast_in_dim"(%949) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %985 = "stablehlo.add"(%981, %984) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %986 = "stablehlo.broadcast_in_dim"(%940) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %987 = "stablehlo.add"(%985, %986) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %988 = "stablehlo.add"(%983, %987) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %989 = "stablehlo.broadcast_in_dim"(%943) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %990 = "stablehlo.shift_left"(%987, %989) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %991 = "stablehlo.broadcast_in_dim"(%944) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %992 = "stablehlo.shift_right_logical"(%987, %991) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %993 = "stablehlo.or"(%990, %992) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %994 = "stablehlo.xor"(%988, %993) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %995 = "stablehlo.add"(%988, %994) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %996 = "stablehlo.broadcast_in_dim"(%939) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %997 = "stablehlo.shift_left"(%994, %996) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %998 = "stablehlo.broadcast_in_dim"(%938) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %999 = "stablehlo.shift_right_logical"(%994, %998) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1000 = "stablehlo.or"(%997, %999) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1001 = "stablehlo.xor"(%995, %1000) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1002 = "stablehlo.add"(%995, %1001) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1003 = "stablehlo.broadcast_in_dim"(%937) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1004 = "stablehlo.shift_left"(%1001, %1003) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1005 = "stablehlo.broadcast_in_dim"(%937) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1006 = "stablehlo.shift_right_logical"(%1001, %1005) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1007 = "stablehlo.or"(%1004, %1006) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1008 = "stablehlo.xor"(%1002, %1007) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1009 = "stablehlo.add"(%1002, %1008) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1010 = "stablehlo.broadcast_in_dim"(%936) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1011 = "stablehlo.shift_left"(%1008, %1010) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1012 = "stablehlo.broadcast_in_dim"(%935) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1013 = "stablehlo.shift_right_logical"(%1008, %1012) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1014 = "stablehlo.or"(%1011, %1013) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1015 = "stablehlo.xor"(%1009, %1014) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1016 = "stablehlo.broadcast_in_dim"(%949) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1017 = "stablehlo.add"(%1009, %1016) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1018 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1019 = "stablehlo.add"(%1015, %1018) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1020 = "stablehlo.broadcast_in_dim"(%934) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1021 = "stablehlo.add"(%1019, %1020) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1022 = "stablehlo.add"(%1017, %1021) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1023 = "stablehlo.broadcast_in_dim"(%946) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1024 = "stablehlo.shift_left"(%1021, %1023) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1025 = "stablehlo.broadcast_in_dim"(%945) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1026 = "stablehlo.shift_right_logical"(%1021, %1025) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1027 = "stablehlo.or"(%1024, %1026) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1028 = "stablehlo.xor"(%1022, %1027) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1029 = "stablehlo.add"(%1022, %1028) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1030 = "stablehlo.broadcast_in_dim"(%944) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1031 = "stablehlo.shift_left"(%1028, %1030) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1032 = "stablehlo.broadcast_in_dim"(%943) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1033 = "stablehlo.shift_right_logical"(%1028, %1032) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1034 = "stablehlo.or"(%1031, %1033) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1035 = "stablehlo.xor"(%1029, %1034) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1036 = "stablehlo.add"(%1029, %1035) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1037 = "stablehlo.broadcast_in_dim"(%942) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1038 = "stablehlo.shift_left"(%1035, %1037) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1039 = "stablehlo.broadcast_in_dim"(%941) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1040 = "stablehlo.shift_right_logical"(%1035, %1039) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1041 = "stablehlo.or"(%1038, %1040) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1042 = "stablehlo.xor"(%1036, %1041) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1043 = "stablehlo.add"(%1036, %1042) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1044 = "stablehlo.broadcast_in_dim"(%941) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1045 = "stablehlo.shift_left"(%1042, %1044) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1046 = "stablehlo.broadcast_in_dim"(%942) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1047 = "stablehlo.shift_right_logical"(%1042, %1046) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1048 = "stablehlo.or"(%1045, %1047) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1049 = "stablehlo.xor"(%1043, %1048) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1050 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1051 = "stablehlo.add"(%1043, %1050) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1052 = "stablehlo.broadcast_in_dim"(%arg31) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1053 = "stablehlo.add"(%1049, %1052) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1054 = "stablehlo.broadcast_in_dim"(%938) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1055 = "stablehlo.add"(%1053, %1054) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1056 = "stablehlo.add"(%1051, %1055) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1057 = "stablehlo.broadcast_in_dim"(%943) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1058 = "stablehlo.shift_left"(%1055, %1057) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1059 = "stablehlo.broadcast_in_dim"(%944) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1060 = "stablehlo.shift_right_logical"(%1055, %1059) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1061 = "stablehlo.or"(%1058, %1060) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1062 = "stablehlo.xor"(%1056, %1061) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1063 = "stablehlo.add"(%1056, %1062) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1064 = "stablehlo.broadcast_in_dim"(%939) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1065 = "stablehlo.shift_left"(%1062, %1064) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1066 = "stablehlo.broadcast_in_dim"(%938) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1067 = "stablehlo.shift_right_logical"(%1062, %1066) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1068 = "stablehlo.or"(%1065, %1067) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1069 = "stablehlo.xor"(%1063, %1068) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1070 = "stablehlo.add"(%1063, %1069) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1071 = "stablehlo.broadcast_in_dim"(%937) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1072 = "stablehlo.shift_left"(%1069, %1071) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1073 = "stablehlo.broadcast_in_dim"(%937) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1074 = "stablehlo.shift_right_logical"(%1069, %1073) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1075 = "stablehlo.or"(%1072, %1074) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1076 = "stablehlo.xor"(%1070, %1075) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1077 = "stablehlo.add"(%1070, %1076) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1078 = "stablehlo.broadcast_in_dim"(%936) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1079 = "stablehlo.shift_left"(%1076, %1078) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1080 = "stablehlo.broadcast_in_dim"(%935) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1081 = "stablehlo.shift_right_logical"(%1076, %1080) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1082 = "stablehlo.or"(%1079, %1081) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1083 = "stablehlo.xor"(%1077, %1082) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1084 = "stablehlo.broadcast_in_dim"(%arg31) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1085 = "stablehlo.add"(%1077, %1084) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1086 = "stablehlo.broadcast_in_dim"(%949) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1087 = "stablehlo.add"(%1083, %1086) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1088 = "stablehlo.broadcast_in_dim"(%933) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1089 = "stablehlo.add"(%1087, %1088) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1090 = "stablehlo.add"(%1085, %1089) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1091 = "stablehlo.broadcast_in_dim"(%946) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1092 = "stablehlo.shift_left"(%1089, %1091) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1093 = "stablehlo.broadcast_in_dim"(%945) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1094 = "stablehlo.shift_right_logical"(%1089, %1093) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1095 = "stablehlo.or"(%1092, %1094) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1096 = "stablehlo.xor"(%1090, %1095) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1097 = "stablehlo.add"(%1090, %1096) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1098 = "stablehlo.broadcast_in_dim"(%944) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1099 = "stablehlo.shift_left"(%1096, %1098) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1100 = "stablehlo.broadcast_in_dim"(%943) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1101 = "stablehlo.shift_right_logical"(%1096, %1100) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1102 = "stablehlo.or"(%1099, %1101) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1103 = "stablehlo.xor"(%1097, %1102) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1104 = "stablehlo.add"(%1097, %1103) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1105 = "stablehlo.broadcast_in_dim"(%942) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1106 = "stablehlo.shift_left"(%1103, %1105) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1107 = "stablehlo.broadcast_in_dim"(%941) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1108 = "stablehlo.shift_right_logical"(%1103, %1107) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1109 = "stablehlo.or"(%1106, %1108) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1110 = "stablehlo.xor"(%1104, %1109) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1111 = "stablehlo.add"(%1104, %1110) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1112 = "stablehlo.broadcast_in_dim"(%941) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1113 = "stablehlo.shift_left"(%1110, %1112) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1114 = "stablehlo.broadcast_in_dim"(%942) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1115 = "stablehlo.shift_right_logical"(%1110, %1114) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1116 = "stablehlo.or"(%1113, %1115) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1117 = "stablehlo.xor"(%1111, %1116) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1118 = "stablehlo.broadcast_in_dim"(%949) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1119 = "stablehlo.add"(%1111, %1118) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1120 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1121 = "stablehlo.add"(%1117, %1120) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %1122 = "stablehlo.broadcast_in_dim"(%932) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %1123 = "stablehlo.add"(%1121, %1122) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    "func.return"(%1119, %1123) : (tensor<2xui32>, tensor<2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2xui32>) -> tensor<5xf32>, res_attrs = [{}], sym_name = "_normal", sym_visibility = "private"}> ({
  ^bb0(%arg29: tensor<2xui32>):
    %931 = "func.call"(%arg29) <{callee = @_normal_real}> : (tensor<2xui32>) -> tensor<5xf32>
    "func.return"(%931) : (tensor<5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2xui32>) -> tensor<5xf32>, res_attrs = [{}], sym_name = "_normal_real", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<2xui32>):
    %863 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<5xf32>}> : () -> tensor<5xf32>
    %864 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<5xf32>}> : () -> tensor<5xf32>
    %865 = "stablehlo.constant"() <{value = dense<2.83297682> : tensor<5xf32>}> : () -> tensor<5xf32>
    %866 = "stablehlo.constant"() <{value = dense<1.50140941> : tensor<5xf32>}> : () -> tensor<5xf32>
    %867 = "stablehlo.constant"() <{value = dense<1.00167406> : tensor<5xf32>}> : () -> tensor<5xf32>
    %868 = "stablehlo.constant"() <{value = dense<0.246640727> : tensor<5xf32>}> : () -> tensor<5xf32>
    %869 = "stablehlo.constant"() <{value = dense<0.00943887047> : tensor<5xf32>}> : () -> tensor<5xf32>
    %870 = "stablehlo.constant"() <{value = dense<-0.00417768164> : tensor<5xf32>}> : () -> tensor<5xf32>
    %871 = "stablehlo.constant"() <{value = dense<-0.0076224613> : tensor<5xf32>}> : () -> tensor<5xf32>
    %872 = "stablehlo.constant"() <{value = dense<-0.00125372503> : tensor<5xf32>}> : () -> tensor<5xf32>
    %873 = "stablehlo.constant"() <{value = dense<0.00573950773> : tensor<5xf32>}> : () -> tensor<5xf32>
    %874 = "stablehlo.constant"() <{value = dense<2.1858087E-4> : tensor<5xf32>}> : () -> tensor<5xf32>
    %875 = "stablehlo.constant"() <{value = dense<-0.00367342844> : tensor<5xf32>}> : () -> tensor<5xf32>
    %876 = "stablehlo.constant"() <{value = dense<-4.39150654E-6> : tensor<5xf32>}> : () -> tensor<5xf32>
    %877 = "stablehlo.constant"() <{value = dense<0.00134934322> : tensor<5xf32>}> : () -> tensor<5xf32>
    %878 = "stablehlo.constant"() <{value = dense<-3.5233877E-6> : tensor<5xf32>}> : () -> tensor<5xf32>
    %879 = "stablehlo.constant"() <{value = dense<1.00950558E-4> : tensor<5xf32>}> : () -> tensor<5xf32>
    %880 = "stablehlo.constant"() <{value = dense<3.43273939E-7> : tensor<5xf32>}> : () -> tensor<5xf32>
    %881 = "stablehlo.constant"() <{value = dense<-2.00214257E-4> : tensor<5xf32>}> : () -> tensor<5xf32>
    %882 = "stablehlo.constant"() <{value = dense<2.81022636E-8> : tensor<5xf32>}> : () -> tensor<5xf32>
    %883 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<5xf32>}> : () -> tensor<5xf32>
    %884 = "stablehlo.constant"() <{value = dense<2.500000e+00> : tensor<5xf32>}> : () -> tensor<5xf32>
    %885 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<5xf32>}> : () -> tensor<5xf32>
    %886 = "stablehlo.constant"() <{value = dense<1.41421354> : tensor<f32>}> : () -> tensor<f32>
    %887 = "stablehlo.constant"() <{value = dense<-0.99999994> : tensor<f32>}> : () -> tensor<f32>
    %888 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %889 = "func.call"(%arg28, %887, %888) <{callee = @_uniform}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<5xf32>
    %890 = "stablehlo.negate"(%889) : (tensor<5xf32>) -> tensor<5xf32>
    %891 = "stablehlo.multiply"(%889, %890) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %892 = "stablehlo.log_plus_one"(%891) : (tensor<5xf32>) -> tensor<5xf32>
    %893 = "stablehlo.negate"(%892) : (tensor<5xf32>) -> tensor<5xf32>
    %894 = "stablehlo.compare"(%893, %885) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %895 = "stablehlo.subtract"(%893, %884) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %896 = "stablehlo.sqrt"(%893) : (tensor<5xf32>) -> tensor<5xf32>
    %897 = "stablehlo.subtract"(%896, %883) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %898 = "stablehlo.select"(%894, %895, %897) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %899 = "stablehlo.select"(%894, %882, %881) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %900 = "stablehlo.select"(%894, %880, %879) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %901 = "stablehlo.multiply"(%899, %898) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %902 = "stablehlo.add"(%900, %901) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %903 = "stablehlo.select"(%894, %878, %877) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %904 = "stablehlo.multiply"(%902, %898) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %905 = "stablehlo.add"(%903, %904) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %906 = "stablehlo.select"(%894, %876, %875) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %907 = "stablehlo.multiply"(%905, %898) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %908 = "stablehlo.add"(%906, %907) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %909 = "stablehlo.select"(%894, %874, %873) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %910 = "stablehlo.multiply"(%908, %898) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %911 = "stablehlo.add"(%909, %910) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %912 = "stablehlo.select"(%894, %872, %871) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %913 = "stablehlo.multiply"(%911, %898) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %914 = "stablehlo.add"(%912, %913) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %915 = "stablehlo.select"(%894, %870, %869) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %916 = "stablehlo.multiply"(%914, %898) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %917 = "stablehlo.add"(%915, %916) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %918 = "stablehlo.select"(%894, %868, %867) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %919 = "stablehlo.multiply"(%917, %898) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %920 = "stablehlo.add"(%918, %919) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %921 = "stablehlo.select"(%894, %866, %865) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %922 = "stablehlo.multiply"(%920, %898) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %923 = "stablehlo.add"(%921, %922) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %924 = "stablehlo.multiply"(%923, %889) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %925 = "stablehlo.abs"(%889) : (tensor<5xf32>) -> tensor<5xf32>
    %926 = "stablehlo.compare"(%925, %864) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %927 = "stablehlo.multiply"(%889, %863) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %928 = "stablehlo.select"(%926, %927, %924) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %929 = "stablehlo.broadcast_in_dim"(%886) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %930 = "stablehlo.multiply"(%929, %928) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "func.return"(%930) : (tensor<5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<5xf32>, res_attrs = [{}], sym_name = "_uniform", sym_visibility = "private"}> ({
  ^bb0(%arg25: tensor<2xui32>, %arg26: tensor<f32>, %arg27: tensor<f32>):
    %829 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %830 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %831 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %832 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %833 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %834 = "stablehlo.broadcast_in_dim"(%arg26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %835 = "stablehlo.broadcast_in_dim"(%arg27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %836 = "stablehlo.slice"(%arg25) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %837 = "stablehlo.reshape"(%836) : (tensor<1xui32>) -> tensor<ui32>
    %838 = "stablehlo.slice"(%arg25) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %839 = "stablehlo.reshape"(%838) : (tensor<1xui32>) -> tensor<ui32>
    %840 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5xui64>
    %841 = "stablehlo.broadcast_in_dim"(%833) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<5xui64>
    %842 = "stablehlo.multiply"(%841, %840) : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xui64>
    %843 = "stablehlo.broadcast_in_dim"(%832) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<5xui64>
    %844 = "stablehlo.shift_right_logical"(%842, %843) : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xui64>
    %845 = "stablehlo.convert"(%842) : (tensor<5xui64>) -> tensor<5xui32>
    %846 = "stablehlo.convert"(%844) : (tensor<5xui64>) -> tensor<5xui32>
    %847:2 = "func.call"(%837, %839, %846, %845) <{callee = @threefry2x32_0}> : (tensor<ui32>, tensor<ui32>, tensor<5xui32>, tensor<5xui32>) -> (tensor<5xui32>, tensor<5xui32>)
    %848 = "stablehlo.xor"(%847#0, %847#1) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %849 = "stablehlo.broadcast_in_dim"(%831) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %850 = "stablehlo.shift_right_logical"(%848, %849) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %851 = "stablehlo.broadcast_in_dim"(%830) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %852 = "stablehlo.or"(%850, %851) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %853 = "stablehlo.bitcast_convert"(%852) : (tensor<5xui32>) -> tensor<5xf32>
    %854 = "stablehlo.broadcast_in_dim"(%829) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %855 = "stablehlo.subtract"(%853, %854) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %856 = "stablehlo.subtract"(%835, %834) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %857 = "stablehlo.broadcast_in_dim"(%856) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf32>) -> tensor<5xf32>
    %858 = "stablehlo.multiply"(%855, %857) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %859 = "stablehlo.broadcast_in_dim"(%834) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf32>) -> tensor<5xf32>
    %860 = "stablehlo.add"(%858, %859) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %861 = "stablehlo.broadcast_in_dim"(%834) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf32>) -> tensor<5xf32>
    %862 = "stablehlo.maximum"(%861, %860) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "func.return"(%862) : (tensor<5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<5xui32>, tensor<5xui32>) -> (tensor<5xui32>, tensor<5xui32>), sym_name = "threefry2x32_0", sym_visibility = "private"}> ({
  ^bb0(%arg21: tensor<ui32>, %arg22: tensor<ui32>, %arg23: tensor<5xui32>, %arg24: tensor<5xui32>):
    %637 = "stablehlo.constant"() <{value = dense<5> : tensor<ui32>}> : () -> tensor<ui32>
    %638 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
    %639 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
    %640 = "stablehlo.constant"() <{value = dense<8> : tensor<ui32>}> : () -> tensor<ui32>
    %641 = "stablehlo.constant"() <{value = dense<24> : tensor<ui32>}> : () -> tensor<ui32>
    %642 = "stablehlo.constant"() <{value = dense<16> : tensor<ui32>}> : () -> tensor<ui32>
    %643 = "stablehlo.constant"() <{value = dense<3> : tensor<ui32>}> : () -> tensor<ui32>
    %644 = "stablehlo.constant"() <{value = dense<29> : tensor<ui32>}> : () -> tensor<ui32>
    %645 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
    %646 = "stablehlo.constant"() <{value = dense<6> : tensor<ui32>}> : () -> tensor<ui32>
    %647 = "stablehlo.constant"() <{value = dense<26> : tensor<ui32>}> : () -> tensor<ui32>
    %648 = "stablehlo.constant"() <{value = dense<17> : tensor<ui32>}> : () -> tensor<ui32>
    %649 = "stablehlo.constant"() <{value = dense<15> : tensor<ui32>}> : () -> tensor<ui32>
    %650 = "stablehlo.constant"() <{value = dense<19> : tensor<ui32>}> : () -> tensor<ui32>
    %651 = "stablehlo.constant"() <{value = dense<13> : tensor<ui32>}> : () -> tensor<ui32>
    %652 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %653 = "stablehlo.xor"(%arg21, %arg22) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %654 = "stablehlo.xor"(%653, %652) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %655 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %656 = "stablehlo.add"(%arg23, %655) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %657 = "stablehlo.broadcast_in_dim"(%arg22) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %658 = "stablehlo.add"(%arg24, %657) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %659 = "stablehlo.add"(%656, %658) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %660 = "stablehlo.broadcast_in_dim"(%651) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %661 = "stablehlo.shift_left"(%658, %660) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %662 = "stablehlo.broadcast_in_dim"(%650) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %663 = "stablehlo.shift_right_logical"(%658, %662) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %664 = "stablehlo.or"(%661, %663) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %665 = "stablehlo.xor"(%659, %664) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %666 = "stablehlo.add"(%659, %665) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %667 = "stablehlo.broadcast_in_dim"(%649) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %668 = "stablehlo.shift_left"(%665, %667) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %669 = "stablehlo.broadcast_in_dim"(%648) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %670 = "stablehlo.shift_right_logical"(%665, %669) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %671 = "stablehlo.or"(%668, %670) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %672 = "stablehlo.xor"(%666, %671) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %673 = "stablehlo.add"(%666, %672) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %674 = "stablehlo.broadcast_in_dim"(%647) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %675 = "stablehlo.shift_left"(%672, %674) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %676 = "stablehlo.broadcast_in_dim"(%646) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %677 = "stablehlo.shift_right_logical"(%672, %676) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %678 = "stablehlo.or"(%675, %677) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %679 = "stablehlo.xor"(%673, %678) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %680 = "stablehlo.add"(%673, %679) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %681 = "stablehlo.broadcast_in_dim"(%646) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %682 = "stablehlo.shift_left"(%679, %681) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %683 = "stablehlo.broadcast_in_dim"(%647) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %684 = "stablehlo.shift_right_logical"(%679, %683) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %685 = "stablehlo.or"(%682, %684) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %686 = "stablehlo.xor"(%680, %685) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %687 = "stablehlo.broadcast_in_dim"(%arg22) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %688 = "stablehlo.add"(%680, %687) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %689 = "stablehlo.broadcast_in_dim"(%654) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %690 = "stablehlo.add"(%686, %689) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %691 = "stablehlo.broadcast_in_dim"(%645) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %692 = "stablehlo.add"(%690, %691) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %693 = "stablehlo.add"(%688, %692) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %694 = "stablehlo.broadcast_in_dim"(%648) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %695 = "stablehlo.shift_left"(%692, %694) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %696 = "stablehlo.broadcast_in_dim"(%649) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %697 = "stablehlo.shift_right_logical"(%692, %696) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %698 = "stablehlo.or"(%695, %697) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %699 = "stablehlo.xor"(%693, %698) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %700 = "stablehlo.add"(%693, %699) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %701 = "stablehlo.broadcast_in_dim"(%644) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %702 = "stablehlo.shift_left"(%699, %701) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %703 = "stablehlo.broadcast_in_dim"(%643) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %704 = "stablehlo.shift_right_logical"(%699, %703) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %705 = "stablehlo.or"(%702, %704) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %706 = "stablehlo.xor"(%700, %705) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %707 = "stablehlo.add"(%700, %706) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %708 = "stablehlo.broadcast_in_dim"(%642) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %709 = "stablehlo.shift_left"(%706, %708) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %710 = "stablehlo.broadcast_in_dim"(%642) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %711 = "stablehlo.shift_right_logical"(%706, %710) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %712 = "stablehlo.or"(%709, %711) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %713 = "stablehlo.xor"(%707, %712) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %714 = "stablehlo.add"(%707, %713) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %715 = "stablehlo.broadcast_in_dim"(%641) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %716 = "stablehlo.shift_left"(%713, %715) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %717 = "stablehlo.broadcast_in_dim"(%640) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %718 = "stablehlo.shift_right_logical"(%713, %717) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %719 = "stablehlo.or"(%716, %718) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %720 = "stablehlo.xor"(%714, %719) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %721 = "stablehlo.broadcast_in_dim"(%654) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %722 = "stablehlo.add"(%714, %721) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %723 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %724 = "stablehlo.add"(%720, %723) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %725 = "stablehlo.broadcast_in_dim"(%639) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %726 = "stablehlo.add"(%724, %725) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %727 = "stablehlo.add"(%722, %726) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %728 = "stablehlo.broadcast_in_dim"(%651) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %729 = "stablehlo.shift_left"(%726, %728) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %730 = "stablehlo.broadcast_in_dim"(%650) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %731 = "stablehlo.shift_right_logical"(%726, %730) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %732 = "stablehlo.or"(%729, %731) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %733 = "stablehlo.xor"(%727, %732) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %734 = "stablehlo.add"(%727, %733) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %735 = "stablehlo.broadcast_in_dim"(%649) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %736 = "stablehlo.shift_left"(%733, %735) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %737 = "stablehlo.broadcast_in_dim"(%648) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %738 = "stablehlo.shift_right_logical"(%733, %737) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %739 = "stablehlo.or"(%736, %738) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %740 = "stablehlo.xor"(%734, %739) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %741 = "stablehlo.add"(%734, %740) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %742 = "stablehlo.broadcast_in_dim"(%647) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %743 = "stablehlo.shift_left"(%740, %742) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %744 = "stablehlo.broadcast_in_dim"(%646) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %745 = "stablehlo.shift_right_logical"(%740, %744) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %746 = "stablehlo.or"(%743, %745) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %747 = "stablehlo.xor"(%741, %746) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %748 = "stablehlo.add"(%741, %747) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %749 = "stablehlo.broadcast_in_dim"(%646) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %750 = "stablehlo.shift_left"(%747, %749) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %751 = "stablehlo.broadcast_in_dim"(%647) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %752 = "stablehlo.shift_right_logical"(%747, %751) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %753 = "stablehlo.or"(%750, %752) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %754 = "stablehlo.xor"(%748, %753) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %755 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %756 = "stablehlo.add"(%748, %755) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %757 = "stablehlo.broadcast_in_dim"(%arg22) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %758 = "stablehlo.add"(%754, %757) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %759 = "stablehlo.broadcast_in_dim"(%643) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %760 = "stablehlo.add"(%758, %759) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %761 = "stablehlo.add"(%756, %760) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %762 = "stablehlo.broadcast_in_dim"(%648) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %763 = "stablehlo.shift_left"(%760, %762) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %764 = "stablehlo.broadcast_in_dim"(%649) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %765 = "stablehlo.shift_right_logical"(%760, %764) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %766 = "stablehlo.or"(%763, %765) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %767 = "stablehlo.xor"(%761, %766) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %768 = "stablehlo.add"(%761, %767) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %769 = "stablehlo.broadcast_in_dim"(%644) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %770 = "stablehlo.shift_left"(%767, %769) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %771 = "stablehlo.broadcast_in_dim"(%643) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %772 = "stablehlo.shift_right_logical"(%767, %771) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %773 = "stablehlo.or"(%770, %772) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %774 = "stablehlo.xor"(%768, %773) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %775 = "stablehlo.add"(%768, %774) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %776 = "stablehlo.broadcast_in_dim"(%642) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %777 = "stablehlo.shift_left"(%774, %776) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %778 = "stablehlo.broadcast_in_dim"(%642) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %779 = "stablehlo.shift_right_logical"(%774, %778) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %780 = "stablehlo.or"(%777, %779) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %781 = "stablehlo.xor"(%775, %780) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %782 = "stablehlo.add"(%775, %781) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %783 = "stablehlo.broadcast_in_dim"(%641) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %784 = "stablehlo.shift_left"(%781, %783) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %785 = "stablehlo.broadcast_in_dim"(%640) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %786 = "stablehlo.shift_right_logical"(%781, %785) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %787 = "stablehlo.or"(%784, %786) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %788 = "stablehlo.xor"(%782, %787) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %789 = "stablehlo.broadcast_in_dim"(%arg22) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %790 = "stablehlo.add"(%782, %789) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %791 = "stablehlo.broadcast_in_dim"(%654) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %792 = "stablehlo.add"(%788, %791) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %793 = "stablehlo.broadcast_in_dim"(%638) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %794 = "stablehlo.add"(%792, %793) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %795 = "stablehlo.add"(%790, %794) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %796 = "stablehlo.broadcast_in_dim"(%651) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %797 = "stablehlo.shift_left"(%794, %796) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %798 = "stablehlo.broadcast_in_dim"(%650) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %799 = "stablehlo.shift_right_logical"(%794, %798) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %800 = "stablehlo.or"(%797, %799) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %801 = "stablehlo.xor"(%795, %800) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %802 = "stablehlo.add"(%795, %801) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %803 = "stablehlo.broadcast_in_dim"(%649) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %804 = "stablehlo.shift_left"(%801, %803) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %805 = "stablehlo.broadcast_in_dim"(%648) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %806 = "stablehlo.shift_right_logical"(%801, %805) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %807 = "stablehlo.or"(%804, %806) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %808 = "stablehlo.xor"(%802, %807) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %809 = "stablehlo.add"(%802, %808) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %810 = "stablehlo.broadcast_in_dim"(%647) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %811 = "stablehlo.shift_left"(%808, %810) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %812 = "stablehlo.broadcast_in_dim"(%646) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %813 = "stablehlo.shift_right_logical"(%808, %812) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %814 = "stablehlo.or"(%811, %813) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %815 = "stablehlo.xor"(%809, %814) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %816 = "stablehlo.add"(%809, %815) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %817 = "stablehlo.broadcast_in_dim"(%646) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %818 = "stablehlo.shift_left"(%815, %817) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %819 = "stablehlo.broadcast_in_dim"(%647) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %820 = "stablehlo.shift_right_logical"(%815, %819) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %821 = "stablehlo.or"(%818, %820) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %822 = "stablehlo.xor"(%816, %821) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %823 = "stablehlo.broadcast_in_dim"(%654) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %824 = "stablehlo.add"(%816, %823) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %825 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %826 = "stablehlo.add"(%822, %825) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %827 = "stablehlo.broadcast_in_dim"(%637) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %828 = "stablehlo.add"(%826, %827) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    "func.return"(%824, %828) : (tensor<5xui32>, tensor<5xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>, res_attrs = [{}], sym_name = "_uniform_1", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<2xui32>, %arg19: tensor<f32>, %arg20: tensor<f32>):
    %596 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %597 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %598 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %599 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %600 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %601 = "stablehlo.constant"() <{value = dense<2> : tensor<ui64>}> : () -> tensor<ui64>
    %602 = "stablehlo.convert"(%arg19) : (tensor<f32>) -> tensor<f32>
    %603 = "stablehlo.convert"(%arg20) : (tensor<f32>) -> tensor<f32>
    %604 = "stablehlo.broadcast_in_dim"(%602) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %605 = "stablehlo.broadcast_in_dim"(%603) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %606 = "stablehlo.slice"(%arg18) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %607 = "stablehlo.reshape"(%606) : (tensor<1xui32>) -> tensor<ui32>
    %608 = "stablehlo.slice"(%arg18) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %609 = "stablehlo.reshape"(%608) : (tensor<1xui32>) -> tensor<ui32>
    %610 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x2xui64>
    %611 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x2xui64>
    %612 = "stablehlo.broadcast_in_dim"(%601) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x2xui64>
    %613 = "stablehlo.multiply"(%612, %610) : (tensor<3x2xui64>, tensor<3x2xui64>) -> tensor<3x2xui64>
    %614 = "stablehlo.broadcast_in_dim"(%600) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x2xui64>
    %615 = "stablehlo.multiply"(%614, %611) : (tensor<3x2xui64>, tensor<3x2xui64>) -> tensor<3x2xui64>
    %616 = "stablehlo.add"(%613, %615) : (tensor<3x2xui64>, tensor<3x2xui64>) -> tensor<3x2xui64>
    %617 = "stablehlo.broadcast_in_dim"(%599) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x2xui64>
    %618 = "stablehlo.shift_right_logical"(%616, %617) : (tensor<3x2xui64>, tensor<3x2xui64>) -> tensor<3x2xui64>
    %619 = "stablehlo.convert"(%616) : (tensor<3x2xui64>) -> tensor<3x2xui32>
    %620 = "stablehlo.convert"(%618) : (tensor<3x2xui64>) -> tensor<3x2xui32>
    %621:2 = "func.call"(%607, %609, %620, %619) <{callee = @threefry2x32_2}> : (tensor<ui32>, tensor<ui32>, tensor<3x2xui32>, tensor<3x2xui32>) -> (tensor<3x2xui32>, tensor<3x2xui32>)
    %622 = "stablehlo.xor"(%621#0, %621#1) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %623 = "stablehlo.broadcast_in_dim"(%598) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %624 = "stablehlo.shift_right_logical"(%622, %623) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %625 = "stablehlo.broadcast_in_dim"(%597) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %626 = "stablehlo.or"(%624, %625) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %627 = "stablehlo.bitcast_convert"(%626) : (tensor<3x2xui32>) -> tensor<3x2xf32>
    %628 = "stablehlo.broadcast_in_dim"(%596) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2xf32>
    %629 = "stablehlo.subtract"(%627, %628) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    %630 = "stablehlo.subtract"(%605, %604) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %631 = "stablehlo.broadcast_in_dim"(%630) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x2xf32>
    %632 = "stablehlo.multiply"(%629, %631) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    %633 = "stablehlo.broadcast_in_dim"(%604) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x2xf32>
    %634 = "stablehlo.add"(%632, %633) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    %635 = "stablehlo.broadcast_in_dim"(%604) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x2xf32>
    %636 = "stablehlo.maximum"(%635, %634) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    "func.return"(%636) : (tensor<3x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<3x2xui32>, tensor<3x2xui32>) -> (tensor<3x2xui32>, tensor<3x2xui32>), sym_name = "threefry2x32_2", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<ui32>, %arg15: tensor<ui32>, %arg16: tensor<3x2xui32>, %arg17: tensor<3x2xui32>):
    %404 = "stablehlo.constant"() <{value = dense<5> : tensor<ui32>}> : () -> tensor<ui32>
    %405 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
    %406 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
    %407 = "stablehlo.constant"() <{value = dense<8> : tensor<ui32>}> : () -> tensor<ui32>
    %408 = "stablehlo.constant"() <{value = dense<24> : tensor<ui32>}> : () -> tensor<ui32>
    %409 = "stablehlo.constant"() <{value = dense<16> : tensor<ui32>}> : () -> tensor<ui32>
    %410 = "stablehlo.constant"() <{value = dense<3> : tensor<ui32>}> : () -> tensor<ui32>
    %411 = "stablehlo.constant"() <{value = dense<29> : tensor<ui32>}> : () -> tensor<ui32>
    %412 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
    %413 = "stablehlo.constant"() <{value = dense<6> : tensor<ui32>}> : () -> tensor<ui32>
    %414 = "stablehlo.constant"() <{value = dense<26> : tensor<ui32>}> : () -> tensor<ui32>
    %415 = "stablehlo.constant"() <{value = dense<17> : tensor<ui32>}> : () -> tensor<ui32>
    %416 = "stablehlo.constant"() <{value = dense<15> : tensor<ui32>}> : () -> tensor<ui32>
    %417 = "stablehlo.constant"() <{value = dense<19> : tensor<ui32>}> : () -> tensor<ui32>
    %418 = "stablehlo.constant"() <{value = dense<13> : tensor<ui32>}> : () -> tensor<ui32>
    %419 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %420 = "stablehlo.xor"(%arg14, %arg15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %421 = "stablehlo.xor"(%420, %419) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %422 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %423 = "stablehlo.add"(%arg16, %422) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %424 = "stablehlo.broadcast_in_dim"(%arg15) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %425 = "stablehlo.add"(%arg17, %424) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %426 = "stablehlo.add"(%423, %425) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %427 = "stablehlo.broadcast_in_dim"(%418) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %428 = "stablehlo.shift_left"(%425, %427) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %429 = "stablehlo.broadcast_in_dim"(%417) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %430 = "stablehlo.shift_right_logical"(%425, %429) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %431 = "stablehlo.or"(%428, %430) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %432 = "stablehlo.xor"(%426, %431) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %433 = "stablehlo.add"(%426, %432) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %434 = "stablehlo.broadcast_in_dim"(%416) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %435 = "stablehlo.shift_left"(%432, %434) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %436 = "stablehlo.broadcast_in_dim"(%415) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %437 = "stablehlo.shift_right_logical"(%432, %436) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %438 = "stablehlo.or"(%435, %437) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %439 = "stablehlo.xor"(%433, %438) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %440 = "stablehlo.add"(%433, %439) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %441 = "stablehlo.broadcast_in_dim"(%414) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %442 = "stablehlo.shift_left"(%439, %441) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %443 = "stablehlo.broadcast_in_dim"(%413) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %444 = "stablehlo.shift_right_logical"(%439, %443) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %445 = "stablehlo.or"(%442, %444) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %446 = "stablehlo.xor"(%440, %445) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %447 = "stablehlo.add"(%440, %446) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %448 = "stablehlo.broadcast_in_dim"(%413) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %449 = "stablehlo.shift_left"(%446, %448) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %450 = "stablehlo.broadcast_in_dim"(%414) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %451 = "stablehlo.shift_right_logical"(%446, %450) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %452 = "stablehlo.or"(%449, %451) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %453 = "stablehlo.xor"(%447, %452) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %454 = "stablehlo.broadcast_in_dim"(%arg15) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %455 = "stablehlo.add"(%447, %454) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %456 = "stablehlo.broadcast_in_dim"(%421) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %457 = "stablehlo.add"(%453, %456) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %458 = "stablehlo.broadcast_in_dim"(%412) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %459 = "stablehlo.add"(%457, %458) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %460 = "stablehlo.add"(%455, %459) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %461 = "stablehlo.broadcast_in_dim"(%415) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %462 = "stablehlo.shift_left"(%459, %461) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %463 = "stablehlo.broadcast_in_dim"(%416) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %464 = "stablehlo.shift_right_logical"(%459, %463) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %465 = "stablehlo.or"(%462, %464) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %466 = "stablehlo.xor"(%460, %465) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %467 = "stablehlo.add"(%460, %466) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %468 = "stablehlo.broadcast_in_dim"(%411) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %469 = "stablehlo.shift_left"(%466, %468) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %470 = "stablehlo.broadcast_in_dim"(%410) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %471 = "stablehlo.shift_right_logical"(%466, %470) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %472 = "stablehlo.or"(%469, %471) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %473 = "stablehlo.xor"(%467, %472) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %474 = "stablehlo.add"(%467, %473) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %475 = "stablehlo.broadcast_in_dim"(%409) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %476 = "stablehlo.shift_left"(%473, %475) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %477 = "stablehlo.broadcast_in_dim"(%409) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %478 = "stablehlo.shift_right_logical"(%473, %477) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %479 = "stablehlo.or"(%476, %478) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %480 = "stablehlo.xor"(%474, %479) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %481 = "stablehlo.add"(%474, %480) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %482 = "stablehlo.broadcast_in_dim"(%408) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %483 = "stablehlo.shift_left"(%480, %482) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %484 = "stablehlo.broadcast_in_dim"(%407) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %485 = "stablehlo.shift_right_logical"(%480, %484) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %486 = "stablehlo.or"(%483, %485) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %487 = "stablehlo.xor"(%481, %486) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %488 = "stablehlo.broadcast_in_dim"(%421) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %489 = "stablehlo.add"(%481, %488) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %490 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %491 = "stablehlo.add"(%487, %490) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %492 = "stablehlo.broadcast_in_dim"(%406) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %493 = "stablehlo.add"(%491, %492) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %494 = "stablehlo.add"(%489, %493) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %495 = "stablehlo.broadcast_in_dim"(%418) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %496 = "stablehlo.shift_left"(%493, %495) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %497 = "stablehlo.broadcast_in_dim"(%417) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %498 = "stablehlo.shift_right_logical"(%493, %497) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %499 = "stablehlo.or"(%496, %498) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %500 = "stablehlo.xor"(%494, %499) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %501 = "stablehlo.add"(%494, %500) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %502 = "stablehlo.broadcast_in_dim"(%416) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %503 = "stablehlo.shift_left"(%500, %502) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %504 = "stablehlo.broadcast_in_dim"(%415) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %505 = "stablehlo.shift_right_logical"(%500, %504) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %506 = "stablehlo.or"(%503, %505) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %507 = "stablehlo.xor"(%501, %506) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %508 = "stablehlo.add"(%501, %507) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %509 = "stablehlo.broadcast_in_dim"(%414) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %510 = "stablehlo.shift_left"(%507, %509) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %511 = "stablehlo.broadcast_in_dim"(%413) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %512 = "stablehlo.shift_right_logical"(%507, %511) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %513 = "stablehlo.or"(%510, %512) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %514 = "stablehlo.xor"(%508, %513) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %515 = "stablehlo.add"(%508, %514) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %516 = "stablehlo.broadcast_in_dim"(%413) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %517 = "stablehlo.shift_left"(%514, %516) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %518 = "stablehlo.broadcast_in_dim"(%414) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %519 = "stablehlo.shift_right_logical"(%514, %518) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %520 = "stablehlo.or"(%517, %519) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %521 = "stablehlo.xor"(%515, %520) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %522 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %523 = "stablehlo.add"(%515, %522) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %524 = "stablehlo.broadcast_in_dim"(%arg15) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %525 = "stablehlo.add"(%521, %524) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %526 = "stablehlo.broadcast_in_dim"(%410) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %527 = "stablehlo.add"(%525, %526) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %528 = "stablehlo.add"(%523, %527) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %529 = "stablehlo.broadcast_in_dim"(%415) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %530 = "stablehlo.shift_left"(%527, %529) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %531 = "stablehlo.broadcast_in_dim"(%416) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %532 = "stablehlo.shift_right_logical"(%527, %531) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %533 = "stablehlo.or"(%530, %532) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %534 = "stablehlo.xor"(%528, %533) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %535 = "stablehlo.add"(%528, %534) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %536 = "stablehlo.broadcast_in_dim"(%411) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %537 = "stablehlo.shift_left"(%534, %536) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %538 = "stablehlo.broadcast_in_dim"(%410) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %539 = "stablehlo.shift_right_logical"(%534, %538) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %540 = "stablehlo.or"(%537, %539) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %541 = "stablehlo.xor"(%535, %540) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %542 = "stablehlo.add"(%535, %541) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %543 = "stablehlo.broadcast_in_dim"(%409) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %544 = "stablehlo.shift_left"(%541, %543) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %545 = "stablehlo.broadcast_in_dim"(%409) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %546 = "stablehlo.shift_right_logical"(%541, %545) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %547 = "stablehlo.or"(%544, %546) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %548 = "stablehlo.xor"(%542, %547) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %549 = "stablehlo.add"(%542, %548) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %550 = "stablehlo.broadcast_in_dim"(%408) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %551 = "stablehlo.shift_left"(%548, %550) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %552 = "stablehlo.broadcast_in_dim"(%407) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %553 = "stablehlo.shift_right_logical"(%548, %552) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %554 = "stablehlo.or"(%551, %553) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %555 = "stablehlo.xor"(%549, %554) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %556 = "stablehlo.broadcast_in_dim"(%arg15) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %557 = "stablehlo.add"(%549, %556) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %558 = "stablehlo.broadcast_in_dim"(%421) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %559 = "stablehlo.add"(%555, %558) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %560 = "stablehlo.broadcast_in_dim"(%405) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %561 = "stablehlo.add"(%559, %560) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %562 = "stablehlo.add"(%557, %561) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %563 = "stablehlo.broadcast_in_dim"(%418) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %564 = "stablehlo.shift_left"(%561, %563) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %565 = "stablehlo.broadcast_in_dim"(%417) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %566 = "stablehlo.shift_right_logical"(%561, %565) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %567 = "stablehlo.or"(%564, %566) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %568 = "stablehlo.xor"(%562, %567) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %569 = "stablehlo.add"(%562, %568) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %570 = "stablehlo.broadcast_in_dim"(%416) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %571 = "stablehlo.shift_left"(%568, %570) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %572 = "stablehlo.broadcast_in_dim"(%415) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %573 = "stablehlo.shift_right_logical"(%568, %572) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %574 = "stablehlo.or"(%571, %573) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %575 = "stablehlo.xor"(%569, %574) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %576 = "stablehlo.add"(%569, %575) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %577 = "stablehlo.broadcast_in_dim"(%414) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %578 = "stablehlo.shift_left"(%575, %577) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %579 = "stablehlo.broadcast_in_dim"(%413) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %580 = "stablehlo.shift_right_logical"(%575, %579) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %581 = "stablehlo.or"(%578, %580) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %582 = "stablehlo.xor"(%576, %581) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %583 = "stablehlo.add"(%576, %582) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %584 = "stablehlo.broadcast_in_dim"(%413) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %585 = "stablehlo.shift_left"(%582, %584) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %586 = "stablehlo.broadcast_in_dim"(%414) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %587 = "stablehlo.shift_right_logical"(%582, %586) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %588 = "stablehlo.or"(%585, %587) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %589 = "stablehlo.xor"(%583, %588) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %590 = "stablehlo.broadcast_in_dim"(%421) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %591 = "stablehlo.add"(%583, %590) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %592 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %593 = "stablehlo.add"(%589, %592) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    %594 = "stablehlo.broadcast_in_dim"(%404) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x2xui32>
    %595 = "stablehlo.add"(%593, %594) : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xui32>
    "func.return"(%591, %595) : (tensor<3x2xui32>, tensor<3x2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xui32>, tensor<6xi32>) -> tensor<6xi32>, res_attrs = [{}], sym_name = "_shuffle", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<2xui32>, %arg9: tensor<6xi32>):
    %384 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %385 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %386 = "func.call"(%arg8) <{callee = @_threefry_split}> : (tensor<2xui32>) -> tensor<2x2xui32>
    %387 = "stablehlo.slice"(%386) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %388 = "stablehlo.reshape"(%387) : (tensor<1x2xui32>) -> tensor<2xui32>
    %389 = "stablehlo.slice"(%388) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %390 = "stablehlo.reshape"(%389) : (tensor<1xui32>) -> tensor<ui32>
    %391 = "stablehlo.slice"(%388) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %392 = "stablehlo.reshape"(%391) : (tensor<1xui32>) -> tensor<ui32>
    %393 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xui64>
    %394 = "stablehlo.broadcast_in_dim"(%385) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<6xui64>
    %395 = "stablehlo.multiply"(%394, %393) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %396 = "stablehlo.broadcast_in_dim"(%384) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<6xui64>
    %397 = "stablehlo.shift_right_logical"(%395, %396) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %398 = "stablehlo.convert"(%395) : (tensor<6xui64>) -> tensor<6xui32>
    %399 = "stablehlo.convert"(%397) : (tensor<6xui64>) -> tensor<6xui32>
    %400:2 = "func.call"(%390, %392, %399, %398) <{callee = @threefry2x32_3}> : (tensor<ui32>, tensor<ui32>, tensor<6xui32>, tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>)
    %401 = "stablehlo.xor"(%400#0, %400#1) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %402:2 = "stablehlo.sort"(%401, %arg9) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg10: tensor<ui32>, %arg11: tensor<ui32>, %arg12: tensor<i32>, %arg13: tensor<i32>):
      %403 = "stablehlo.compare"(%arg10, %arg11) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      "stablehlo.return"(%403) : (tensor<i1>) -> ()
    }) : (tensor<6xui32>, tensor<6xi32>) -> (tensor<6xui32>, tensor<6xi32>)
    "func.return"(%402#1) : (tensor<6xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<6xui32>, tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>), sym_name = "threefry2x32_3", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<6xui32>, %arg7: tensor<6xui32>):
    %192 = "stablehlo.constant"() <{value = dense<5> : tensor<ui32>}> : () -> tensor<ui32>
    %193 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
    %194 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
    %195 = "stablehlo.constant"() <{value = dense<8> : tensor<ui32>}> : () -> tensor<ui32>
    %196 = "stablehlo.constant"() <{value = dense<24> : tensor<ui32>}> : () -> tensor<ui32>
    %197 = "stablehlo.constant"() <{value = dense<16> : tensor<ui32>}> : () -> tensor<ui32>
    %198 = "stablehlo.constant"() <{value = dense<3> : tensor<ui32>}> : () -> tensor<ui32>
    %199 = "stablehlo.constant"() <{value = dense<29> : tensor<ui32>}> : () -> tensor<ui32>
    %200 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
    %201 = "stablehlo.constant"() <{value = dense<6> : tensor<ui32>}> : () -> tensor<ui32>
    %202 = "stablehlo.constant"() <{value = dense<26> : tensor<ui32>}> : () -> tensor<ui32>
    %203 = "stablehlo.constant"() <{value = dense<17> : tensor<ui32>}> : () -> tensor<ui32>
    %204 = "stablehlo.constant"() <{value = dense<15> : tensor<ui32>}> : () -> tensor<ui32>
    %205 = "stablehlo.constant"() <{value = dense<19> : tensor<ui32>}> : () -> tensor<ui32>
    %206 = "stablehlo.constant"() <{value = dense<13> : tensor<ui32>}> : () -> tensor<ui32>
    %207 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %208 = "stablehlo.xor"(%arg4, %arg5) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %209 = "stablehlo.xor"(%208, %207) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %210 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %211 = "stablehlo.add"(%arg6, %210) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %212 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %213 = "stablehlo.add"(%arg7, %212) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %214 = "stablehlo.add"(%211, %213) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %215 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %216 = "stablehlo.shift_left"(%213, %215) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %217 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %218 = "stablehlo.shift_right_logical"(%213, %217) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %219 = "stablehlo.or"(%216, %218) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %220 = "stablehlo.xor"(%214, %219) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %221 = "stablehlo.add"(%214, %220) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %222 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %223 = "stablehlo.shift_left"(%220, %222) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %224 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %225 = "stablehlo.shift_right_logical"(%220, %224) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %226 = "stablehlo.or"(%223, %225) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %227 = "stablehlo.xor"(%221, %226) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %228 = "stablehlo.add"(%221, %227) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %229 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %230 = "stablehlo.shift_left"(%227, %229) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %231 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %232 = "stablehlo.shift_right_logical"(%227, %231) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %233 = "stablehlo.or"(%230, %232) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %234 = "stablehlo.xor"(%228, %233) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %235 = "stablehlo.add"(%228, %234) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %236 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %237 = "stablehlo.shift_left"(%234, %236) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %238 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %239 = "stablehlo.shift_right_logical"(%234, %238) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %240 = "stablehlo.or"(%237, %239) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %241 = "stablehlo.xor"(%235, %240) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %242 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %243 = "stablehlo.add"(%235, %242) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %244 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %245 = "stablehlo.add"(%241, %244) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %246 = "stablehlo.broadcast_in_dim"(%200) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %247 = "stablehlo.add"(%245, %246) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %248 = "stablehlo.add"(%243, %247) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %249 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %250 = "stablehlo.shift_left"(%247, %249) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %251 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %252 = "stablehlo.shift_right_logical"(%247, %251) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %253 = "stablehlo.or"(%250, %252) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %254 = "stablehlo.xor"(%248, %253) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %255 = "stablehlo.add"(%248, %254) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %256 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %257 = "stablehlo.shift_left"(%254, %256) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %258 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %259 = "stablehlo.shift_right_logical"(%254, %258) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %260 = "stablehlo.or"(%257, %259) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %261 = "stablehlo.xor"(%255, %260) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %262 = "stablehlo.add"(%255, %261) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %263 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %264 = "stablehlo.shift_left"(%261, %263) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %265 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %266 = "stablehlo.shift_right_logical"(%261, %265) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %267 = "stablehlo.or"(%264, %266) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %268 = "stablehlo.xor"(%262, %267) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %269 = "stablehlo.add"(%262, %268) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %270 = "stablehlo.broadcast_in_dim"(%196) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %271 = "stablehlo.shift_left"(%268, %270) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %272 = "stablehlo.broadcast_in_dim"(%195) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %273 = "stablehlo.shift_right_logical"(%268, %272) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %274 = "stablehlo.or"(%271, %273) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %275 = "stablehlo.xor"(%269, %274) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %276 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %277 = "stablehlo.add"(%269, %276) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %278 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %279 = "stablehlo.add"(%275, %278) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %280 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %281 = "stablehlo.add"(%279, %280) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %282 = "stablehlo.add"(%277, %281) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %283 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %284 = "stablehlo.shift_left"(%281, %283) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %285 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %286 = "stablehlo.shift_right_logical"(%281, %285) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %287 = "stablehlo.or"(%284, %286) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %288 = "stablehlo.xor"(%282, %287) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %289 = "stablehlo.add"(%282, %288) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %290 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %291 = "stablehlo.shift_left"(%288, %290) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %292 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %293 = "stablehlo.shift_right_logical"(%288, %292) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %294 = "stablehlo.or"(%291, %293) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %295 = "stablehlo.xor"(%289, %294) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %296 = "stablehlo.add"(%289, %295) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %297 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %298 = "stablehlo.shift_left"(%295, %297) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %299 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %300 = "stablehlo.shift_right_logical"(%295, %299) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %301 = "stablehlo.or"(%298, %300) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %302 = "stablehlo.xor"(%296, %301) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %303 = "stablehlo.add"(%296, %302) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %304 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %305 = "stablehlo.shift_left"(%302, %304) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %306 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %307 = "stablehlo.shift_right_logical"(%302, %306) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %308 = "stablehlo.or"(%305, %307) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %309 = "stablehlo.xor"(%303, %308) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %310 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %311 = "stablehlo.add"(%303, %310) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %312 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %313 = "stablehlo.add"(%309, %312) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %314 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %315 = "stablehlo.add"(%313, %314) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %316 = "stablehlo.add"(%311, %315) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %317 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %318 = "stablehlo.shift_left"(%315, %317) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %319 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %320 = "stablehlo.shift_right_logical"(%315, %319) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %321 = "stablehlo.or"(%318, %320) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %322 = "stablehlo.xor"(%316, %321) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %323 = "stablehlo.add"(%316, %322) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %324 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %325 = "stablehlo.shift_left"(%322, %324) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %326 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %327 = "stablehlo.shift_right_logical"(%322, %326) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %328 = "stablehlo.or"(%325, %327) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %329 = "stablehlo.xor"(%323, %328) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %330 = "stablehlo.add"(%323, %329) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %331 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %332 = "stablehlo.shift_left"(%329, %331) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %333 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %334 = "stablehlo.shift_right_logical"(%329, %333) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %335 = "stablehlo.or"(%332, %334) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %336 = "stablehlo.xor"(%330, %335) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %337 = "stablehlo.add"(%330, %336) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %338 = "stablehlo.broadcast_in_dim"(%196) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %339 = "stablehlo.shift_left"(%336, %338) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %340 = "stablehlo.broadcast_in_dim"(%195) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %341 = "stablehlo.shift_right_logical"(%336, %340) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %342 = "stablehlo.or"(%339, %341) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %343 = "stablehlo.xor"(%337, %342) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %344 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %345 = "stablehlo.add"(%337, %344) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %346 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %347 = "stablehlo.add"(%343, %346) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %348 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %349 = "stablehlo.add"(%347, %348) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %350 = "stablehlo.add"(%345, %349) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %351 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %352 = "stablehlo.shift_left"(%349, %351) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %353 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %354 = "stablehlo.shift_right_logical"(%349, %353) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %355 = "stablehlo.or"(%352, %354) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %356 = "stablehlo.xor"(%350, %355) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %357 = "stablehlo.add"(%350, %356) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %358 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %359 = "stablehlo.shift_left"(%356, %358) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %360 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %361 = "stablehlo.shift_right_logical"(%356, %360) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %362 = "stablehlo.or"(%359, %361) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %363 = "stablehlo.xor"(%357, %362) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %364 = "stablehlo.add"(%357, %363) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %365 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %366 = "stablehlo.shift_left"(%363, %365) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %367 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %368 = "stablehlo.shift_right_logical"(%363, %367) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %369 = "stablehlo.or"(%366, %368) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %370 = "stablehlo.xor"(%364, %369) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %371 = "stablehlo.add"(%364, %370) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %372 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %373 = "stablehlo.shift_left"(%370, %372) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %374 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %375 = "stablehlo.shift_right_logical"(%370, %374) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %376 = "stablehlo.or"(%373, %375) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %377 = "stablehlo.xor"(%371, %376) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %378 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %379 = "stablehlo.add"(%371, %378) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %380 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %381 = "stablehlo.add"(%377, %380) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %382 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %383 = "stablehlo.add"(%381, %382) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    "func.return"(%379, %383) : (tensor<6xui32>, tensor<6xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>), sym_name = "threefry2x32_4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<4xui32>, %arg3: tensor<4xui32>):
    %0 = "stablehlo.constant"() <{value = dense<5> : tensor<ui32>}> : () -> tensor<ui32>
    %1 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
    %2 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<8> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.constant"() <{value = dense<24> : tensor<ui32>}> : () -> tensor<ui32>
    %5 = "stablehlo.constant"() <{value = dense<16> : tensor<ui32>}> : () -> tensor<ui32>
    %6 = "stablehlo.constant"() <{value = dense<3> : tensor<ui32>}> : () -> tensor<ui32>
    %7 = "stablehlo.constant"() <{value = dense<29> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
    %9 = "stablehlo.constant"() <{value = dense<6> : tensor<ui32>}> : () -> tensor<ui32>
    %10 = "stablehlo.constant"() <{value = dense<26> : tensor<ui32>}> : () -> tensor<ui32>
    %11 = "stablehlo.constant"() <{value = dense<17> : tensor<ui32>}> : () -> tensor<ui32>
    %12 = "stablehlo.constant"() <{value = dense<15> : tensor<ui32>}> : () -> tensor<ui32>
    %13 = "stablehlo.constant"() <{value = dense<19> : tensor<ui32>}> : () -> tensor<ui32>
    %14 = "stablehlo.constant"() <{value = dense<13> : tensor<ui32>}> : () -> tensor<ui32>
    %15 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %16 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %17 = "stablehlo.xor"(%16, %15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %18 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %19 = "stablehlo.add"(%arg2, %18) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %20 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %21 = "stablehlo.add"(%arg3, %20) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %22 = "stablehlo.add"(%19, %21) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %23 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %24 = "stablehlo.shift_left"(%21, %23) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %25 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %26 = "stablehlo.shift_right_logical"(%21, %25) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %27 = "stablehlo.or"(%24, %26) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %28 = "stablehlo.xor"(%22, %27) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %29 = "stablehlo.add"(%22, %28) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %30 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %31 = "stablehlo.shift_left"(%28, %30) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %32 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %33 = "stablehlo.shift_right_logical"(%28, %32) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %34 = "stablehlo.or"(%31, %33) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %35 = "stablehlo.xor"(%29, %34) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %36 = "stablehlo.add"(%29, %35) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %37 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %38 = "stablehlo.shift_left"(%35, %37) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %39 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %40 = "stablehlo.shift_right_logical"(%35, %39) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %41 = "stablehlo.or"(%38, %40) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %42 = "stablehlo.xor"(%36, %41) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %43 = "stablehlo.add"(%36, %42) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %44 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %45 = "stablehlo.shift_left"(%42, %44) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %46 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %47 = "stablehlo.shift_right_logical"(%42, %46) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %48 = "stablehlo.or"(%45, %47) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %49 = "stablehlo.xor"(%43, %48) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %50 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %51 = "stablehlo.add"(%43, %50) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %52 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %53 = "stablehlo.add"(%49, %52) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %54 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %55 = "stablehlo.add"(%53, %54) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %56 = "stablehlo.add"(%51, %55) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %57 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %58 = "stablehlo.shift_left"(%55, %57) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %59 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %60 = "stablehlo.shift_right_logical"(%55, %59) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %61 = "stablehlo.or"(%58, %60) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %62 = "stablehlo.xor"(%56, %61) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %63 = "stablehlo.add"(%56, %62) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %64 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %65 = "stablehlo.shift_left"(%62, %64) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %66 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %67 = "stablehlo.shift_right_logical"(%62, %66) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %68 = "stablehlo.or"(%65, %67) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %69 = "stablehlo.xor"(%63, %68) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %70 = "stablehlo.add"(%63, %69) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %71 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %72 = "stablehlo.shift_left"(%69, %71) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %73 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %74 = "stablehlo.shift_right_logical"(%69, %73) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %75 = "stablehlo.or"(%72, %74) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %76 = "stablehlo.xor"(%70, %75) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %77 = "stablehlo.add"(%70, %76) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %78 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %79 = "stablehlo.shift_left"(%76, %78) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %80 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %81 = "stablehlo.shift_right_logical"(%76, %80) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %82 = "stablehlo.or"(%79, %81) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %83 = "stablehlo.xor"(%77, %82) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %84 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %85 = "stablehlo.add"(%77, %84) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %86 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %87 = "stablehlo.add"(%83, %86) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %88 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %89 = "stablehlo.add"(%87, %88) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %90 = "stablehlo.add"(%85, %89) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %91 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %92 = "stablehlo.shift_left"(%89, %91) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %93 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %94 = "stablehlo.shift_right_logical"(%89, %93) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %95 = "stablehlo.or"(%92, %94) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %96 = "stablehlo.xor"(%90, %95) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %97 = "stablehlo.add"(%90, %96) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %98 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %99 = "stablehlo.shift_left"(%96, %98) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %100 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %101 = "stablehlo.shift_right_logical"(%96, %100) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %102 = "stablehlo.or"(%99, %101) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %103 = "stablehlo.xor"(%97, %102) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %104 = "stablehlo.add"(%97, %103) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %105 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %106 = "stablehlo.shift_left"(%103, %105) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %107 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %108 = "stablehlo.shift_right_logical"(%103, %107) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %109 = "stablehlo.or"(%106, %108) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %110 = "stablehlo.xor"(%104, %109) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %111 = "stablehlo.add"(%104, %110) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %112 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %113 = "stablehlo.shift_left"(%110, %112) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %114 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %115 = "stablehlo.shift_right_logical"(%110, %114) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %116 = "stablehlo.or"(%113, %115) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %117 = "stablehlo.xor"(%111, %116) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %118 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %119 = "stablehlo.add"(%111, %118) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %120 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %121 = "stablehlo.add"(%117, %120) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %122 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %123 = "stablehlo.add"(%121, %122) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %124 = "stablehlo.add"(%119, %123) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %125 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %126 = "stablehlo.shift_left"(%123, %125) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %127 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %128 = "stablehlo.shift_right_logical"(%123, %127) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %129 = "stablehlo.or"(%126, %128) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %130 = "stablehlo.xor"(%124, %129) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %131 = "stablehlo.add"(%124, %130) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %132 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %133 = "stablehlo.shift_left"(%130, %132) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %134 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %135 = "stablehlo.shift_right_logical"(%130, %134) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %136 = "stablehlo.or"(%133, %135) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %137 = "stablehlo.xor"(%131, %136) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %138 = "stablehlo.add"(%131, %137) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %139 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %140 = "stablehlo.shift_left"(%137, %139) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %141 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %142 = "stablehlo.shift_right_logical"(%137, %141) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %143 = "stablehlo.or"(%140, %142) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %144 = "stablehlo.xor"(%138, %143) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %145 = "stablehlo.add"(%138, %144) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %146 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %147 = "stablehlo.shift_left"(%144, %146) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %148 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %149 = "stablehlo.shift_right_logical"(%144, %148) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %150 = "stablehlo.or"(%147, %149) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %151 = "stablehlo.xor"(%145, %150) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %152 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %153 = "stablehlo.add"(%145, %152) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %154 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %155 = "stablehlo.add"(%151, %154) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %156 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %157 = "stablehlo.add"(%155, %156) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %158 = "stablehlo.add"(%153, %157) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %159 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %160 = "stablehlo.shift_left"(%157, %159) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %161 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %162 = "stablehlo.shift_right_logical"(%157, %161) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %163 = "stablehlo.or"(%160, %162) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %164 = "stablehlo.xor"(%158, %163) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %165 = "stablehlo.add"(%158, %164) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %166 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %167 = "stablehlo.shift_left"(%164, %166) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %168 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %169 = "stablehlo.shift_right_logical"(%164, %168) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %170 = "stablehlo.or"(%167, %169) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %171 = "stablehlo.xor"(%165, %170) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %172 = "stablehlo.add"(%165, %171) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %173 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %174 = "stablehlo.shift_left"(%171, %173) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %175 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %176 = "stablehlo.shift_right_logical"(%171, %175) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %177 = "stablehlo.or"(%174, %176) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %178 = "stablehlo.xor"(%172, %177) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %179 = "stablehlo.add"(%172, %178) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %180 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %181 = "stablehlo.shift_left"(%178, %180) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %182 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %183 = "stablehlo.shift_right_logical"(%178, %182) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %184 = "stablehlo.or"(%181, %183) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %185 = "stablehlo.xor"(%179, %184) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %186 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %187 = "stablehlo.add"(%179, %186) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %188 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %189 = "stablehlo.add"(%185, %188) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %190 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %191 = "stablehlo.add"(%189, %190) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    "func.return"(%187, %191) : (tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
