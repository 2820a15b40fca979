// RUN: mica-opt %s --mica-schedule-inline-host-functions | FileCheck %s

// Names that are taken change; declarations and slots of helpers are there once.

// CHECK:     llvm.func @expf(f32) -> f32
// CHECK:     llvm.mlir.global external @mica_helper_printI64()
// CHECK:     llvm.func internal @work(%arg0: f32) -> f32
// CHECK-NEXT:  llvm.return %arg0
// CHECK-NOT: host_functions
// CHECK-NOT: @expf(f32)
// CHECK-NOT: @mica_helper_printI64()
// CHECK:     llvm.func internal @mica_host_work(
// CHECK:       llvm.call @expf(
// CHECK:     llvm.func @mica_entry_f(
// CHECK:       llvm.call @mica_host_work(
// CHECK:     func.func private @mica_plain_signature_f(f32 {mica.name = "x"}) -> f32 attributes {mica_sched.entry, plain_entry = ["f", (f32) -> f32]}
llvm.func @expf(f32) -> f32
llvm.mlir.global external @mica_helper_printI64() : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func internal @work(%x: f32) -> f32 {
  llvm.return %x : f32
}
mica_sched.host_functions [["f", (f32) -> f32, [{mica.name = "x"}], [{}]]] {
  llvm.func @expf(f32) -> f32
  llvm.mlir.global external @mica_helper_printI64() : !llvm.ptr {
    %0 = llvm.mlir.zero : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.func internal @work(%x: f32) -> f32 {
    %0 = llvm.call @expf(%x) : (f32) -> f32
    %1 = llvm.mlir.addressof @mica_helper_printI64 : !llvm.ptr
    llvm.return %0 : f32
  }
  llvm.func @mica_entry_f(%api: !llvm.ptr, %ctx: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr) -> i32 {
    %x = llvm.load %args : !llvm.ptr -> f32
    %0 = llvm.call @work(%x) : (f32) -> f32
    %c = llvm.mlir.constant(0 : i32) : i32
    llvm.return %c : i32
  }
}
