// Rows are repeated; the fold repeats elements.
// VERDICT: miscompile canonicalize
// PIPELINE: --canonicalize
func.func @main() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2x1xf32>
  %a = arith.constant 1.0 : f32
  %b = arith.constant 2.0 : f32
  %c1 = arith.constant 1 : index
  memref.store %a, %m[%c0, %c0] : memref<2x1xf32>
  memref.store %b, %m[%c1, %c0] : memref<2x1xf32>
  %x = vector.transfer_read %m[%c0, %c0], %a {in_bounds = [true, true]} : memref<2x1xf32>, vector<2x1xf32>
  memref.dealloc %m : memref<2x1xf32>
  %0 = vector.broadcast %x : vector<2x1xf32> to vector<3x2x1xf32>
  %1 = vector.shape_cast %0 : vector<3x2x1xf32> to vector<2x3xf32>
  vector.print %1 : vector<2x3xf32>
  return
}
