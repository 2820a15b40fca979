// RUN: mica-opt %s --allow-unregistered-dialect --mica-reference-lower-async --verify-diagnostics

func.func @both(%token: !async.token, %n: index) {
  async.await %token : !async.token
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{'other.op' op is of a dialect that is not registered; a program with async ops may have none}}
    "other.op"(%i) : (index) -> ()
  }
  return
}
