// A double free through a cast, without a pipeline.
// VERDICT: undefined behavior in the program memref.dealloc
func.func @main() {
  %c0 = arith.constant 0 : index
  %k = arith.constant 1 : i32
  %m = memref.alloc() : memref<8xi32>
  memref.store %k, %m[%c0] : memref<8xi32>
  %s = memref.cast %m : memref<8xi32> to memref<?xi32>
  memref.dealloc %m : memref<8xi32>
  memref.dealloc %s : memref<?xi32>
  return
}
