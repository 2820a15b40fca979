// PIPELINE: func.func(mica-codegen-expand-narrow-float-casts{types=bf16,f16}) ; func.func(mica-codegen-emulate-narrow-ints)
module {
  func.func @sum(%arg0: tensor<100xf8E5M2>) -> tensor<100xf8E5M2> {
    %cst = arith.constant dense_resource<weight> : tensor<100xf8E5M2>
    %0 = arith.addf %arg0, %cst : tensor<100xf8E5M2>
    return %0 : tensor<100xf8E5M2>
  }
  func.func @casts(%arg0: tensor<3xf64>, %arg1: tensor<3xi64>) -> (tensor<3xbf16>, tensor<3xbf16>, tensor<3xi64>) {
    %0 = arith.truncf %arg0 : tensor<3xf64> to tensor<3xbf16>
    %1 = arith.sitofp %arg1 : tensor<3xi64> to tensor<3xbf16>
    %2 = math.ipowi %arg1, %arg1 : tensor<3xi64>
    return %0, %1, %2 : tensor<3xbf16>, tensor<3xbf16>, tensor<3xi64>
  }
}
