// PIPELINE: --canonicalize --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() -> f32 {
  %i0 = index.constant 0
  %i2 = index.constant 2
  %a = arith.constant 1396717254 : i64
  %b = arith.constant 792 : i64
  %m = memref.alloc() : memref<1x5xi64>
  linalg.fill ins(%b : i64) outs(%m : memref<1x5xi64>)
  %v = affine.load %m[%i0, %i2] : memref<1x5xi64>
  %x = arith.xori %v, %a : i64
  %n = arith.minui %x, %a : i64
  vector.print %n : i64
  %s = arith.subi %n, %a : i64
  vector.print %s : i64
  %r = arith.sitofp %s : i64 to f32
  return %r : f32
}
