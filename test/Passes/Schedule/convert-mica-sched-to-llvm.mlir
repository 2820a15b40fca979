// RUN: mica-opt %s --convert-mica-sched-to-llvm --canonicalize | FileCheck %s

// What a failed assertion says lies in front of everything.
// CHECK: llvm.mlir.global internal constant @mica_message_0("assertion failed: too long; cf.assert at {{.*}}.mlir:72:3\00")

mica_sched.task_list @f_0(%x: memref<?x4xf32>, %r: memref<?x4xf32>, %n: index) arena 0 {
  %c = mica_sched.constant dense<1.0> : tensor<2xf32> -> memref<2xf32>
}
mica_sched.task_list @f_1() arena 0 {}

// The table, the context, addresses and sizes come in; what fails ends the function.
// CHECK-LABEL: llvm.func @mica_entry_services
// CHECK-SAME: (%[[API:.*]]: !llvm.ptr, %[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr, %[[DIMS:.*]]: !llvm.ptr) -> i32
func.func @services(%p: memref<2x3xf32>, %x: memref<?x4xf32>) -> memref<?x4xf32> attributes {mica_sched.entry} {
  // Sizes are counted over all arguments: the third is the first of %x.
  // CHECK-DAG: %[[XS:.*]] = llvm.getelementptr %[[ARGS]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  // CHECK-DAG: %[[X:.*]] = llvm.load %[[XS]] : !llvm.ptr -> !llvm.ptr
  // CHECK-DAG: %[[NS:.*]] = llvm.getelementptr %[[DIMS]][2] : (!llvm.ptr) -> !llvm.ptr, i64
  // CHECK-DAG: %[[N:.*]] = llvm.load %[[NS]] : !llvm.ptr -> i64
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  // CHECK: %[[RF:.*]] = llvm.getelementptr %[[API]][0, 11]
  // CHECK: %[[RFN:.*]] = llvm.load %[[RF]]
  // CHECK: %[[R:.*]] = llvm.call %[[RFN]](%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
  // CHECK: llvm.icmp "eq" %[[R]]
  // CHECK: llvm.cond_br %{{.*}}, ^[[LEAVE:bb[0-9]+]](%{{.*}} : i32), ^{{.*}}
  %r = mica_sched.result 0 sizes(%n) : memref<?x4xf32>
  // CHECK: %[[SF:.*]] = llvm.getelementptr %[[API]][0, 4]
  // CHECK: %[[SFN:.*]] = llvm.load %[[SF]]
  // CHECK: %[[S:.*]] = llvm.call %[[SFN]](%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i32
  // CHECK: llvm.icmp "ne" %[[S]]
  // CHECK: llvm.cond_br %{{.*}}, ^[[LEAVE]](%[[S]] : i32), ^{{.*}}
  mica_sched.submit @f_0(%x, %r) scalars(%n) : memref<?x4xf32>, memref<?x4xf32>
  // CHECK: llvm.getelementptr %[[API]][0, 5]
  // CHECK: llvm.call %{{.*}}(%[[CTX]]) : !llvm.ptr, (!llvm.ptr) -> i32
  mica_sched.wait
  // CHECK: llvm.return %{{.*}} : i32
  // CHECK: ^[[LEAVE]](%[[CODE:.*]]: i32):
  // CHECK: llvm.return %[[CODE]] : i32
  return %r : memref<?x4xf32>
}

// Memory of loops is reserved once; constants and lists go by their positions.
// CHECK-LABEL: llvm.func @mica_entry_positions
func.func @positions() -> f32 attributes {mica_sched.entry} {
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i64) : i64
  %i = arith.constant 1 : index
  // CHECK: llvm.getelementptr %{{.*}}[0, 3]
  // CHECK: llvm.call %{{.*}}(%{{.*}}, %[[ONE]]) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %c = mica_sched.constant dense<[3.0, 4.0]> : tensor<2xf32> -> memref<2xf32>
  // CHECK: llvm.call %{{.*}}(%{{.*}}, %[[ONE]], %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i32
  mica_sched.submit @f_1()
  %v = memref.load %c[%i] : memref<2xf32>
  // A scalar result is stored to its memory.
  // CHECK: %[[M:.*]] = llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
  // CHECK: llvm.store %{{.*}}, %[[M]] : f32, !llvm.ptr
  return %v : f32
}

// CHECK-LABEL: llvm.func @mica_entry_checks
// CHECK-SAME: (%[[API:.*]]: !llvm.ptr, %[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
func.func @checks(%ok: i1) attributes {mica_sched.entry} {
  // A boolean argument is a byte.
  // CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @mica_message_0
  // CHECK: %[[A:.*]] = llvm.load %[[ARGS]] : !llvm.ptr -> !llvm.ptr
  // CHECK: %[[BYTE:.*]] = llvm.load %[[A]] : !llvm.ptr -> i8
  // CHECK: %[[OK:.*]] = llvm.trunc %[[BYTE]] : i8 to i1
  // CHECK: llvm.cond_br %[[OK]], ^[[GOOD:.*]], ^[[BAD:bb[0-9]+]]
  // CHECK: ^[[BAD]]:
  // CHECK: llvm.getelementptr %[[API]][0, 6]
  // CHECK: llvm.call %{{.*}}(%[[CTX]], %[[TEXT]])
  cf.assert %ok, "too long"
  return
}

// A check of the host function tells operation, position and numbers, and the runtime says whether it ends.

// CHECK-LABEL: llvm.func @mica_entry_checked
func.func @checked(%x: memref<4xf32>, %i: index) attributes {mica_sched.entry} {
  // CHECK: llvm.mlir.addressof @mica_message_
  // CHECK: llvm.getelementptr %arg0[0, 7]
  // CHECK: llvm.call
  // CHECK: llvm.cond_br
  mica_check.out_of_bounds load %x[%i] : memref<4xf32>
  return
}
