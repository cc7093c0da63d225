"builtin.module"() <{sym_name = "jit_special_functions"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}, {jax.result_info = "result[13]"}, {jax.result_info = "result[14]"}, {jax.result_info = "result[15]"}, {jax.result_info = "result[16]"}, {jax.result_info = "result[17]"}, {jax.result_info = "result[18]"}, {jax.result_info = "result[19]"}, {jax.result_info = "result[20]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg9: tensor<2x3xf32>):
    %125 = "stablehlo.constant"() <{value = dense<1.401300e-45> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %126 = "stablehlo.constant"() <{value = dense<0.0833333358> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %127 = "stablehlo.constant"() <{value = dense<-0.00138888892> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %128 = "stablehlo.constant"() <{value = dense<3.30687835E-5> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %129 = "stablehlo.constant"() <{value = dense<-8.26719599E-7> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %130 = "stablehlo.constant"() <{value = dense<2.08767563E-8> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %131 = "stablehlo.constant"() <{value = dense<-5.28419031E-10> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %132 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %133 = "stablehlo.constant"() <{value = dense<1.000000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %134 = "stablehlo.constant"() <{value = dense<1.33825364E-11> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %135 = "stablehlo.constant"() <{value = dense<1.100000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %136 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %137 = "stablehlo.constant"() <{value = dense<-3.3896803E-13> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %138 = "stablehlo.constant"() <{value = dense<1.300000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %139 = "stablehlo.constant"() <{value = dense<1.400000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %140 = "stablehlo.constant"() <{value = dense<8.58606213E-15> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %141 = "stablehlo.constant"() <{value = dense<1.500000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %142 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %143 = "stablehlo.constant"() <{value = dense<-2.17486866E-16> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %144 = "stablehlo.constant"() <{value = dense<1.700000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %145 = "stablehlo.constant"() <{value = dense<1.800000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %146 = "stablehlo.constant"() <{value = dense<5.50900303E-18> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %147 = "stablehlo.constant"() <{value = dense<1.900000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %148 = "stablehlo.constant"() <{value = dense<2.000000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %149 = "stablehlo.constant"() <{value = dense<-1.39544646E-19> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %150 = "stablehlo.constant"() <{value = dense<2.100000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %151 = "stablehlo.constant"() <{value = dense<2.200000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %152 = "stablehlo.constant"() <{value = dense<-1> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    %153 = "stablehlo.constant"() <{value = dense<1> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    %154 = "stablehlo.constant"() <{value = dense<0> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    %155 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    %156 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    %157 = "stablehlo.constant"() <{value = dense<0.778576254> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %158 = "stablehlo.constant"() <{value = dense<-0.00976109784> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %159 = "stablehlo.constant"() <{value = dense<-1.10588939E-4> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %160 = "stablehlo.constant"() <{value = dense<-3.88256467E-6> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %161 = "stablehlo.constant"() <{value = dense<-2.51223611E-7> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %162 = "stablehlo.constant"() <{value = dense<-2.63146891E-8> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %163 = "stablehlo.constant"() <{value = dense<-3.83538046E-9> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %164 = "stablehlo.constant"() <{value = dense<0.252587199> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %165 = "stablehlo.constant"() <{value = dense<-0.176416516> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %166 = "stablehlo.constant"() <{value = dense<0.102643661> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %167 = "stablehlo.constant"() <{value = dense<-0.0529459827> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %168 = "stablehlo.constant"() <{value = dense<0.0247264486> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %169 = "stablehlo.constant"() <{value = dense<-0.0105640851> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %170 = "stablehlo.constant"() <{value = dense<0.0041564228> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %171 = "stablehlo.constant"() <{value = dense<-0.00151357241> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %172 = "stablehlo.constant"() <{value = dense<5.122860e-04> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %173 = "stablehlo.constant"() <{value = dense<-1.61760821E-4> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %174 = "stablehlo.constant"() <{value = dense<4.78156508E-5> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %175 = "stablehlo.constant"() <{value = dense<-1.32731639E-5> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %176 = "stablehlo.constant"() <{value = dense<3.47025139E-6> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %177 = "stablehlo.constant"() <{value = dense<-8.568720e-07> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %178 = "stablehlo.constant"() <{value = dense<2.00329481E-7> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %179 = "stablehlo.constant"() <{value = dense<-4.44505908E-8> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %180 = "stablehlo.constant"() <{value = dense<9.38153732E-9> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %181 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %182 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %183 = "stablehlo.constant"() <{value = dense<1.14472985> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %184 = "stablehlo.constant"() <{value = dense<3.14159274> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %185 = "stablehlo.constant"() <{value = dense<0.918938517> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %186 = "stablehlo.constant"() <{value = dense<2.01490307> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %187 = "stablehlo.constant"() <{value = dense<7.500000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %188 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %189 = "stablehlo.constant"() <{value = dense<1.50563267E-7> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %190 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %191 = "stablehlo.constant"() <{value = dense<9.98436917E-6> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %192 = "stablehlo.constant"() <{value = dense<6.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %193 = "stablehlo.constant"() <{value = dense<-0.138571098> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %194 = "stablehlo.constant"() <{value = dense<12.5073433> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %195 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %196 = "stablehlo.constant"() <{value = dense<-176.615036> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %197 = "stablehlo.constant"() <{value = dense<771.323425> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %198 = "stablehlo.constant"() <{value = dense<-1259.13916> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %199 = "stablehlo.constant"() <{value = dense<676.520386> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %200 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %201 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %202 = "stablehlo.constant"() <{value = dense<2.83297682> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %203 = "stablehlo.constant"() <{value = dense<1.50140941> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %204 = "stablehlo.constant"() <{value = dense<1.00167406> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %205 = "stablehlo.constant"() <{value = dense<0.246640727> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %206 = "stablehlo.constant"() <{value = dense<0.00943887047> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %207 = "stablehlo.constant"() <{value = dense<-0.00417768164> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %208 = "stablehlo.constant"() <{value = dense<-0.0076224613> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %209 = "stablehlo.constant"() <{value = dense<-0.00125372503> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %210 = "stablehlo.constant"() <{value = dense<0.00573950773> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %211 = "stablehlo.constant"() <{value = dense<2.1858087E-4> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %212 = "stablehlo.constant"() <{value = dense<-0.00367342844> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %213 = "stablehlo.constant"() <{value = dense<-4.39150654E-6> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %214 = "stablehlo.constant"() <{value = dense<0.00134934322> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %215 = "stablehlo.constant"() <{value = dense<-3.5233877E-6> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %216 = "stablehlo.constant"() <{value = dense<1.00950558E-4> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %217 = "stablehlo.constant"() <{value = dense<3.43273939E-7> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %218 = "stablehlo.constant"() <{value = dense<-2.00214257E-4> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %219 = "stablehlo.constant"() <{value = dense<2.81022636E-8> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %220 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %221 = "stablehlo.constant"() <{value = dense<2.500000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %222 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %223 = "stablehlo.constant"() <{value = dense<1.12837911> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %224 = "stablehlo.constant"() <{value = dense<-0.37612626> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %225 = "stablehlo.constant"() <{value = dense<0.112835854> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %226 = "stablehlo.constant"() <{value = dense<-0.0268538129> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %227 = "stablehlo.constant"() <{value = dense<0.00518832775> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %228 = "stablehlo.constant"() <{value = dense<-8.0101937E-4> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %229 = "stablehlo.constant"() <{value = dense<7.85386146E-5> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %230 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %231 = "stablehlo.constant"() <{value = dense<-88.7228394> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %232 = "stablehlo.constant"() <{value = dense<0.564189494> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %233 = "stablehlo.constant"() <{value = dense<-0.282076746> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %234 = "stablehlo.constant"() <{value = dense<0.42184633> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %235 = "stablehlo.constant"() <{value = dense<-1.01526523> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %236 = "stablehlo.constant"() <{value = dense<2.92101908> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %237 = "stablehlo.constant"() <{value = dense<-7.49551868> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %238 = "stablehlo.constant"() <{value = dense<1.297720e+01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %239 = "stablehlo.constant"() <{value = dense<-10.477664> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %240 = "stablehlo.constant"() <{value = dense<0.563825965> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %241 = "stablehlo.constant"() <{value = dense<-0.274112701> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %242 = "stablehlo.constant"() <{value = dense<3.404880e-01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %243 = "stablehlo.constant"() <{value = dense<-0.494451523> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %244 = "stablehlo.constant"() <{value = dense<0.621000468> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %245 = "stablehlo.constant"() <{value = dense<-0.582473278> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %246 = "stablehlo.constant"() <{value = dense<0.368742466> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %247 = "stablehlo.constant"() <{value = dense<-0.138703942> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %248 = "stablehlo.constant"() <{value = dense<2.326820e-02> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %249 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %250 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %251 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %252 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %253 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %254 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %255 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %256 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %257 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %258 = "stablehlo.abs"(%arg9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %259 = "stablehlo.broadcast_in_dim"(%257) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %260 = "stablehlo.add"(%258, %259) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %261 = "stablehlo.composite"(%arg9) <{decomposition = @chlo.erf.impl, name = "chlo.erf", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %262 = "stablehlo.multiply"(%arg9, %arg9) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %263 = "stablehlo.negate"(%262) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %264 = "stablehlo.abs"(%arg9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %265 = "stablehlo.divide"(%250, %262) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %266 = "stablehlo.exponential"(%263) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %267 = "stablehlo.divide"(%250, %264) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %268 = "stablehlo.multiply"(%266, %267) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %269 = "stablehlo.compare"(%264, %249) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %270 = "stablehlo.multiply"(%248, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %271 = "stablehlo.add"(%270, %247) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %272 = "stablehlo.multiply"(%271, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %273 = "stablehlo.add"(%272, %246) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %274 = "stablehlo.multiply"(%273, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %275 = "stablehlo.add"(%274, %245) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %276 = "stablehlo.multiply"(%275, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %277 = "stablehlo.add"(%276, %244) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %278 = "stablehlo.multiply"(%277, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %279 = "stablehlo.add"(%278, %243) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %280 = "stablehlo.multiply"(%279, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %281 = "stablehlo.add"(%280, %242) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %282 = "stablehlo.multiply"(%281, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %283 = "stablehlo.add"(%282, %241) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %284 = "stablehlo.multiply"(%283, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %285 = "stablehlo.add"(%284, %240) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %286 = "stablehlo.multiply"(%239, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %287 = "stablehlo.add"(%286, %238) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %288 = "stablehlo.multiply"(%287, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %289 = "stablehlo.add"(%288, %237) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %290 = "stablehlo.multiply"(%289, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %291 = "stablehlo.add"(%290, %236) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %292 = "stablehlo.multiply"(%291, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %293 = "stablehlo.add"(%292, %235) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %294 = "stablehlo.multiply"(%293, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %295 = "stablehlo.add"(%294, %234) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %296 = "stablehlo.multiply"(%295, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %297 = "stablehlo.add"(%296, %233) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %298 = "stablehlo.multiply"(%297, %265) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %299 = "stablehlo.add"(%298, %232) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %300 = "stablehlo.select"(%269, %285, %299) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %301 = "stablehlo.multiply"(%268, %300) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %302 = "stablehlo.compare"(%263, %231) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %303 = "stablehlo.select"(%302, %230, %301) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %304 = "stablehlo.compare"(%arg9, %230) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %305 = "stablehlo.subtract"(%249, %303) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %306 = "stablehlo.select"(%304, %305, %303) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %307 = "stablehlo.multiply"(%arg9, %arg9) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %308 = "stablehlo.multiply"(%229, %307) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %309 = "stablehlo.add"(%308, %228) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %310 = "stablehlo.multiply"(%309, %307) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %311 = "stablehlo.add"(%310, %227) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %312 = "stablehlo.multiply"(%311, %307) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %313 = "stablehlo.add"(%312, %226) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %314 = "stablehlo.multiply"(%313, %307) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %315 = "stablehlo.add"(%314, %225) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %316 = "stablehlo.multiply"(%315, %307) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %317 = "stablehlo.add"(%316, %224) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %318 = "stablehlo.multiply"(%317, %307) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %319 = "stablehlo.add"(%318, %223) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %320 = "stablehlo.multiply"(%arg9, %319) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %321 = "stablehlo.subtract"(%250, %320) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %322 = "stablehlo.abs"(%arg9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %323 = "stablehlo.compare"(%322, %250) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %324 = "stablehlo.select"(%323, %321, %306) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %325 = "stablehlo.negate"(%arg9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %326 = "stablehlo.multiply"(%arg9, %325) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %327 = "stablehlo.log_plus_one"(%326) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %328 = "stablehlo.negate"(%327) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %329 = "stablehlo.compare"(%328, %222) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %330 = "stablehlo.subtract"(%328, %221) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %331 = "stablehlo.sqrt"(%328) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %332 = "stablehlo.subtract"(%331, %220) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %333 = "stablehlo.select"(%329, %330, %332) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %334 = "stablehlo.select"(%329, %219, %218) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %335 = "stablehlo.select"(%329, %217, %216) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %336 = "stablehlo.multiply"(%334, %333) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %337 = "stablehlo.add"(%335, %336) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %338 = "stablehlo.select"(%329, %215, %214) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %339 = "stablehlo.multiply"(%337, %333) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %340 = "stablehlo.add"(%338, %339) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %341 = "stablehlo.select"(%329, %213, %212) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %342 = "stablehlo.multiply"(%340, %333) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %343 = "stablehlo.add"(%341, %342) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %344 = "stablehlo.select"(%329, %211, %210) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %345 = "stablehlo.multiply"(%343, %333) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %346 = "stablehlo.add"(%344, %345) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %347 = "stablehlo.select"(%329, %209, %208) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %348 = "stablehlo.multiply"(%346, %333) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %349 = "stablehlo.add"(%347, %348) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %350 = "stablehlo.select"(%329, %207, %206) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %351 = "stablehlo.multiply"(%349, %333) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %352 = "stablehlo.add"(%350, %351) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %353 = "stablehlo.select"(%329, %205, %204) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %354 = "stablehlo.multiply"(%352, %333) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %355 = "stablehlo.add"(%353, %354) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %356 = "stablehlo.select"(%329, %203, %202) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %357 = "stablehlo.multiply"(%355, %333) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %358 = "stablehlo.add"(%356, %357) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %359 = "stablehlo.multiply"(%358, %arg9) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %360 = "stablehlo.abs"(%arg9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %361 = "stablehlo.compare"(%360, %250) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %362 = "stablehlo.multiply"(%arg9, %201) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %363 = "stablehlo.select"(%361, %362, %359) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %364 = "stablehlo.compare"(%260, %200) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %365 = "stablehlo.negate"(%260) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %366 = "stablehlo.subtract"(%260, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %367 = "stablehlo.select"(%364, %365, %366) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %368 = "stablehlo.add"(%367, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %369 = "stablehlo.divide"(%199, %368) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %370 = "stablehlo.add"(%250, %369) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %371 = "stablehlo.add"(%367, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %372 = "stablehlo.divide"(%198, %371) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %373 = "stablehlo.add"(%370, %372) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %374 = "stablehlo.add"(%367, %220) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %375 = "stablehlo.divide"(%197, %374) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %376 = "stablehlo.add"(%373, %375) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %377 = "stablehlo.add"(%367, %195) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %378 = "stablehlo.divide"(%196, %377) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %379 = "stablehlo.add"(%376, %378) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %380 = "stablehlo.add"(%367, %222) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %381 = "stablehlo.divide"(%194, %380) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %382 = "stablehlo.add"(%379, %381) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %383 = "stablehlo.add"(%367, %192) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %384 = "stablehlo.divide"(%193, %383) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %385 = "stablehlo.add"(%382, %384) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %386 = "stablehlo.add"(%367, %190) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %387 = "stablehlo.divide"(%191, %386) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %388 = "stablehlo.add"(%385, %387) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %389 = "stablehlo.add"(%367, %188) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %390 = "stablehlo.divide"(%189, %389) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %391 = "stablehlo.add"(%388, %390) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %392 = "stablehlo.add"(%187, %367) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %393 = "stablehlo.divide"(%367, %187) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %394 = "stablehlo.log_plus_one"(%393) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %395 = "stablehlo.add"(%186, %394) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %396 = "stablehlo.divide"(%392, %395) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %397 = "stablehlo.add"(%367, %200) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %398 = "stablehlo.subtract"(%397, %396) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %399 = "stablehlo.multiply"(%398, %395) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %400 = "stablehlo.log"(%391) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %401 = "stablehlo.add"(%185, %399) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %402 = "stablehlo.add"(%401, %400) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %403 = "stablehlo.abs"(%260) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %404 = "stablehlo.floor"(%403) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %405 = "stablehlo.subtract"(%403, %404) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %406 = "stablehlo.compare"(%200, %405) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %407 = "stablehlo.subtract"(%250, %405) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %408 = "stablehlo.select"(%406, %407, %405) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %409 = "stablehlo.multiply"(%184, %408) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %410 = "stablehlo.sine"(%409) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %411 = "stablehlo.log"(%410) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %412 = "stablehlo.subtract"(%183, %411) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %413 = "stablehlo.subtract"(%412, %402) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %414 = "stablehlo.is_finite"(%411) : (tensor<2x3xf32>) -> tensor<2x3xi1>
    %415 = "stablehlo.negate"(%411) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %416 = "stablehlo.select"(%414, %413, %415) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %417 = "stablehlo.select"(%364, %416, %402) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %418 = "stablehlo.abs"(%260) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %419 = "stablehlo.compare"(%418, %201) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %420 = "stablehlo.select"(%419, %201, %417) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %421 = "stablehlo.compare"(%260, %200) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %422 = "stablehlo.negate"(%260) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %423 = "stablehlo.subtract"(%260, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %424 = "stablehlo.select"(%421, %422, %423) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %425 = "stablehlo.add"(%424, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %426 = "stablehlo.multiply"(%425, %425) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %427 = "stablehlo.divide"(%199, %426) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %428 = "stablehlo.subtract"(%230, %427) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %429 = "stablehlo.divide"(%199, %425) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %430 = "stablehlo.add"(%250, %429) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %431 = "stablehlo.add"(%424, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %432 = "stablehlo.multiply"(%431, %431) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %433 = "stablehlo.divide"(%198, %432) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %434 = "stablehlo.subtract"(%428, %433) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %435 = "stablehlo.divide"(%198, %431) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %436 = "stablehlo.add"(%430, %435) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %437 = "stablehlo.add"(%424, %220) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %438 = "stablehlo.multiply"(%437, %437) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %439 = "stablehlo.divide"(%197, %438) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %440 = "stablehlo.subtract"(%434, %439) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %441 = "stablehlo.divide"(%197, %437) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %442 = "stablehlo.add"(%436, %441) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %443 = "stablehlo.add"(%424, %195) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %444 = "stablehlo.multiply"(%443, %443) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %445 = "stablehlo.divide"(%196, %444) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %446 = "stablehlo.subtract"(%440, %445) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %447 = "stablehlo.divide"(%196, %443) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %448 = "stablehlo.add"(%442, %447) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %449 = "stablehlo.add"(%424, %222) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %450 = "stablehlo.multiply"(%449, %449) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %451 = "stablehlo.divide"(%194, %450) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %452 = "stablehlo.subtract"(%446, %451) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %453 = "stablehlo.divide"(%194, %449) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %454 = "stablehlo.add"(%448, %453) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %455 = "stablehlo.add"(%424, %192) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %456 = "stablehlo.multiply"(%455, %455) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %457 = "stablehlo.divide"(%193, %456) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %458 = "stablehlo.subtract"(%452, %457) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %459 = "stablehlo.divide"(%193, %455) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %460 = "stablehlo.add"(%454, %459) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %461 = "stablehlo.add"(%424, %190) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %462 = "stablehlo.multiply"(%461, %461) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %463 = "stablehlo.divide"(%191, %462) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %464 = "stablehlo.subtract"(%458, %463) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %465 = "stablehlo.divide"(%191, %461) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %466 = "stablehlo.add"(%460, %465) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %467 = "stablehlo.add"(%424, %188) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %468 = "stablehlo.multiply"(%467, %467) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %469 = "stablehlo.divide"(%189, %468) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %470 = "stablehlo.subtract"(%464, %469) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %471 = "stablehlo.divide"(%189, %467) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %472 = "stablehlo.add"(%466, %471) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %473 = "stablehlo.add"(%187, %424) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %474 = "stablehlo.divide"(%424, %187) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %475 = "stablehlo.log_plus_one"(%474) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %476 = "stablehlo.add"(%186, %475) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %477 = "stablehlo.divide"(%470, %472) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %478 = "stablehlo.divide"(%190, %473) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %479 = "stablehlo.add"(%476, %477) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %480 = "stablehlo.subtract"(%479, %478) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %481 = "stablehlo.add"(%260, %200) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %482 = "stablehlo.floor"(%481) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %483 = "stablehlo.abs"(%482) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %484 = "stablehlo.add"(%260, %483) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %485 = "stablehlo.multiply"(%184, %484) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %486 = "stablehlo.cosine"(%485) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %487 = "stablehlo.sine"(%485) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %488 = "stablehlo.multiply"(%184, %486) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %489 = "stablehlo.divide"(%488, %487) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %490 = "stablehlo.subtract"(%480, %489) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %491 = "stablehlo.select"(%421, %490, %480) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %492 = "stablehlo.compare"(%260, %230) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %493 = "stablehlo.floor"(%260) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %494 = "stablehlo.compare"(%260, %493) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %495 = "stablehlo.and"(%492, %494) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %496 = "stablehlo.select"(%495, %182, %491) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %497 = "stablehlo.composite"(%arg9) <{decomposition = @chlo.acos.impl, name = "chlo.acos", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %498 = "stablehlo.composite"(%arg9) <{decomposition = @chlo.asin.impl, name = "chlo.asin", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %499 = "stablehlo.atan2"(%arg9, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %500 = "stablehlo.composite"(%arg9) <{decomposition = @chlo.sinh.impl, name = "chlo.sinh", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %501 = "stablehlo.composite"(%arg9) <{decomposition = @chlo.cosh.impl, name = "chlo.cosh", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %502 = "stablehlo.composite"(%arg9) <{decomposition = @chlo.asinh.impl, name = "chlo.asinh", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %503 = "stablehlo.broadcast_in_dim"(%256) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %504 = "stablehlo.add"(%260, %503) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %505 = "func.call"(%504) <{callee = @arccosh}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %506 = "stablehlo.composite"(%arg9) <{decomposition = @chlo.atanh.impl, name = "chlo.atanh", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %507 = "stablehlo.multiply"(%arg9, %arg9) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %508 = "stablehlo.tan"(%arg9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %509 = "stablehlo.abs"(%arg9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %510 = "stablehlo.multiply"(%200, %509) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %511 = "stablehlo.subtract"(%510, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %512 = "stablehlo.multiply"(%511, %230) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %513 = "stablehlo.subtract"(%512, %230) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %514 = "stablehlo.add"(%513, %180) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %515 = "stablehlo.multiply"(%511, %514) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %516 = "stablehlo.subtract"(%515, %230) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %517 = "stablehlo.add"(%516, %179) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %518 = "stablehlo.multiply"(%511, %517) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %519 = "stablehlo.subtract"(%518, %514) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %520 = "stablehlo.add"(%519, %178) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %521 = "stablehlo.multiply"(%511, %520) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %522 = "stablehlo.subtract"(%521, %517) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %523 = "stablehlo.add"(%522, %177) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %524 = "stablehlo.multiply"(%511, %523) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %525 = "stablehlo.subtract"(%524, %520) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %526 = "stablehlo.add"(%525, %176) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %527 = "stablehlo.multiply"(%511, %526) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %528 = "stablehlo.subtract"(%527, %523) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %529 = "stablehlo.add"(%528, %175) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %530 = "stablehlo.multiply"(%511, %529) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %531 = "stablehlo.subtract"(%530, %526) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %532 = "stablehlo.add"(%531, %174) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %533 = "stablehlo.multiply"(%511, %532) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %534 = "stablehlo.subtract"(%533, %529) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %535 = "stablehlo.add"(%534, %173) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %536 = "stablehlo.multiply"(%511, %535) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %537 = "stablehlo.subtract"(%536, %532) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %538 = "stablehlo.add"(%537, %172) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %539 = "stablehlo.multiply"(%511, %538) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %540 = "stablehlo.subtract"(%539, %535) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %541 = "stablehlo.add"(%540, %171) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %542 = "stablehlo.multiply"(%511, %541) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %543 = "stablehlo.subtract"(%542, %538) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %544 = "stablehlo.add"(%543, %170) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %545 = "stablehlo.multiply"(%511, %544) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %546 = "stablehlo.subtract"(%545, %541) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %547 = "stablehlo.add"(%546, %169) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %548 = "stablehlo.multiply"(%511, %547) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %549 = "stablehlo.subtract"(%548, %544) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %550 = "stablehlo.add"(%549, %168) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %551 = "stablehlo.multiply"(%511, %550) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %552 = "stablehlo.subtract"(%551, %547) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %553 = "stablehlo.add"(%552, %167) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %554 = "stablehlo.multiply"(%511, %553) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %555 = "stablehlo.subtract"(%554, %550) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %556 = "stablehlo.add"(%555, %166) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %557 = "stablehlo.multiply"(%511, %556) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %558 = "stablehlo.subtract"(%557, %553) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %559 = "stablehlo.add"(%558, %165) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %560 = "stablehlo.multiply"(%511, %559) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %561 = "stablehlo.subtract"(%560, %556) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %562 = "stablehlo.add"(%561, %164) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %563 = "stablehlo.subtract"(%562, %556) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %564 = "stablehlo.multiply"(%563, %200) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %565 = "stablehlo.multiply"(%509, %564) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %566 = "stablehlo.divide"(%181, %509) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %567 = "stablehlo.subtract"(%566, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %568 = "stablehlo.multiply"(%567, %230) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %569 = "stablehlo.subtract"(%568, %230) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %570 = "stablehlo.add"(%569, %163) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %571 = "stablehlo.multiply"(%567, %570) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %572 = "stablehlo.subtract"(%571, %230) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %573 = "stablehlo.add"(%572, %162) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %574 = "stablehlo.multiply"(%567, %573) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %575 = "stablehlo.subtract"(%574, %570) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %576 = "stablehlo.add"(%575, %161) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %577 = "stablehlo.multiply"(%567, %576) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %578 = "stablehlo.subtract"(%577, %573) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %579 = "stablehlo.add"(%578, %160) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %580 = "stablehlo.multiply"(%567, %579) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %581 = "stablehlo.subtract"(%580, %576) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %582 = "stablehlo.add"(%581, %159) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %583 = "stablehlo.multiply"(%567, %582) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %584 = "stablehlo.subtract"(%583, %579) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %585 = "stablehlo.add"(%584, %158) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %586 = "stablehlo.multiply"(%567, %585) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %587 = "stablehlo.subtract"(%586, %582) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %588 = "stablehlo.add"(%587, %157) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %589 = "stablehlo.subtract"(%588, %582) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %590 = "stablehlo.multiply"(%589, %200) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %591 = "stablehlo.sqrt"(%509) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %592 = "stablehlo.divide"(%590, %591) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %593 = "stablehlo.compare"(%509, %188) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %594 = "stablehlo.select"(%593, %565, %592) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %595 = "stablehlo.sign"(%arg9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %596 = "stablehlo.multiply"(%595, %594) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %597 = "stablehlo.bitcast_convert"(%arg9) : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %598 = "stablehlo.bitcast_convert"(%260) : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %599 = "stablehlo.compare"(%arg9, %arg9) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %600 = "stablehlo.compare"(%260, %260) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %601 = "stablehlo.or"(%599, %600) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %602 = "stablehlo.bitcast_convert"(%182) : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %603 = "stablehlo.and"(%597, %155) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %604 = "stablehlo.and"(%598, %155) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %605 = "stablehlo.compare"(%arg9, %260) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %606 = "stablehlo.compare"(%603, %154) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %607 = "stablehlo.compare"(%604, %154) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %608 = "stablehlo.and"(%597, %156) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %609 = "stablehlo.and"(%598, %156) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %610 = "stablehlo.or"(%609, %153) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %611 = "stablehlo.compare"(%608, %609) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %612 = "stablehlo.compare"(%603, %604) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %613 = "stablehlo.or"(%612, %611) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %614 = "stablehlo.select"(%613, %152, %153) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %615 = "stablehlo.add"(%597, %614) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %616 = "stablehlo.select"(%607, %598, %610) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %617 = "stablehlo.select"(%606, %616, %615) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %618 = "stablehlo.select"(%605, %598, %617) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %619 = "stablehlo.select"(%601, %602, %618) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %620 = "stablehlo.bitcast_convert"(%619) : (tensor<2x3xi32>) -> tensor<2x3xf32>
    %621 = "stablehlo.broadcast_in_dim"(%255) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %622 = "stablehlo.add"(%260, %621) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %623 = "stablehlo.negate"(%622) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %624 = "stablehlo.power"(%260, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %625 = "stablehlo.add"(%260, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %626 = "stablehlo.power"(%625, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %627 = "stablehlo.add"(%624, %626) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %628 = "stablehlo.add"(%625, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %629 = "stablehlo.power"(%628, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %630 = "stablehlo.add"(%627, %629) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %631 = "stablehlo.add"(%628, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %632 = "stablehlo.power"(%631, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %633 = "stablehlo.add"(%630, %632) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %634 = "stablehlo.add"(%631, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %635 = "stablehlo.power"(%634, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %636 = "stablehlo.add"(%633, %635) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %637 = "stablehlo.add"(%634, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %638 = "stablehlo.power"(%637, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %639 = "stablehlo.add"(%636, %638) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %640 = "stablehlo.add"(%637, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %641 = "stablehlo.power"(%640, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %642 = "stablehlo.add"(%639, %641) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %643 = "stablehlo.add"(%640, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %644 = "stablehlo.power"(%643, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %645 = "stablehlo.add"(%642, %644) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %646 = "stablehlo.add"(%643, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %647 = "stablehlo.power"(%646, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %648 = "stablehlo.add"(%645, %647) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %649 = "stablehlo.add"(%646, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %650 = "stablehlo.power"(%649, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %651 = "stablehlo.add"(%648, %650) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %652 = "stablehlo.add"(%649, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %653 = "stablehlo.power"(%652, %623) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %654 = "stablehlo.multiply"(%653, %652) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %655 = "stablehlo.subtract"(%622, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %656 = "stablehlo.divide"(%654, %655) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %657 = "stablehlo.multiply"(%652, %652) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %658 = "stablehlo.divide"(%250, %657) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %659 = "stablehlo.add"(%622, %151) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %660 = "stablehlo.add"(%622, %150) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %661 = "stablehlo.multiply"(%659, %660) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %662 = "stablehlo.add"(%230, %149) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %663 = "stablehlo.multiply"(%658, %662) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %664 = "stablehlo.multiply"(%661, %663) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %665 = "stablehlo.add"(%622, %148) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %666 = "stablehlo.add"(%622, %147) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %667 = "stablehlo.multiply"(%665, %666) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %668 = "stablehlo.add"(%664, %146) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %669 = "stablehlo.multiply"(%658, %668) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %670 = "stablehlo.multiply"(%667, %669) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %671 = "stablehlo.add"(%622, %145) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %672 = "stablehlo.add"(%622, %144) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %673 = "stablehlo.multiply"(%671, %672) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %674 = "stablehlo.add"(%670, %143) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %675 = "stablehlo.multiply"(%658, %674) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %676 = "stablehlo.multiply"(%673, %675) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %677 = "stablehlo.add"(%622, %142) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %678 = "stablehlo.add"(%622, %141) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %679 = "stablehlo.multiply"(%677, %678) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %680 = "stablehlo.add"(%676, %140) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %681 = "stablehlo.multiply"(%658, %680) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %682 = "stablehlo.multiply"(%679, %681) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %683 = "stablehlo.add"(%622, %139) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %684 = "stablehlo.add"(%622, %138) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %685 = "stablehlo.multiply"(%683, %684) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %686 = "stablehlo.add"(%682, %137) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %687 = "stablehlo.multiply"(%658, %686) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %688 = "stablehlo.multiply"(%685, %687) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %689 = "stablehlo.add"(%622, %136) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %690 = "stablehlo.add"(%622, %135) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %691 = "stablehlo.multiply"(%689, %690) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %692 = "stablehlo.add"(%688, %134) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %693 = "stablehlo.multiply"(%658, %692) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %694 = "stablehlo.multiply"(%691, %693) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %695 = "stablehlo.add"(%622, %133) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %696 = "stablehlo.add"(%622, %132) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %697 = "stablehlo.multiply"(%695, %696) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %698 = "stablehlo.add"(%694, %131) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %699 = "stablehlo.multiply"(%658, %698) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %700 = "stablehlo.multiply"(%697, %699) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %701 = "stablehlo.add"(%622, %188) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %702 = "stablehlo.add"(%622, %190) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %703 = "stablehlo.multiply"(%701, %702) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %704 = "stablehlo.add"(%700, %130) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %705 = "stablehlo.multiply"(%658, %704) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %706 = "stablehlo.multiply"(%703, %705) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %707 = "stablehlo.add"(%622, %192) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %708 = "stablehlo.add"(%622, %222) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %709 = "stablehlo.multiply"(%707, %708) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %710 = "stablehlo.add"(%706, %129) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %711 = "stablehlo.multiply"(%658, %710) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %712 = "stablehlo.multiply"(%709, %711) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %713 = "stablehlo.add"(%622, %195) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %714 = "stablehlo.add"(%622, %220) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %715 = "stablehlo.multiply"(%713, %714) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %716 = "stablehlo.add"(%712, %128) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %717 = "stablehlo.multiply"(%658, %716) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %718 = "stablehlo.multiply"(%715, %717) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %719 = "stablehlo.add"(%622, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %720 = "stablehlo.add"(%622, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %721 = "stablehlo.multiply"(%719, %720) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %722 = "stablehlo.add"(%718, %127) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %723 = "stablehlo.multiply"(%658, %722) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %724 = "stablehlo.multiply"(%721, %723) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %725 = "stablehlo.divide"(%622, %652) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %726 = "stablehlo.add"(%126, %724) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %727 = "stablehlo.multiply"(%725, %726) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %728 = "stablehlo.add"(%200, %727) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %729 = "stablehlo.multiply"(%653, %728) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %730 = "stablehlo.add"(%651, %656) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %731 = "stablehlo.add"(%730, %729) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %732 = "stablehlo.abs"(%653) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %733 = "stablehlo.abs"(%651) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %734 = "stablehlo.multiply"(%733, %125) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %735 = "stablehlo.compare"(%732, %734) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %736 = "stablehlo.select"(%735, %651, %731) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %737 = "stablehlo.compare"(%622, %250) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %738 = "stablehlo.select"(%737, %182, %736) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %739 = "stablehlo.compare"(%260, %230) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %740 = "stablehlo.floor"(%622) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %741 = "stablehlo.compare"(%622, %740) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %742 = "stablehlo.and"(%739, %741) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %743 = "stablehlo.select"(%742, %182, %738) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %744 = "stablehlo.floor"(%260) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %745 = "stablehlo.compare"(%260, %744) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %746 = "stablehlo.and"(%739, %745) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %747 = "stablehlo.floor"(%622) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %748 = "stablehlo.compare"(%622, %747) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %749 = "stablehlo.remainder"(%622, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %750 = "stablehlo.compare"(%749, %230) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %751 = "stablehlo.and"(%748, %750) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %752 = "stablehlo.select"(%751, %201, %182) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %753 = "stablehlo.select"(%746, %752, %743) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %754 = "stablehlo.compare"(%622, %250) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %755 = "stablehlo.select"(%754, %201, %753) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %756 = "stablehlo.broadcast_in_dim"(%255) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %757 = "stablehlo.remainder"(%756, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %758 = "stablehlo.multiply"(%249, %757) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %759 = "stablehlo.subtract"(%758, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %760 = "stablehlo.add"(%756, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %761 = "stablehlo.compare"(%760, %200) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %762 = "stablehlo.negate"(%760) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %763 = "stablehlo.subtract"(%760, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %764 = "stablehlo.select"(%761, %762, %763) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %765 = "stablehlo.add"(%764, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %766 = "stablehlo.divide"(%199, %765) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %767 = "stablehlo.add"(%250, %766) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %768 = "stablehlo.add"(%764, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %769 = "stablehlo.divide"(%198, %768) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %770 = "stablehlo.add"(%767, %769) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %771 = "stablehlo.add"(%764, %220) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %772 = "stablehlo.divide"(%197, %771) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %773 = "stablehlo.add"(%770, %772) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %774 = "stablehlo.add"(%764, %195) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %775 = "stablehlo.divide"(%196, %774) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %776 = "stablehlo.add"(%773, %775) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %777 = "stablehlo.add"(%764, %222) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %778 = "stablehlo.divide"(%194, %777) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %779 = "stablehlo.add"(%776, %778) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %780 = "stablehlo.add"(%764, %192) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %781 = "stablehlo.divide"(%193, %780) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %782 = "stablehlo.add"(%779, %781) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %783 = "stablehlo.add"(%764, %190) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %784 = "stablehlo.divide"(%191, %783) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %785 = "stablehlo.add"(%782, %784) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %786 = "stablehlo.add"(%764, %188) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %787 = "stablehlo.divide"(%189, %786) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %788 = "stablehlo.add"(%785, %787) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %789 = "stablehlo.add"(%187, %764) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %790 = "stablehlo.divide"(%764, %187) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %791 = "stablehlo.log_plus_one"(%790) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %792 = "stablehlo.add"(%186, %791) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %793 = "stablehlo.divide"(%789, %792) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %794 = "stablehlo.add"(%764, %200) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %795 = "stablehlo.subtract"(%794, %793) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %796 = "stablehlo.multiply"(%795, %792) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %797 = "stablehlo.log"(%788) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %798 = "stablehlo.add"(%185, %796) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %799 = "stablehlo.add"(%798, %797) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %800 = "stablehlo.abs"(%760) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %801 = "stablehlo.floor"(%800) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %802 = "stablehlo.subtract"(%800, %801) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %803 = "stablehlo.compare"(%200, %802) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %804 = "stablehlo.subtract"(%250, %802) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %805 = "stablehlo.select"(%803, %804, %802) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %806 = "stablehlo.multiply"(%184, %805) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %807 = "stablehlo.sine"(%806) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %808 = "stablehlo.log"(%807) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %809 = "stablehlo.subtract"(%183, %808) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %810 = "stablehlo.subtract"(%809, %799) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %811 = "stablehlo.is_finite"(%808) : (tensor<2x3xf32>) -> tensor<2x3xi1>
    %812 = "stablehlo.negate"(%808) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %813 = "stablehlo.select"(%811, %810, %812) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %814 = "stablehlo.select"(%761, %813, %799) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %815 = "stablehlo.abs"(%760) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %816 = "stablehlo.compare"(%815, %201) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %817 = "stablehlo.select"(%816, %201, %814) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %818 = "stablehlo.exponential"(%817) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %819 = "stablehlo.negate"(%760) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %820 = "stablehlo.power"(%260, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %821 = "stablehlo.add"(%260, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %822 = "stablehlo.power"(%821, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %823 = "stablehlo.add"(%820, %822) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %824 = "stablehlo.add"(%821, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %825 = "stablehlo.power"(%824, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %826 = "stablehlo.add"(%823, %825) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %827 = "stablehlo.add"(%824, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %828 = "stablehlo.power"(%827, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %829 = "stablehlo.add"(%826, %828) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %830 = "stablehlo.add"(%827, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %831 = "stablehlo.power"(%830, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %832 = "stablehlo.add"(%829, %831) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %833 = "stablehlo.add"(%830, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %834 = "stablehlo.power"(%833, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %835 = "stablehlo.add"(%832, %834) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %836 = "stablehlo.add"(%833, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %837 = "stablehlo.power"(%836, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %838 = "stablehlo.add"(%835, %837) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %839 = "stablehlo.add"(%836, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %840 = "stablehlo.power"(%839, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %841 = "stablehlo.add"(%838, %840) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %842 = "stablehlo.add"(%839, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %843 = "stablehlo.power"(%842, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %844 = "stablehlo.add"(%841, %843) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %845 = "stablehlo.add"(%842, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %846 = "stablehlo.power"(%845, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %847 = "stablehlo.add"(%844, %846) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %848 = "stablehlo.add"(%845, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %849 = "stablehlo.power"(%848, %819) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %850 = "stablehlo.multiply"(%849, %848) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %851 = "stablehlo.subtract"(%760, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %852 = "stablehlo.divide"(%850, %851) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %853 = "stablehlo.multiply"(%848, %848) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %854 = "stablehlo.divide"(%250, %853) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %855 = "stablehlo.add"(%760, %151) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %856 = "stablehlo.add"(%760, %150) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %857 = "stablehlo.multiply"(%855, %856) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %858 = "stablehlo.add"(%230, %149) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %859 = "stablehlo.multiply"(%854, %858) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %860 = "stablehlo.multiply"(%857, %859) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %861 = "stablehlo.add"(%760, %148) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %862 = "stablehlo.add"(%760, %147) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %863 = "stablehlo.multiply"(%861, %862) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %864 = "stablehlo.add"(%860, %146) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %865 = "stablehlo.multiply"(%854, %864) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %866 = "stablehlo.multiply"(%863, %865) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %867 = "stablehlo.add"(%760, %145) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %868 = "stablehlo.add"(%760, %144) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %869 = "stablehlo.multiply"(%867, %868) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %870 = "stablehlo.add"(%866, %143) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %871 = "stablehlo.multiply"(%854, %870) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %872 = "stablehlo.multiply"(%869, %871) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %873 = "stablehlo.add"(%760, %142) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %874 = "stablehlo.add"(%760, %141) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %875 = "stablehlo.multiply"(%873, %874) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %876 = "stablehlo.add"(%872, %140) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %877 = "stablehlo.multiply"(%854, %876) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %878 = "stablehlo.multiply"(%875, %877) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %879 = "stablehlo.add"(%760, %139) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %880 = "stablehlo.add"(%760, %138) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %881 = "stablehlo.multiply"(%879, %880) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %882 = "stablehlo.add"(%878, %137) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %883 = "stablehlo.multiply"(%854, %882) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %884 = "stablehlo.multiply"(%881, %883) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %885 = "stablehlo.add"(%760, %136) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %886 = "stablehlo.add"(%760, %135) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %887 = "stablehlo.multiply"(%885, %886) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %888 = "stablehlo.add"(%884, %134) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %889 = "stablehlo.multiply"(%854, %888) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %890 = "stablehlo.multiply"(%887, %889) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %891 = "stablehlo.add"(%760, %133) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %892 = "stablehlo.add"(%760, %132) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %893 = "stablehlo.multiply"(%891, %892) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %894 = "stablehlo.add"(%890, %131) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %895 = "stablehlo.multiply"(%854, %894) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %896 = "stablehlo.multiply"(%893, %895) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %897 = "stablehlo.add"(%760, %188) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %898 = "stablehlo.add"(%760, %190) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %899 = "stablehlo.multiply"(%897, %898) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %900 = "stablehlo.add"(%896, %130) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %901 = "stablehlo.multiply"(%854, %900) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %902 = "stablehlo.multiply"(%899, %901) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %903 = "stablehlo.add"(%760, %192) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %904 = "stablehlo.add"(%760, %222) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %905 = "stablehlo.multiply"(%903, %904) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %906 = "stablehlo.add"(%902, %129) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %907 = "stablehlo.multiply"(%854, %906) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %908 = "stablehlo.multiply"(%905, %907) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %909 = "stablehlo.add"(%760, %195) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %910 = "stablehlo.add"(%760, %220) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %911 = "stablehlo.multiply"(%909, %910) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %912 = "stablehlo.add"(%908, %128) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %913 = "stablehlo.multiply"(%854, %912) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %914 = "stablehlo.multiply"(%911, %913) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %915 = "stablehlo.add"(%760, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %916 = "stablehlo.add"(%760, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %917 = "stablehlo.multiply"(%915, %916) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %918 = "stablehlo.add"(%914, %127) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %919 = "stablehlo.multiply"(%854, %918) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %920 = "stablehlo.multiply"(%917, %919) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %921 = "stablehlo.divide"(%760, %848) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %922 = "stablehlo.add"(%126, %920) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %923 = "stablehlo.multiply"(%921, %922) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %924 = "stablehlo.add"(%200, %923) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %925 = "stablehlo.multiply"(%849, %924) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %926 = "stablehlo.add"(%847, %852) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %927 = "stablehlo.add"(%926, %925) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %928 = "stablehlo.abs"(%849) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %929 = "stablehlo.abs"(%847) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %930 = "stablehlo.multiply"(%929, %125) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %931 = "stablehlo.compare"(%928, %930) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %932 = "stablehlo.select"(%931, %847, %927) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %933 = "stablehlo.compare"(%760, %250) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %934 = "stablehlo.select"(%933, %182, %932) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %935 = "stablehlo.compare"(%260, %230) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %936 = "stablehlo.floor"(%760) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %937 = "stablehlo.compare"(%760, %936) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %938 = "stablehlo.and"(%935, %937) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %939 = "stablehlo.select"(%938, %182, %934) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %940 = "stablehlo.floor"(%260) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %941 = "stablehlo.compare"(%260, %940) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %942 = "stablehlo.and"(%935, %941) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %943 = "stablehlo.floor"(%760) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %944 = "stablehlo.compare"(%760, %943) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %945 = "stablehlo.remainder"(%760, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %946 = "stablehlo.compare"(%945, %230) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %947 = "stablehlo.and"(%944, %946) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %948 = "stablehlo.select"(%947, %201, %182) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %949 = "stablehlo.select"(%942, %948, %939) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %950 = "stablehlo.compare"(%760, %250) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %951 = "stablehlo.select"(%950, %201, %949) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %952 = "stablehlo.multiply"(%759, %818) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %953 = "stablehlo.multiply"(%952, %951) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %954 = "stablehlo.compare"(%756, %230) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %955 = "stablehlo.compare"(%260, %200) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %956 = "stablehlo.negate"(%260) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %957 = "stablehlo.subtract"(%260, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %958 = "stablehlo.select"(%955, %956, %957) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %959 = "stablehlo.add"(%958, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %960 = "stablehlo.multiply"(%959, %959) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %961 = "stablehlo.divide"(%199, %960) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %962 = "stablehlo.subtract"(%230, %961) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %963 = "stablehlo.divide"(%199, %959) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %964 = "stablehlo.add"(%250, %963) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %965 = "stablehlo.add"(%958, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %966 = "stablehlo.multiply"(%965, %965) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %967 = "stablehlo.divide"(%198, %966) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %968 = "stablehlo.subtract"(%962, %967) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %969 = "stablehlo.divide"(%198, %965) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %970 = "stablehlo.add"(%964, %969) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %971 = "stablehlo.add"(%958, %220) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %972 = "stablehlo.multiply"(%971, %971) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %973 = "stablehlo.divide"(%197, %972) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %974 = "stablehlo.subtract"(%968, %973) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %975 = "stablehlo.divide"(%197, %971) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %976 = "stablehlo.add"(%970, %975) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %977 = "stablehlo.add"(%958, %195) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %978 = "stablehlo.multiply"(%977, %977) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %979 = "stablehlo.divide"(%196, %978) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %980 = "stablehlo.subtract"(%974, %979) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %981 = "stablehlo.divide"(%196, %977) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %982 = "stablehlo.add"(%976, %981) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %983 = "stablehlo.add"(%958, %222) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %984 = "stablehlo.multiply"(%983, %983) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %985 = "stablehlo.divide"(%194, %984) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %986 = "stablehlo.subtract"(%980, %985) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %987 = "stablehlo.divide"(%194, %983) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %988 = "stablehlo.add"(%982, %987) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %989 = "stablehlo.add"(%958, %192) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %990 = "stablehlo.multiply"(%989, %989) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %991 = "stablehlo.divide"(%193, %990) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %992 = "stablehlo.subtract"(%986, %991) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %993 = "stablehlo.divide"(%193, %989) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %994 = "stablehlo.add"(%988, %993) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %995 = "stablehlo.add"(%958, %190) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %996 = "stablehlo.multiply"(%995, %995) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %997 = "stablehlo.divide"(%191, %996) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %998 = "stablehlo.subtract"(%992, %997) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %999 = "stablehlo.divide"(%191, %995) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1000 = "stablehlo.add"(%994, %999) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1001 = "stablehlo.add"(%958, %188) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1002 = "stablehlo.multiply"(%1001, %1001) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1003 = "stablehlo.divide"(%189, %1002) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1004 = "stablehlo.subtract"(%998, %1003) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1005 = "stablehlo.divide"(%189, %1001) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1006 = "stablehlo.add"(%1000, %1005) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1007 = "stablehlo.add"(%187, %958) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1008 = "stablehlo.divide"(%958, %187) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1009 = "stablehlo.log_plus_one"(%1008) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1010 = "stablehlo.add"(%186, %1009) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1011 = "stablehlo.divide"(%1004, %1006) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1012 = "stablehlo.divide"(%190, %1007) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1013 = "stablehlo.add"(%1010, %1011) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1014 = "stablehlo.subtract"(%1013, %1012) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1015 = "stablehlo.add"(%260, %200) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1016 = "stablehlo.floor"(%1015) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1017 = "stablehlo.abs"(%1016) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1018 = "stablehlo.add"(%260, %1017) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1019 = "stablehlo.multiply"(%184, %1018) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1020 = "stablehlo.cosine"(%1019) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1021 = "stablehlo.sine"(%1019) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1022 = "stablehlo.multiply"(%184, %1020) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1023 = "stablehlo.divide"(%1022, %1021) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1024 = "stablehlo.subtract"(%1014, %1023) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1025 = "stablehlo.select"(%955, %1024, %1014) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1026 = "stablehlo.compare"(%260, %230) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %1027 = "stablehlo.floor"(%260) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1028 = "stablehlo.compare"(%260, %1027) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %1029 = "stablehlo.and"(%1026, %1028) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %1030 = "stablehlo.select"(%1029, %182, %1025) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1031 = "stablehlo.select"(%954, %1030, %953) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1032 = "stablehlo.floor"(%756) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1033 = "stablehlo.compare"(%756, %1032) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %1034 = "stablehlo.compare"(%756, %230) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %1035 = "stablehlo.or"(%1033, %1034) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %1036 = "stablehlo.select"(%1035, %182, %1031) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1037 = "stablehlo.multiply"(%arg9, %arg9) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1038 = "stablehlo.multiply"(%1037, %arg9) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1039 = "stablehlo.broadcast_in_dim"(%254) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %1040 = "stablehlo.multiply"(%1039, %1038) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1041 = "stablehlo.add"(%arg9, %1040) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1042 = "stablehlo.broadcast_in_dim"(%253) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %1043 = "stablehlo.multiply"(%1042, %1041) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1044 = "stablehlo.tanh"(%1043) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1045 = "stablehlo.broadcast_in_dim"(%256) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %1046 = "stablehlo.add"(%1045, %1044) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1047 = "stablehlo.broadcast_in_dim"(%252) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %1048 = "stablehlo.multiply"(%1047, %1046) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1049 = "stablehlo.multiply"(%arg9, %1048) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1050 = "stablehlo.broadcast_in_dim"(%251) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %1051 = "stablehlo.multiply"(%260, %1050) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1052 = "stablehlo.compare"(%1051, %200) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %1053 = "stablehlo.negate"(%1051) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1054 = "stablehlo.subtract"(%1051, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1055 = "stablehlo.select"(%1052, %1053, %1054) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1056 = "stablehlo.add"(%1055, %250) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1057 = "stablehlo.divide"(%199, %1056) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1058 = "stablehlo.add"(%250, %1057) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1059 = "stablehlo.add"(%1055, %249) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1060 = "stablehlo.divide"(%198, %1059) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1061 = "stablehlo.add"(%1058, %1060) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1062 = "stablehlo.add"(%1055, %220) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1063 = "stablehlo.divide"(%197, %1062) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1064 = "stablehlo.add"(%1061, %1063) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1065 = "stablehlo.add"(%1055, %195) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1066 = "stablehlo.divide"(%196, %1065) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1067 = "stablehlo.add"(%1064, %1066) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1068 = "stablehlo.add"(%1055, %222) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1069 = "stablehlo.divide"(%194, %1068) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1070 = "stablehlo.add"(%1067, %1069) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1071 = "stablehlo.add"(%1055, %192) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1072 = "stablehlo.divide"(%193, %1071) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1073 = "stablehlo.add"(%1070, %1072) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1074 = "stablehlo.add"(%1055, %190) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1075 = "stablehlo.divide"(%191, %1074) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1076 = "stablehlo.add"(%1073, %1075) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1077 = "stablehlo.add"(%1055, %188) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1078 = "stablehlo.divide"(%189, %1077) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1079 = "stablehlo.add"(%1076, %1078) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1080 = "stablehlo.add"(%187, %1055) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1081 = "stablehlo.divide"(%1055, %187) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1082 = "stablehlo.log_plus_one"(%1081) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1083 = "stablehlo.add"(%186, %1082) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1084 = "stablehlo.divide"(%1080, %1083) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1085 = "stablehlo.add"(%1055, %200) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1086 = "stablehlo.subtract"(%1085, %1084) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1087 = "stablehlo.multiply"(%1086, %1083) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1088 = "stablehlo.log"(%1079) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1089 = "stablehlo.add"(%185, %1087) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1090 = "stablehlo.add"(%1089, %1088) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1091 = "stablehlo.abs"(%1051) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1092 = "stablehlo.floor"(%1091) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1093 = "stablehlo.subtract"(%1091, %1092) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1094 = "stablehlo.compare"(%200, %1093) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %1095 = "stablehlo.subtract"(%250, %1093) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1096 = "stablehlo.select"(%1094, %1095, %1093) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1097 = "stablehlo.multiply"(%184, %1096) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1098 = "stablehlo.sine"(%1097) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1099 = "stablehlo.log"(%1098) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1100 = "stablehlo.subtract"(%183, %1099) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1101 = "stablehlo.subtract"(%1100, %1090) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1102 = "stablehlo.is_finite"(%1099) : (tensor<2x3xf32>) -> tensor<2x3xi1>
    %1103 = "stablehlo.negate"(%1099) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1104 = "stablehlo.select"(%1102, %1101, %1103) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1105 = "stablehlo.select"(%1052, %1104, %1090) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1106 = "stablehlo.abs"(%1051) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1107 = "stablehlo.compare"(%1106, %201) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %1108 = "stablehlo.select"(%1107, %201, %1105) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%261, %324, %363, %420, %496, %497, %498, %499, %500, %501, %502, %505, %506, %507, %508, %596, %620, %755, %1036, %1049, %1108) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "chlo.atanh.impl", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<2x3xf32>):
    %114 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %115 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %116 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %117 = "stablehlo.abs"(%arg8) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %118 = "stablehlo.compare"(%117, %116) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %119 = "stablehlo.log_plus_one"(%arg8) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %120 = "stablehlo.negate"(%arg8) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %121 = "stablehlo.log_plus_one"(%120) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %122 = "stablehlo.subtract"(%119, %121) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %123 = "stablehlo.multiply"(%122, %114) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %124 = "stablehlo.select"(%118, %115, %123) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%124) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "chlo.asinh.impl", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x3xf32>):
    %95 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %96 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %97 = "stablehlo.constant"() <{value = dense<3.40282347E+38> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %98 = "stablehlo.sign"(%arg7) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %99 = "stablehlo.abs"(%arg7) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %100 = "stablehlo.sqrt"(%97) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %101 = "stablehlo.compare"(%99, %100) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %102 = "stablehlo.log"(%96) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %103 = "stablehlo.log"(%99) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %104 = "stablehlo.add"(%102, %103) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %105 = "stablehlo.multiply"(%99, %99) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %106 = "stablehlo.add"(%95, %105) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %107 = "stablehlo.sqrt"(%106) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %108 = "stablehlo.add"(%95, %107) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %109 = "stablehlo.divide"(%105, %108) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %110 = "stablehlo.add"(%99, %109) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %111 = "stablehlo.log_plus_one"(%110) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %112 = "stablehlo.select"(%101, %104, %111) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %113 = "stablehlo.multiply"(%98, %112) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%113) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "chlo.cosh.impl", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x3xf32>):
    %88 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %89 = "stablehlo.log"(%88) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %90 = "stablehlo.add"(%arg6, %89) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %91 = "stablehlo.exponential"(%90) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %92 = "stablehlo.subtract"(%89, %arg6) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %93 = "stablehlo.exponential"(%92) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %94 = "stablehlo.add"(%91, %93) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%94) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "chlo.sinh.impl", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<2x3xf32>):
    %72 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %73 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %74 = "stablehlo.log"(%73) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %75 = "stablehlo.add"(%arg5, %74) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %76 = "stablehlo.exponential"(%75) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %77 = "stablehlo.subtract"(%74, %arg5) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %78 = "stablehlo.exponential"(%77) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %79 = "stablehlo.subtract"(%76, %78) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %80 = "stablehlo.exponential_minus_one"(%arg5) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %81 = "stablehlo.add"(%80, %72) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %82 = "stablehlo.divide"(%80, %81) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %83 = "stablehlo.add"(%80, %82) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %84 = "stablehlo.multiply"(%73, %83) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %85 = "stablehlo.abs"(%arg5) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %86 = "stablehlo.compare"(%85, %72) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %87 = "stablehlo.select"(%86, %84, %79) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%87) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "chlo.asin.impl", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x3xf32>):
    %64 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %65 = "stablehlo.subtract"(%64, %arg4) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %66 = "stablehlo.add"(%64, %arg4) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %67 = "stablehlo.multiply"(%65, %66) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %68 = "stablehlo.sqrt"(%67) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %69 = "stablehlo.add"(%64, %68) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %70 = "stablehlo.atan2"(%arg4, %69) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %71 = "stablehlo.add"(%70, %70) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%71) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "chlo.acos.impl", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x3xf32>):
    %58 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %59 = "stablehlo.subtract"(%58, %arg3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %60 = "stablehlo.add"(%58, %arg3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %61 = "stablehlo.multiply"(%59, %60) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %62 = "stablehlo.sqrt"(%61) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %63 = "stablehlo.atan2"(%62, %arg3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%63) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "chlo.erf.impl", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x3xf32>):
    %17 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %18 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %19 = "stablehlo.constant"() <{value = dense<-0.0142647391> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %20 = "stablehlo.constant"() <{value = dense<-0.00737332925> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %21 = "stablehlo.constant"() <{value = dense<-0.00168282702> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %22 = "stablehlo.constant"() <{value = dense<-2.13374049E-4> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %23 = "stablehlo.constant"() <{value = dense<-1.45660715E-5> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %24 = "stablehlo.constant"() <{value = dense<-0.0160960332> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %25 = "stablehlo.constant"() <{value = dense<-2.954600e-03> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %26 = "stablehlo.constant"() <{value = dense<-7.34990637E-4> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %27 = "stablehlo.constant"() <{value = dense<-5.69250624E-5> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %28 = "stablehlo.constant"() <{value = dense<-2.10102394E-6> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %29 = "stablehlo.constant"() <{value = dense<2.77068146E-8> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %30 = "stablehlo.constant"() <{value = dense<-2.72614237E-10> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %31 = "stablehlo.constant"() <{value = dense<-4.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %32 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %33 = "stablehlo.clamp"(%31, %arg2, %32) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %34 = "stablehlo.multiply"(%33, %33) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %35 = "stablehlo.multiply"(%30, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %36 = "stablehlo.add"(%35, %29) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %37 = "stablehlo.multiply"(%36, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %38 = "stablehlo.add"(%37, %28) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %39 = "stablehlo.multiply"(%38, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %40 = "stablehlo.add"(%39, %27) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %41 = "stablehlo.multiply"(%40, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %42 = "stablehlo.add"(%41, %26) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %43 = "stablehlo.multiply"(%42, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %44 = "stablehlo.add"(%43, %25) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %45 = "stablehlo.multiply"(%44, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %46 = "stablehlo.add"(%45, %24) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %47 = "stablehlo.multiply"(%23, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %48 = "stablehlo.add"(%47, %22) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %49 = "stablehlo.multiply"(%48, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %50 = "stablehlo.add"(%49, %21) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %51 = "stablehlo.multiply"(%50, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %52 = "stablehlo.add"(%51, %20) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %53 = "stablehlo.multiply"(%52, %34) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %54 = "stablehlo.add"(%53, %19) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %55 = "stablehlo.multiply"(%33, %46) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %56 = "stablehlo.divide"(%55, %54) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %57 = "stablehlo.clamp"(%18, %56, %17) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%57) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, res_attrs = [{}], sym_name = "arccosh", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x3xf32>):
    %16 = "stablehlo.composite"(%arg1) <{decomposition = @chlo.acosh.impl, name = "chlo.acosh", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%16) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "chlo.acosh.impl", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %1 = "stablehlo.constant"() <{value = dense<3.40282347E+38> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %3 = "stablehlo.divide"(%1, %2) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %4 = "stablehlo.compare"(%arg0, %3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %5 = "stablehlo.log"(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = "stablehlo.log"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %7 = "stablehlo.add"(%5, %6) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %8 = "stablehlo.subtract"(%arg0, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %9 = "stablehlo.sqrt"(%8) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %10 = "stablehlo.add"(%arg0, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %11 = "stablehlo.sqrt"(%10) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %12 = "stablehlo.add"(%11, %9) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %13 = "stablehlo.multiply"(%9, %12) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %14 = "stablehlo.log_plus_one"(%13) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %15 = "stablehlo.select"(%4, %7, %14) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%15) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
