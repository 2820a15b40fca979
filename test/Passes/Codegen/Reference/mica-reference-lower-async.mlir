// RUN: mica-opt %s --allow-unregistered-dialect --mica-reference-lower-async --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @waits
// CHECK-NOT: async.await
// CHECK: async.runtime.await
func.func @waits(%token: !async.token) {
  async.await %token : !async.token
  return
}

// -----

// A program without async keeps its ops, those of no dialect too.
// MUTATION: stays green, there is nothing to lower.
// CHECK-LABEL: func.func @other
// CHECK: scf.for
// CHECK: "other.op"
func.func @other(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "other.op"(%i) : (index) -> ()
  }
  return
}
