// Ops of the shape dialect, and an extent that there is not.
// VERDICT: undefined behavior in the program shape.get_extent
// PIPELINE: --canonicalize
func.func @main() -> index {
  %t = tensor.empty() : tensor<2x3xf32>
  %s = shape.shape_of %t : tensor<2x3xf32> -> tensor<2xindex>
  %c = arith.constant dense<5> : tensor<1xindex>
  %c0 = arith.constant 0 : index
  %i = tensor.extract %c[%c0] : tensor<1xindex>
  %d = shape.get_extent %s, %i : tensor<2xindex>, index -> index
  return %d : index
}
