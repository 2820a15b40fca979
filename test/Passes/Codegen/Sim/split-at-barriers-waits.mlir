// RUN: mica-opt %s --mica-sim-split-at-barriers | FileCheck %s

// A loop whose end depends on memory alone gets a point (8: two operands of a load, of 4 bytes); one that counts what its end depends on does not.

// CHECK-DAG: llvm.mlir.global internal constant @waits_points(dense<[0, -1, 0, 0, 0, 0, 8, 0, 1, 4, 0, 0]>
// CHECK-DAG: llvm.mlir.global internal constant @counts_points(dense<[0, -1, 0, 0, 0, 0]>

// CHECK-LABEL: llvm.func internal @waits_region_0(
// CHECK: %[[FLAG:.*]] = llvm.load %[[AT:.*]] {{{.*}}} : !llvm.ptr -> i32
// CHECK: %[[VALUE:.*]] = llvm.zext %[[FLAG]] : i32 to i64
// CHECK: llvm.store %{{.*}}, %[[ADDRESSPLACE:.*]] : i64, !llvm.ptr
// CHECK: llvm.store %[[VALUE]], %[[VALUEPLACE:.*]] : i64, !llvm.ptr
// CHECK: llvm.load %[[ADDRESSPLACE]]
// CHECK: llvm.load %[[VALUEPLACE]]
// CHECK-LABEL: llvm.func internal @waits_region_1(
llvm.func @waits(%x: !llvm.ptr) attributes {mica_sim.kernel = "waits", mica_sim.workgroup_bytes = 0 : i64} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^loop
^loop:
  %v = llvm.load %x : !llvm.ptr -> i32
  %c = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %c, ^again, ^done
^again:
  llvm.br ^loop
^done:
  llvm.return
}

llvm.func @counts(%x: !llvm.ptr) attributes {mica_sim.kernel = "counts", mica_sim.workgroup_bytes = 0 : i64} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %many = llvm.mlir.constant(1000 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %v = llvm.load %x : !llvm.ptr -> i32
  %c = llvm.icmp "eq" %v, %zero : i32
  %few = llvm.icmp "ult" %i, %many : i32
  %both = llvm.and %c, %few : i1
  %next = llvm.add %i, %one : i32
  llvm.cond_br %both, ^loop(%next : i32), ^done
^done:
  llvm.return
}
