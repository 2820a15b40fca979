// RUN: mica-opt %s -mica-codegen-legalize-float-storage=types=bf16 | FileCheck %s
// MUTATION: stays green, the option is refused before the pass runs.
// RUN: not mica-opt %s -mica-codegen-legalize-float-storage=types=f8 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: no 16-bit float 'f8': option types takes f16 and bf16

// CHECK: llvm.mlir.global internal constant @table(dense<[16256, 16384]> : tensor<2xi16>) {{.*}}: !llvm.array<2 x i16>
llvm.mlir.global internal constant @table(dense<[1.0, 2.0]> : tensor<2xbf16>) : !llvm.array<2 x bf16>

// A vector that goes around a loop, constants, a struct; types that are not named stay.
// CHECK-LABEL: llvm.func @around(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %{{.*}}: vector<8xi1>, %{{.*}}: i1) -> !llvm.struct<(vector<8xi16>, vector<8xf16>)>
// CHECK:         llvm.mlir.constant(dense<16256> : vector<8xi16>) : vector<8xi16>
// CHECK:         llvm.mlir.constant(-32768 : i16) : i16
// CHECK:         ^bb1(%[[V:.*]]: vector<8xi16>):
// CHECK:         llvm.intr.masked.load %{{.*}}, %{{.*}}, %[[V]] {{.*}} -> vector<8xi16>
// CHECK:         llvm.bitcast %{{.*}} : vector<8xi16> to vector<8xi16>
llvm.func @around(%p: !llvm.ptr, %mask: vector<8xi1>, %again: i1) -> !llvm.struct<(vector<8xbf16>, vector<8xf16>)> {
  %one = llvm.mlir.constant(dense<1.0> : vector<8xbf16>) : vector<8xbf16>
  %zero = llvm.mlir.constant(-0.0 : bf16) : bf16
  llvm.store %zero, %p {alignment = 2 : i64} : bf16, !llvm.ptr
  llvm.br ^loop(%one : vector<8xbf16>)
^loop(%v: vector<8xbf16>):
  %next = llvm.intr.masked.load %p, %mask, %v {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  %bits = llvm.bitcast %next : vector<8xbf16> to vector<8xi16>
  llvm.store %bits, %p {alignment = 2 : i64} : vector<8xi16>, !llvm.ptr
  llvm.cond_br %again, ^loop(%next : vector<8xbf16>), ^end
^end:
  %half = llvm.mlir.constant(dense<1.0> : vector<8xf16>) : vector<8xf16>
  %0 = llvm.mlir.poison : !llvm.struct<(vector<8xbf16>, vector<8xf16>)>
  %1 = llvm.insertvalue %v, %0[0] : !llvm.struct<(vector<8xbf16>, vector<8xf16>)>
  %2 = llvm.insertvalue %half, %1[1] : !llvm.struct<(vector<8xbf16>, vector<8xf16>)>
  llvm.return %2 : !llvm.struct<(vector<8xbf16>, vector<8xf16>)>
}
