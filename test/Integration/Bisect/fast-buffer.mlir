// A report of others: affine-data-copy-generate copies back a buffer that it never filled.
// RUN: not mica-bisect %s --no-report --pipeline='-affine-data-copy-generate="generate-dma=false fast-mem-space=0" -lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts' | FileCheck %s
// CHECK: verdict: miscompile: affine-data-copy-generate (pass 1 of
memref.global "private" @cells : memref<4xi32> = dense<[5, -6, 7, -8]>
func.func @main() {
  %v = arith.constant 42 : i32
  %zero = arith.constant 0 : index
  %cells = memref.get_global @cells : memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.store %v, %cells[0] : memref<4xi32>
    memref.store %v, %cells[%zero] : memref<4xi32>
  }
  %r = affine.load %cells[0] : memref<4xi32>
  vector.print %r : i32
  return
}
