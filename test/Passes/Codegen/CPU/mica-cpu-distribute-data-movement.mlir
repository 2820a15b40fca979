// RUN: mica-opt %s --mica-cpu-distribute-data-movement | FileCheck %s

#map = affine_map<(d0, d1) -> (d0, d1)>

// Two operands side by side along the rows: a share copies what falls into its rows of either.
// CHECK-LABEL: func.func @concat_along_rows
// CHECK-SAME:    mica_sched.strategy = "copies"
// CHECK:         scf.forall (%[[R:.*]]) = (0) to (300) step (16) {
// CHECK-DAG:       %[[N:.*]] = affine.max
// CHECK-DAG:       memref.subview %{{.*}}[%[[AT:.*]], 0] [%{{.*}}, 256] [1, 1] : memref<100x256xf32>
// CHECK:           linalg.generic
// CHECK:           memref.subview %{{.*}}[%{{.*}}, 0] [%{{.*}}, 256] [1, 1] : memref<200x256xf32>
// CHECK:           linalg.generic
// CHECK-NOT:       linalg.generic
// CHECK:         } {mica_codegen.distribute = 2 : i64}
// CHECK-NOT:     linalg.generic
func.func @concat_along_rows(%a: memref<100x256xf32>, %b: memref<200x256xf32>, %o: memref<300x256xf32>) {
  %0 = memref.subview %o[0, 0] [100, 256] [1, 1] : memref<300x256xf32> to memref<100x256xf32, strided<[256, 1]>>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<100x256xf32>) outs(%0 : memref<100x256xf32, strided<[256, 1]>>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  %1 = memref.subview %o[100, 0] [200, 256] [1, 1]
      : memref<300x256xf32> to memref<200x256xf32, strided<[256, 1], offset: 25600>>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<200x256xf32>) outs(%1 : memref<200x256xf32, strided<[256, 1], offset: 25600>>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// A border first, then the operand over it: both in one step, in this order. The position in the output is the step's.
// CHECK-LABEL: func.func @pad
// CHECK:         scf.forall (%[[R:.*]]) = (0) to (%{{.*}}) step (16) {
// CHECK:           linalg.generic
// CHECK:             linalg.yield %cst
// CHECK:           linalg.generic
// CHECK:             linalg.yield %in
// CHECK:         } {mica_codegen.distribute}
func.func @pad(%a: memref<?x254xf32>, %o: memref<?x256xf32>) {
  %cst = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x254xf32>
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%o : memref<?x256xf32>) {
  ^bb0(%out: f32):
    linalg.yield %cst : f32
  }
  %0 = memref.subview %o[1, 1] [%n, 254] [1, 1] : memref<?x256xf32> to memref<?x254xf32, strided<[256, 1], offset: 257>>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x254xf32>) outs(%0 : memref<?x254xf32, strided<[256, 1], offset: 257>>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// The second op reads what the first has written, at other rows: one share could be ahead of another.
// MUTATION: stays green, it is not to be divided.
// CHECK-LABEL: func.func @reads_its_output
// CHECK-NOT:     scf.forall
func.func @reads_its_output(%a: memref<100x256xf32>, %o: memref<200x256xf32>) {
  %0 = memref.subview %o[0, 0] [100, 256] [1, 1] : memref<200x256xf32> to memref<100x256xf32, strided<[256, 1]>>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<100x256xf32>) outs(%0 : memref<100x256xf32, strided<[256, 1]>>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  %1 = memref.subview %o[100, 0] [100, 256] [1, 1]
      : memref<200x256xf32> to memref<100x256xf32, strided<[256, 1], offset: 25600>>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%0 : memref<100x256xf32, strided<[256, 1]>>) outs(%1 : memref<100x256xf32, strided<[256, 1], offset: 25600>>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// Too little for a second share.
// MUTATION: stays green, it is not to be divided.
// CHECK-LABEL: func.func @small
// CHECK-NOT:     scf.forall
func.func @small(%a: memref<4x8xf32>, %o: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x8xf32>) outs(%o : memref<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}
