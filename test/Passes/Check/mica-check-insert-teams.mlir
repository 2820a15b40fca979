// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-check-insert))' | FileCheck %s
// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-check-insert,mica-check-prove,canonicalize))' | FileCheck %s --check-prefix=PROVED

// A copy that others wait for is begun in any case, of nothing where it would read outside; where it would write outside it is
// not. All lanes take part in a matrix load.
// CHECK-LABEL: func.func @team(
// CHECK:         %[[FROM:.*]] = mica_check.in_bounds %[[A:.*]][%[[I:.*]]] sizes(%{{.*}})
// CHECK:         mica_check.out_of_bounds load %[[A]]
// CHECK:         %[[AT:.*]] = arith.select %[[FROM]], %[[I]], %{{.*}} : index
// CHECK:         %[[COUNT:.*]] = arith.select %[[FROM]], %c8{{.*}}, %{{.*}} : index
// CHECK:         %[[TO:.*]] = mica_check.in_bounds %[[M:.*]][%[[J:.*]]] sizes(%{{.*}})
// CHECK:         mica_check.out_of_bounds store %[[M]]
// CHECK:         scf.if %[[TO]] {
// CHECK-NEXT:      nvgpu.device_async_copy %[[A]][%[[AT]]], %[[M]][%[[J]]], 8, %[[COUNT]]
// CHECK:         %[[ROW:.*]] = mica_check.in_bounds %[[M]][%[[K:.*]]] sizes(%{{.*}})
// CHECK:         mica_check.out_of_bounds load %[[M]]
// CHECK:         %[[ROWAT:.*]] = arith.select %[[ROW]], %[[K]], %{{.*}} : index
// CHECK:         nvgpu.ldmatrix %[[M]][%[[ROWAT]]]
func.func @team(%a: memref<?xf16>, %m: memref<256xf16, 3>, %i: index, %j: index, %k: index) -> vector<4x2xf16> {
  %copy = nvgpu.device_async_copy %a[%i], %m[%j], 8 : memref<?xf16> to memref<256xf16, 3>
  %row = nvgpu.ldmatrix %m[%k] {numTiles = 4 : i32, transpose = false} : memref<256xf16, 3> -> vector<4x2xf16>
  return %row : vector<4x2xf16>
}

// Chunks of 8 whose places are permuted by an exclusive or stay within a row of 32; a chunk that is taken as a whole or not at all is
// inside where it begins there and rows are multiples of it.
// CHECK-LABEL: func.func @swizzled(
// CHECK-COUNT-2: mica_check.out_of_bounds
// PROVED-LABEL: func.func @swizzled(
// PROVED-NOT:     mica_check.out_of_bounds
// PROVED:         return
func.func @swizzled(%a: memref<40xf16>, %m: memref<32xf16, 3>, %given: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %row = arith.remui %given, %c4 : index
  %kind = arith.muli %row, %c8 : index
  %from = arith.muli %given, %c8 : index
  %inside = arith.cmpi ult, %from, %c40 : index
  %at = arith.select %inside, %from, %c0 : index
  %count = arith.select %inside, %c8, %c0 : index
  %to = arith.xori %kind, %c8 : index
  %copy = nvgpu.device_async_copy %a[%at], %m[%to], 8, %count : memref<40xf16> to memref<32xf16, 3>
  return
}

// Not a whole chunk is inside of rows of 44, nor one that begins at 4.
// PROVED-LABEL: func.func @not_proved(
// PROVED:         mica_check.out_of_bounds load
// PROVED:         mica_check.out_of_bounds store
func.func @not_proved(%a: memref<44xf16>, %m: memref<32xf16, 3>, %given: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c44 = arith.constant 44 : index
  %row = arith.remui %given, %c4 : index
  %kind = arith.muli %row, %c8 : index
  %from = arith.muli %given, %c8 : index
  %inside = arith.cmpi ult, %from, %c44 : index
  %at = arith.select %inside, %from, %c0 : index
  %count = arith.select %inside, %c8, %c0 : index
  %to = arith.xori %kind, %c4 : index
  %copy = nvgpu.device_async_copy %a[%at], %m[%to], 8, %count : memref<44xf16> to memref<32xf16, 3>
  return
}
