// PIPELINE: --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %z = arith.constant -0.0 : f32
  %v = vector.broadcast %z : f32 to vector<5x1xf32>
  %b = vector.bitcast %v : vector<5x1xf32> to vector<5x1xi32>
  %s = vector.shape_cast %b : vector<5x1xi32> to vector<5xi32>
  %e = vector.extract %s[2] : i32 from vector<5xi32>
  vector.print %e : i32
  return
}
