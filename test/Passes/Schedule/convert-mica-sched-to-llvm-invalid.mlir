// RUN: mica-opt %s --split-input-file --verify-diagnostics --convert-mica-sched-to-llvm -o /dev/null

// expected-error @+1 {{takes an argument of type 'complex<f32>'; an entry takes tensors, integers, index and floats}}
func.func @complex_argument(%c: complex<f32>) attributes {mica_sched.entry} {
  return
}

// -----

func.func @structured_control_flow(%c: i1) attributes {mica_sched.entry} {
  // expected-error @+1 {{failed to legalize operation 'scf.if'}}
  scf.if %c {
    mica_sched.wait
  }
  return
}
