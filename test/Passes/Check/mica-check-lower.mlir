// RUN: mica-opt %s --mica-check-lower --split-input-file | FileCheck %s
// RUN: mica-opt %s --mica-check-lower=stop-loops=true --split-input-file | FileCheck %s --check-prefix=STOP

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

// -----

// Shadows of arguments are in the log, as is what the runtime says of them.
// CHECK-LABEL: func.func @shadows
// CHECK-SAME: %[[LOG:[a-z0-9]+]]: !llvm.ptr)
func.func @shadows(%a: memref<?xf32>, %n: index, %part: index, %parts: index)
    attributes {mica_sched.grid = 1 : i64, mica_check.level = "all", mica_check.sites = 1 : i64} {
  // CHECK: llvm.getelementptr %[[LOG]][32]
  // CHECK: llvm.icmp "ne"
  %partly = mica_check.partly
  scf.if %partly {
    // CHECK: llvm.getelementptr %[[LOG]][16]
    // CHECK: builtin.unrealized_conversion_cast %{{.*}} to memref<?xi16>
    %s = mica_check.shadow %a : memref<?xf32>
    // CHECK: %[[O:.*]] = memref.load %{{.*}} : memref<?xi16>
    %o = memref.load %s[%n] : memref<?xi16>
    // CHECK: %[[OK:.*]] = arith.cmpi eq, %[[O]]
    %ok = mica_check.initialized %o : i16
    // CHECK: scf.if %[[OK]]
    scf.if %ok {
    } else {
      // CHECK: %[[WIDE:.*]] = arith.extui %[[O]] : i16 to i64
      // CHECK: call @mica_check_record_4(%[[LOG]], %{{.*}}, %{{.*}}, %{{.*}}, %[[WIDE]],
      %count = arith.constant 1 : i64
      mica_check.uninitialized %a[%n] count %count origin %o {site = 0 : i64} : memref<?xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @allocation
func.func @allocation(%n: index, %part: index, %parts: index)
    attributes {mica_sched.grid = 1 : i64, mica_check.sites = 0 : i64} {
  %a = memref.alloca() : memref<8xf32>
  // CHECK-DAG: %[[M:.*]] = memref.alloca() : memref<8xi16>
  // CHECK-DAG: %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
  %m = memref.alloca() : memref<8xi16>
  %s = mica_check.shadow %a in %m : memref<8xf32>, memref<8xi16>
  // CHECK: llvm.getelementptr %{{.*}}[24]
  // CHECK: llvm.add %{{.*}}, %[[TWO]]
  // CHECK: llvm.trunc %{{.*}} : i64 to i16
  %o = mica_check.origin 2
  // CHECK: memref.store %{{.*}}, %[[M]]
  memref.store %o, %s[%n] : memref<8xi16>
  return
}

// -----

// A loop that goes by what a failed check gave: it ends where one failed.
// STOP-LABEL: func.func @search
// STOP: %[[STATE:.*]] = memref.alloca() : memref<i32>
// STOP: scf.while
// STOP: memref.store %{{.*}}, %[[STATE]][]
// STOP: %[[MORE:.*]] = arith.cmpi ne
// STOP: %[[NOW:.*]] = memref.load %[[STATE]][]
// STOP: %[[GO:.*]] = arith.cmpi eq, %[[NOW]]
// STOP: arith.andi %[[MORE]], %[[GO]]
// CHECK-LABEL: func.func @search
// CHECK-NOT: memref.alloca
// CHECK: scf.condition
func.func @search(%a: memref<4xi32>, %key: i32, %part: index, %parts: index)
    attributes {mica_sched.grid = 1 : i64, mica_check.level = "all", mica_check.sites = 2 : i64} {
  %c0 = arith.constant 0 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %n0 = arith.constant 0 : i64
  %n1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %i0, %n = %n0) : (index, i64) -> (index, i64) {
    %ok = mica_check.in_bounds %a[%i] : memref<4xi32>
    %v = scf.if %ok -> i32 {
      %1 = memref.load %a[%i] : memref<4xi32>
      scf.yield %1 : i32
    } else {
      mica_check.out_of_bounds load %a[%i] {site = 0 : i64} : memref<4xi32>
      scf.yield %c0 : i32
    }
    %more = arith.cmpi ne, %v, %key : i32
    scf.condition(%more) %i, %n : index, i64
  } do {
  ^bb0(%i: index, %n: i64):
    mica_check.failed "memory i"(%n, %i : i64, index) {mica_check.report = "loop", site = 1 : i64}
    %j = arith.addi %i, %i1 : index
    %m = arith.addi %n, %n1 : i64
    scf.yield %j, %m : index, i64
  }
  return
}
