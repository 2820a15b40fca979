// Mended.
// VERDICT: same
// PIPELINE: --canonicalize
func.func @f(%x: vector<1x6x6xf32>) -> vector<6x6xf32> {
  %22 = vector.shape_cast %x : vector<1x6x6xf32> to vector<6x6xf32>
  %23 = vector.transpose %22, [1, 0] : vector<6x6xf32> to vector<6x6xf32>
  return %23 : vector<6x6xf32>
}
