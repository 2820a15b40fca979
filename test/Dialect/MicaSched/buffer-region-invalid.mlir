// RUN: mica-opt %s --split-input-file --verify-diagnostics

func.func @one_buffer_per_operand_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{(C1) has 1 operands, but its body takes 0 buffers}}
  mica_sched.buffer_region reads(%x : tensor<4xf32>) {
  }
  return
}

// -----

func.func @buffers_of_the_operands_type_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{(C1) gives 'tensor<4xf32>' to an argument of type 'memref<5xf32>'; 'memref<4xf32>' is expected}}
  mica_sched.buffer_region reads(%x : tensor<4xf32>) {
  ^bb0(%m: memref<5xf32>):
  }
  return
}

// -----

func.func @results_are_what_is_updated_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{(C2) updates ('tensor<4xf32>'), but its results are ()}}
  mica_sched.buffer_region updates(%x : tensor<4xf32>) {
  ^bb0(%m: memref<4xf32>):
  }
  return
}

// -----

// expected-error @+1 {{(A12) 'mica_sched.updates' of result 0 must be an i64, the position of an argument of the result's type, got 1 : i64}}
func.func @updates_an_argument_a11(%x: tensor<4xf32>) -> (tensor<4xf32> {mica_sched.updates = 1 : i64}) {
  return %x : tensor<4xf32>
}
