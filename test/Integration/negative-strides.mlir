// Addresses with a negative stride wrap, so nothing says that they do not. At -O0, no optimizer has changed the IR.
// RUN: mica-compile %s -O0 --emit=llvm | FileCheck %s --check-prefix=IR
// RUN: mica-run %s -O0 --check-reference | FileCheck %s
// RUN: mica-run %s -O3 --check-reference | FileCheck %s

// IR:    %[[OFFSET:.*]] = mul nsw i64 %{{.*}}, -1,
// IR:    getelementptr inbounds i64, ptr %{{.*}}, i64 %[[OFFSET]],
// CHECK:  reference: result 0 (4xi64): same
func.func @f(%m: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.reinterpret_cast %m to offset: [3], sizes: [4], strides: [-1] : memref<4xi64> to memref<4xi64, strided<[-1], offset: 3>>
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.index_cast %i : index to i64
    memref.store %n, %v[%i] : memref<4xi64, strided<[-1], offset: 3>>
  }
  return
}
