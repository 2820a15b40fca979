// RUN: mica-opt %s --mica-sim-return-status | FileCheck %s

// CHECK-NOT:   mica_plain_assert
// CHECK:       llvm.func internal @stub(%[[FINE:.*]]: i1, %[[STATUS:.*]]: !llvm.ptr)
// CHECK:         %[[OLD:.*]] = llvm.load %[[STATUS]]
// CHECK:         %[[NEW:.*]] = llvm.select %[[FINE]], %[[OLD]], %{{.*}} : i1, i32
// CHECK:         llvm.store %[[NEW]], %[[STATUS]]
llvm.func @mica_plain_assert(i1, !llvm.ptr)
llvm.func internal @stub(%fine: i1) {
  %message = llvm.mlir.zero : !llvm.ptr
  llvm.call @mica_plain_assert(%fine, %message) : (i1, !llvm.ptr) -> ()
  llvm.return
}
// CHECK:       llvm.func internal @body(%[[A:.*]]: i1, %[[S:.*]]: !llvm.ptr)
// CHECK:         llvm.call @stub(%[[A]], %[[S]])
llvm.func internal @body(%fine: i1) {
  llvm.call @stub(%fine) : (i1) -> ()
  llvm.return
}
// CHECK:       llvm.func @mica_kernel_k
// CHECK:         %[[PLACE:.*]] = llvm.alloca
// CHECK:         llvm.call @body(%{{.*}}, %[[PLACE]])
// CHECK:         %[[R:.*]] = llvm.load %[[PLACE]]
// CHECK:         %[[IS:.*]] = llvm.icmp "ne" %[[R]]
// CHECK:         %[[ALL:.*]] = llvm.select %[[IS]], %[[R]], %{{.*}} : i1, i32
// CHECK:         llvm.return %[[ALL]] : i32
llvm.func @mica_kernel_k(%args: !llvm.ptr) -> i32 {
  %true = llvm.mlir.constant(true) : i1
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.call @body(%true) : (i1) -> ()
  llvm.return %0 : i32
}
