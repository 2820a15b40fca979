// RUN: mica-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(func.func(mica-codegen-distribute))'

func.func @two(%a: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  scf.forall (%i) in (64) {
    memref.store %c, %a[%i] : memref<64xf32>
  } {mica_codegen.distribute}
  // expected-error @below {{is a second loop marked 'mica_codegen.distribute' in one kernel}}
  scf.forall (%i) in (64) {
    memref.store %c, %a[%i] : memref<64xf32>
  } {mica_codegen.distribute}
  return
}

// -----

func.func @inner(%a: memref<64xf32>, %n: index) {
  %c = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    // expected-error @below {{marked 'mica_codegen.distribute' must be outermost and work on buffers}}
    scf.forall (%i) in (64) {
      memref.store %c, %a[%i] : memref<64xf32>
    } {mica_codegen.distribute}
  }
  return
}

// -----

func.func @uncountable(%a: memref<1xf32>, %n: index) {
  %c = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  // expected-error @below {{has more iterations than 64 bits can count}}
  scf.forall (%i, %j, %k) in (4294967296, %n, 4294967296) {
    memref.store %c, %a[%c0] : memref<1xf32>
  }
  return
}
