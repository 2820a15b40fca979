// PIPELINE: --linalg-generalize-named-ops --canonicalize --convert-linalg-to-affine-loops --affine-scalrep --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
#map = affine_map<(a, b, c) -> (a, b, c)>
func.func @main() -> i32 {
  %z = arith.constant 0 : i32
  %i0 = index.constant 0
  %o = arith.constant 1 : i32
  %m = memref.alloc() : memref<4x1x4xi32>
  linalg.fill ins(%o : i32) outs(%m : memref<4x1x4xi32>)
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%m : memref<4x1x4xi32>) outs(%m : memref<4x1x4xi32>) {
  ^bb0(%a: i32, %b: i32):
    linalg.yield %z : i32
  }
  %v = memref.load %m[%i0, %i0, %i0] : memref<4x1x4xi32>
  vector.print %v : i32
  return %v : i32
}
