// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-reference-expand-vectors))' | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK-NOT: vector.multi_reduction
// CHECK: vector.reduction <add>
func.func @sums(%v: vector<2x3xf32>, %a: vector<3xf32>) -> vector<3xf32> {
  %0 = vector.multi_reduction <add>, %v, %a [0] : vector<2x3xf32> to vector<3xf32>
  return %0 : vector<3xf32>
}

// CHECK-LABEL: func.func @all
// CHECK-NOT: vector.multi_reduction
func.func @all(%v: vector<2x3xi32>, %a: i32) -> i32 {
  %0 = vector.multi_reduction <xor>, %v, %a [0, 1] : vector<2x3xi32> to i32
  return %0 : i32
}

// CHECK-LABEL: func.func @scan
// CHECK-NOT: vector.scan
func.func @scan(%v: vector<2x3xi32>, %a: vector<3xi32>) -> vector<2x3xi32> {
  %0:2 = vector.scan <add>, %v, %a {inclusive = true, reduction_dim = 0 : i64} : vector<2x3xi32>, vector<3xi32>
  return %0#0 : vector<2x3xi32>
}

// LLVM packs vectors of i1 and i4: in memory they are bytes.
// CHECK-LABEL: func.func @narrow
// CHECK: memref.load %{{.*}} : memref<2xi4>
// CHECK: memref.load %{{.*}} : memref<2xi4>
// CHECK: scf.if
// CHECK: memref.store %{{.*}} : memref<2xi1>
// CHECK: scf.if
// CHECK: memref.store %{{.*}} : memref<2xi1>
func.func @narrow(%a: memref<2xi4>, %b: memref<2xi1>, %i: index, %mask: vector<2xi1>) {
  %v = vector.load %a[%i] : memref<2xi4>, vector<2xi4>
  %z = arith.constant dense<0> : vector<2xi4>
  %c = arith.cmpi eq, %v, %z : vector<2xi4>
  vector.maskedstore %b[%i], %mask, %c : memref<2xi1>, vector<2xi1>, vector<2xi1>
  return
}

// What one access loads is what the next one stores.
// CHECK-LABEL: func.func @copied
// CHECK-NOT: vector.transfer
func.func @copied(%a: memref<4xi1>, %b: memref<4xi1>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant false
  %v = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<4xi1>, vector<4xi1>
  vector.transfer_write %v, %b[%c0] {in_bounds = [true]} : vector<4xi1>, memref<4xi1>
  return
}
