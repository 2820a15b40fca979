// RUN: mica-opt %s --mica-reference-call-runtime | FileCheck %s

// Constants are numbered by their values.

// CHECK-DAG:   llvm.mlir.global internal constant @mica_plain_message_0("assertion failed: sizes differ; cf.assert at {{.*}}mica-reference-call-runtime.mlir:{{[0-9]+}}:3\00")
// CHECK-DAG:   llvm.mlir.global internal constant @mica_plain_report_0("            arith.divsi at {{.*}}mica-reference-call-runtime.mlir:{{[0-9]+}}:3: integer division by zero\00")
// CHECK-DAG:   llvm.func @mica_plain_constant(i64) -> !llvm.ptr
// CHECK-DAG:   llvm.func @mica_plain_assert(i1, !llvm.ptr)
// CHECK-DAG:   llvm.func @mica_plain_report(!llvm.ptr, !llvm.ptr, i64, i32)

// CHECK-LABEL: func.func @constants
// CHECK-COUNT-2: llvm.call @mica_plain_constant
// CHECK:         %[[THIRD:.*]] = llvm.mlir.constant(2 : i64)
// CHECK-NEXT:    llvm.call @mica_plain_constant(%[[THIRD]])
// CHECK-NOT:     mica_sched.constant
func.func @constants() -> (memref<1xf32>, memref<1xf32>, memref<1xf32>) {
  %0 = mica_sched.constant dense<1.0> : tensor<1xf32> -> memref<1xf32>
  %1 = mica_sched.constant dense<2.0> : tensor<1xf32> -> memref<1xf32>
  %2 = mica_sched.constant dense<3.0> : tensor<1xf32> -> memref<1xf32>
  return %0, %1, %2 : memref<1xf32>, memref<1xf32>, memref<1xf32>
}

// CHECK-LABEL: func.func @assertion
// CHECK-SAME:    (%[[OK:.*]]: i1)
// CHECK:         %[[TEXT:.*]] = llvm.mlir.addressof @mica_plain_message_0
// CHECK:         llvm.call @mica_plain_assert(%[[OK]], %[[TEXT]])
func.func @assertion(%ok: i1) {
  cf.assert %ok, "sizes differ"
  return
}

// The message is an id, or blanks, the name of the operation and its position; then what is wrong.
// CHECK-LABEL: func.func @failed
// CHECK:         %[[VALUES:.*]] = llvm.alloca %{{.*}} x i64
// CHECK:         arith.extsi %arg0 : i32 to i64
// CHECK:         llvm.store
// CHECK:         arith.index_cast %arg1 : index to i64
// CHECK:         llvm.call @mica_plain_report(%{{.*}}, %[[VALUES]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64, i32) -> ()
func.func @failed(%a: i32, %b: index) {
  mica_check.failed "arith.divsi: integer division by zero" (%a, %b : i32, index)
  return
}
