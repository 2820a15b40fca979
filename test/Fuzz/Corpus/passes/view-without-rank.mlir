// PIPELINE: mica-sim-check-accesses{kernels=bounds+race} ; mica-phase-lowered{sim-check=safe} ; mica-phase-schedule{transform=x}
module {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @main() {
    %0 = "tosa.const"() <{values = dense<true> : tensor<2xi1>}> : () -> tensor<2xi1>
    %1 = tosa.cast %0 : (tensor<2xi1>) -> tensor<2xf32>
    %cast = tensor.cast %1 : tensor<2xf32> to tensor<*xf32>
    %cast_0 = tensor.cast %1 : tensor<2xf32> to tensor<*xf32>
    call @printMemrefF32(%cast_0) : (tensor<*xf32>) -> ()
    return
  }
}