// PIPELINE: --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func private @printMemrefF64(memref<*xf64>)
func.func private @printF64(f64)
func.func private @printNewline()
func.func private @rtclock() -> f64
func.func @main() {
  %a = memref.alloc() : memref<2x2xf64>
  %k = arith.constant 0.1 : f64
  linalg.fill ins(%k : f64) outs(%a : memref<2x2xf64>)
  %b = memref.alloc() : memref<2x2xf64>
  linalg.fill ins(%k : f64) outs(%b : memref<2x2xf64>)
  linalg.matmul ins(%a, %a : memref<2x2xf64>, memref<2x2xf64>) outs(%b : memref<2x2xf64>)
  %u = memref.cast %b : memref<2x2xf64> to memref<*xf64>
  call @printMemrefF64(%u) : (memref<*xf64>) -> ()
  call @printF64(%k) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}
