// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-map-to-launches{host-memory=false}))' | FileCheck %s
// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-map-to-launches))' | FileCheck %s --check-prefix=SIM

// Threads have no memory to allocate from: what a loop of one thread allocates is a temporary of the kernel, once. The simulator's
// would, and do as those of a device.
// CHECK-LABEL: func.func @sorted(
// CHECK:         %[[T:.*]] = memref.alloc() : memref<1xf32>
// CHECK:         gpu.launch
// CHECK:           scf.for
// CHECK-NOT:         memref.alloc
// CHECK:             memref.store %{{.*}}, %[[T]]
// SIM-LABEL:  func.func @sorted(
// SIM:          memref.alloc
// SIM:          gpu.launch
// SIM-NOT:        memref.alloc
// SIM:          return
func.func @sorted(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %t = memref.alloc() : memref<1xf32>
    %0 = memref.load %a[%i] : memref<8xf32>
    memref.store %0, %t[%c0] : memref<1xf32>
    %j = arith.addi %i, %c1 : index
    %1 = memref.load %t[%c0] : memref<1xf32>
    memref.store %1, %a[%j] : memref<8xf32>
    memref.dealloc %t : memref<1xf32>
  }
  return
}

// Not where two of them are there at once.
// SIM-LABEL:   func.func @passed_on(
// SIM:           gpu.launch
// SIM:             memref.alloc
// CHECK-LABEL: func.func @passed_on(
// CHECK-SAME:    mica_codegen.host_reason = "a loop makes temporaries that outlive an iteration, or of sizes that only the device knows"
func.func @passed_on(%a: memref<8xf32>, %first: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %last = scf.for %i = %c0 to %c7 step %c1 iter_args(%old = %first) -> memref<1xf32> {
    %t = memref.alloc() : memref<1xf32>
    %0 = memref.load %old[%c0] : memref<1xf32>
    memref.store %0, %t[%c0] : memref<1xf32>
    memref.store %0, %a[%i] : memref<8xf32>
    scf.yield %t : memref<1xf32>
  }
  return
}

// The host works out a size.
// CHECK-LABEL: func.func @temporary(
// CHECK:         memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         gpu.launch
func.func @temporary(%a: memref<7xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc(%n) : memref<?xf32>
  %0 = memref.load %t[%c0] : memref<?xf32>
  memref.store %0, %a[%c0] : memref<7xf32>
  return
}

// Or what it does not exceed, where a launch chooses: 33 floats here, n of them there.
// CHECK-LABEL: func.func @chosen(
// CHECK:         %[[BOUND:.*]] = arith.maxsi %{{.*}}, %{{.*}} : index
// CHECK:         arith.cmpi sge, %[[BOUND]]
// CHECK:         %[[T:.*]] = memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK:         gpu.launch
// CHECK:           %[[SIZE:.*]] = arith.select
// CHECK:           memref.view %[[T]][%{{.*}}][%[[SIZE]]] : memref<?xi8> to memref<?xf32>
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @bounded(
// CHECK:         memref.alloc() : memref<132xi8>
// CHECK:         gpu.launch
func.func @chosen(%a: memref<7xi1>, %o: memref<7xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c33 = arith.constant 33 : index
  %which = memref.load %a[%c0] : memref<7xi1>
  %size = arith.select %which, %n, %c33 : index
  %t = memref.alloc(%size) : memref<?xf32>
  %0 = memref.load %t[%c0] : memref<?xf32>
  memref.store %0, %o[%c0] : memref<7xf32>
  return
}
func.func @bounded(%a: memref<7xi1>, %o: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c33 = arith.constant 33 : index
  %which = memref.load %a[%c0] : memref<7xi1>
  %size = arith.select %which, %c33, %c0 : index
  %t = memref.alloc(%size) : memref<?xf32>
  %0 = memref.load %t[%c0] : memref<?xf32>
  memref.store %0, %o[%c0] : memref<7xf32>
  return
}

// Threads of a parallel loop have a part each, of whole 64 bytes; where all would take more than 256 MiB there are fewer, which take
// turns.
// CHECK-LABEL: func.func @rows(
// CHECK:         %[[UNITS:.*]] = arith.addi
// CHECK:         %[[FIT:.*]] = arith.divui %c4194304
// CHECK:         %[[SOME:.*]] = arith.maxui %[[FIT]], %c1
// CHECK:         %[[THREADS:.*]] = arith.minui %{{.*}}, %[[SOME]]
// CHECK:         %[[T:.*]] = memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK:         gpu.launch
// CHECK:           arith.cmpi ult, %[[ID:.*]], %[[THREADS]]
// CHECK:           %[[PART:.*]] = arith.muli %[[UNITS]], %c64
// CHECK:           %[[FIRST:.*]] = arith.muli %[[ID]], %[[PART]]
// CHECK:           scf.for %{{.*}} = %[[ID]] to %{{.*}} step %[[THREADS]]
// CHECK:             memref.view %[[T]][%[[FIRST]]][%{{.*}}] : memref<?xi8> to memref<?xf32>
// CHECK:             memref.alloca() : memref<2xf32>
func.func @rows(%a: memref<?x?xf32>, %n: index, %m: index) {
  scf.forall (%i) in (%n) {
    %c0 = arith.constant 0 : index
    %k = arith.minsi %i, %m : index
    %t = memref.alloc(%k) : memref<?xf32>
    %s = memref.alloc() : memref<2xf32>
    %0 = memref.load %a[%i, %c0] : memref<?x?xf32>
    memref.store %0, %t[%c0] : memref<?xf32>
    %1 = memref.load %t[%c0] : memref<?xf32>
    memref.store %1, %s[%c0] : memref<2xf32>
    %2 = memref.load %s[%c0] : memref<2xf32>
    memref.store %2, %a[%i, %c0] : memref<?x?xf32>
    memref.dealloc %s : memref<2xf32>
    memref.dealloc %t : memref<?xf32>
  }
  return
}
