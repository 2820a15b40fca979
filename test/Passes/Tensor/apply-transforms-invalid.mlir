// RUN: mica-opt %s --verify-diagnostics --mica-tensor-apply-transforms=entry=tile

// expected-error @+1 {{the transform script '@tile' is not in the file; a script is a transform.named_sequence of that name}}
module {
  func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}
