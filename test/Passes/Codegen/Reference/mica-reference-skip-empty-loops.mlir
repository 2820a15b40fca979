// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-reference-skip-empty-loops))' | FileCheck %s

// Each loop asks the one in it; all that is asked stands in front.
// CHECK-LABEL: func.func @nest(
// CHECK-SAME:    %[[X:.*]]: memref<?x?x?xf32>, %[[A:.*]]: index, %[[B:.*]]: index, %[[C:.*]]: index)
// CHECK:         %[[T:.*]] = arith.cmpi slt, %c0, %[[C]]
// CHECK:         %[[E:.*]] = arith.select %[[T]], %[[B]], %c0
// CHECK:         %[[U:.*]] = arith.cmpi slt, %c0, %[[E]]
// CHECK:         %[[F:.*]] = arith.select %[[U]], %[[A]], %c0
// CHECK:         scf.for %{{.*}} = %c0 to %[[F]]
// CHECK:           scf.for %{{.*}} = %c0 to %[[E]]
// CHECK:             scf.for %{{.*}} = %c0 to %[[C]]
func.func @nest(%x: memref<?x?x?xf32>, %a: index, %b: index, %c: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %a step %c1 {
    scf.for %j = %c0 to %b step %c1 {
      scf.for %k = %c0 to %c step %c1 {
        memref.store %z, %x[%i, %j, %k] : memref<?x?x?xf32>
      }
    }
  }
  return
}

// What does something else, carries something on, or certainly makes turns stays.
// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     arith.select
func.func @others(%x: memref<?x4xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %z, %x[%i, %c0] : memref<?x4xf32>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %z, %x[%i, %c1] : memref<?x4xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %z, %x[%i, %j] : memref<?x4xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %i to %n step %c1 {
      memref.store %z, %x[%j, %c0] : memref<?x4xf32>
    }
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %b = scf.for %j = %c0 to %n step %c1 iter_args(%d = %c1) -> index {
      scf.yield %d : index
    }
    scf.yield %b : index
  }
  return %s : index
}
