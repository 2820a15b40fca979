// PIPELINE: mica-reference-decompose-tensors
module {
  func.func @main(%x: tensor<0xf32>, %v: f32) -> tensor<?xf32> {
    %0 = "tensor.pad"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_high = array<i64: 2>, static_low = array<i64: -9223372036854775808>}> ({
    ^bb0(%i: index):
      "tensor.yield"(%v) : (f32) -> ()
    }) : (tensor<0xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}
