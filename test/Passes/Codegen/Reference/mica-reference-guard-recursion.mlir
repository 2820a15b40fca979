// RUN: mica-opt %s --pass-pipeline='builtin.module(mica-reference-guard-recursion)' | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal thread_local @mica_plain_stack_limit(0 : i64)
// CHECK-DAG: llvm.func @mica_stack_limit() -> i64
// CHECK-DAG: "the stack is exhausted: function '@fact' calls itself too often; it is at {{.*}}mica-reference-guard-recursion.mlir:

// CHECK-LABEL: llvm.func @mica_plain_fact(
// CHECK:         %[[FRAME:.*]] = llvm.call_intrinsic "llvm.frameaddress.p0"(%{{.*}})
// CHECK:         %[[ADDRESS:.*]] = llvm.ptrtoint %[[FRAME]]
// CHECK:         %[[LIMIT:.*]] = llvm.load
// CHECK:         %[[OK:.*]] = llvm.icmp "uge" %[[ADDRESS]], %[[LIMIT]]
// CHECK:         llvm.call @mica_plain_assert(%[[OK]], %{{.*}})
// CHECK:         llvm.call @mica_plain_fact
llvm.func @mica_plain_fact(%n: i64) -> i64 {
  %0 = llvm.call @mica_plain_fact(%n) : (i64) -> i64
  llvm.return %0 : i64
}

// Two that call each other; who calls them does not call itself.
// CHECK-LABEL: llvm.func @even(
// CHECK:         llvm.call_intrinsic
llvm.func @even() {
  llvm.call @odd() : () -> ()
  llvm.return
}
// CHECK-LABEL: llvm.func @odd(
// CHECK:         llvm.call_intrinsic
llvm.func @odd() {
  llvm.call @even() : () -> ()
  llvm.return
}
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: llvm.func @caller(
// CHECK-NOT:     llvm.call_intrinsic
// CHECK:         llvm.return
llvm.func @caller() {
  llvm.call @even() : () -> ()
  llvm.return
}

// A call through a pointer may lead to every function whose address is taken.
// CHECK-LABEL: llvm.func @indirect(
// CHECK:         llvm.call_intrinsic
llvm.func @indirect() {
  %0 = llvm.mlir.addressof @indirect : !llvm.ptr
  llvm.call %0() : !llvm.ptr, () -> ()
  llvm.return
}
