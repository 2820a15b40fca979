// RUN: mica-opt %s --split-input-file --verify-diagnostics

func.func @axis_twice(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{(C1) needs positive sizes of a grid and different axes of it, got the grid [2, 4] and the axes [1, 1]}}
  mica_sched.collective all_reduce from %x : memref<8xf32> to %y : memref<8xf32> on [2, 4] axes [1, 1] reduction sum
  return
}

// -----

func.func @axis_beyond(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{(C1)}}
  mica_sched.collective all_reduce from %x : memref<8xf32> to %y : memref<8xf32> on [2, 4] axes [2] reduction sum
  return
}

// -----

func.func @other_elements(%x: memref<8xf32>, %y: memref<8xf64>) {
  // expected-error @below {{(C2) 'all_reduce' needs a source with elements of type 'f64'}}
  mica_sched.collective all_reduce from %x : memref<8xf32> to %y : memref<8xf64> on [4] axes [0] reduction sum
  return
}

// -----

func.func @index_of_many(%y: memref<2xi64>) {
  // expected-error @below {{(C2) 'index' has no source, and one i64 or index element to write}}
  mica_sched.collective index to %y : memref<2xi64> on [4] axes []
  return
}

// -----

func.func @no_reduction(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{(C3) 'all_reduce' has a 'reduction'}}
  mica_sched.collective all_reduce from %x : memref<8xf32> to %y : memref<8xf32> on [4] axes [0]
  return
}

// -----

func.func @dim_of_broadcast(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{(C4) 'broadcast' has no 'dim'}}
  mica_sched.collective broadcast from %x : memref<8xf32> to %y : memref<8xf32> on [4] axes [0] dim 0 peer 1
  return
}

// -----

func.func @dim_beyond(%x: memref<8xf32>, %y: memref<32xf32>) {
  // expected-error @below {{(C4) names dimension 1 of 'memref<32xf32>'}}
  mica_sched.collective all_gather from %x : memref<8xf32> to %y : memref<32xf32> on [4] axes [0] dim 1
  return
}

// -----

func.func @peer_beyond(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{(C5) names member 4 of 4}}
  mica_sched.collective broadcast from %x : memref<8xf32> to %y : memref<8xf32> on [4] axes [0] peer 4
  return
}

// -----

func.func @shift_elsewhere(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{(C6) shifts along axis 0, which is not in [1]}}
  mica_sched.collective shift from %x : memref<8xf32> to %y : memref<8xf32> on [2, 4] axes [1] shift_axis 0 offset 1
  return
}

// -----

func.func @rotate_elsewhere(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{(C6) 'send' has no 'rotate'}}
  mica_sched.collective send from %x : memref<8xf32> to %y : memref<8xf32> on [4] axes [0] peer 1 rotate
  return
}

// -----

func.func @sizes(%x: memref<8xf32>, %y: memref<16xf32>) {
  // expected-error @below {{(C7) makes 'memref<16xf32>' of 'memref<8xf32>' among 4 ranks}}
  mica_sched.collective all_gather from %x : memref<8xf32> to %y : memref<16xf32> on [4] axes [0] dim 0
  return
}

// -----

func.func @unequal_parts(%x: memref<6xf32>, %y: memref<1xf32>) {
  // expected-error @below {{(C7)}}
  mica_sched.collective scatter from %x : memref<6xf32> to %y : memref<1xf32> on [4] axes [0] dim 0 peer 0
  return
}

// -----

// expected-error @below {{(A18) 'mica_sched.sharding' of argument 0 must have a 'shape' of which the type is the part of one rank}}
func.func @part(%x: tensor<3xf32> {mica_sched.sharding = {axes = [array<i64: 0>], grid = array<i64: 4>, shape = array<i64: 8>}}) {
  return
}

// -----

// expected-error @below {{(A18) 'mica_sched.sharding' of result 0 must have each axis of the grid once at most in 'axes'}}
func.func private @axes() -> (tensor<2x2xf32> {mica_sched.sharding = {axes = [array<i64: 0>, array<i64: 0>], grid = array<i64: 4>, shape = array<i64: 8, 8>}})
