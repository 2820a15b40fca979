// RUN: mica-opt %s --mica-check-lower --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[A:.*]]: memref<4x?xf32>, %[[I:.*]]: index, %[[PART:.*]]: index, %{{.*}}: index, %[[LOG:.*]]: !llvm.ptr)
func.func @kernel(%a: memref<4x?xf32>, %i: index, %part: index, %parts: index)
    attributes {mica_sched.grid = 1 : i64, mica_check.level = "all", mica_check.sites = 1 : i64} {
  // CHECK-DAG: %[[N:.*]] = memref.dim %[[A]], %{{.*}}
  // CHECK-DAG: %[[ROW:.*]] = arith.cmpi ult, %[[I]], %{{.*}} : index
  // CHECK-DAG: %[[COLUMN:.*]] = arith.cmpi ult, %[[I]], %[[N]] : index
  // CHECK: %[[OK:.*]] = arith.andi %[[ROW]], %[[COLUMN]]
  %ok = mica_check.in_bounds %a[%i, %i] : memref<4x?xf32>
  // CHECK: scf.if %[[OK]]
  scf.if %ok {
  } else {
    // CHECK: %[[SHARE:.*]] = arith.index_cast %[[PART]]
    // CHECK: call @mica_check_record_6(%[[LOG]], %{{.*}}, %[[SHARE]],
    mica_check.out_of_bounds load %a[%i, %i] {site = 0 : i64} : memref<4x?xf32>
  }
  return
}
// CHECK: func.func private @mica_check_record_6
// CHECK: llvm.atomicrmw add
// CHECK: llvm.icmp "eq"
// CHECK: llvm.atomicrmw add

// -----

// CHECK-LABEL: func.func @sizes
func.func @sizes(%a: memref<64xf32>, %i: index, %n: index) -> (i1, i1) {
  %c16 = arith.constant 16 : index
  // CHECK: %[[FIRST:.*]] = arith.cmpi ult, %arg1
  // CHECK: %[[LAST:.*]] = arith.addi %arg1, %{{.*}}
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %[[LAST]]
  // CHECK: arith.andi %[[FIRST]], %[[IN]]
  %0 = mica_check.in_bounds %a[%i] sizes(%c16) : memref<64xf32>
  // CHECK: arith.cmpi sgt, %arg2
  // CHECK: %[[NONE:.*]] = arith.cmpi eq, %arg2
  // CHECK: arith.ori %{{.*}}, %[[NONE]]
  %1 = mica_check.in_bounds %a[%i] sizes(%n) : memref<64xf32>
  return %0, %1 : i1, i1
}

// -----

// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%a: vector<4xi32>, %b: vector<4xi32>, %c: i1) -> (i1, i1, i1) {
  // CHECK: arith.cmpi ne, %arg1
  // CHECK: vector.reduction <and>
  %0 = mica_check.divisible signed %a, %b : vector<4xi32>
  // CHECK: arith.cmpi ult, %arg1
  // CHECK: vector.reduction <and>
  %1 = mica_check.shiftable %b : vector<4xi32>
  // CHECK: arith.cmpi eq, %arg2
  %2 = mica_check.shiftable %c : i1
  return %0, %1, %2 : i1, i1, i1
}
