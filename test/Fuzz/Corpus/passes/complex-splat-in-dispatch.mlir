// PIPELINE: mica-phase-dispatch{l1-bytes=-1}
module {
  func.func @large() -> tensor<65xf32> {
    %cst = arith.constant dense<1.000000e+00> : tensor<65xf32>
    return %cst : tensor<65xf32>
  }
  func.func @small() -> tensor<64xf32> {
    %cst = arith.constant dense<1.000000e+00> : tensor<64xf32>
    return %cst : tensor<64xf32>
  }
  func.func @complex_numbers() -> tensor<65xcomplex<f32>> {
    %cst = arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<65xcomplex<f32>>
    return %cst : tensor<65xcomplex<f32>>
  }
}