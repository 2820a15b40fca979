// RUN: mica-opt %s --split-input-file --verify-diagnostics --mica-schedule-form-task-lists -o /dev/null

func.func @returns_its_argument(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{returns as result 0 a tensor that no dispatch of its own can write there; mica-dispatch-copy-results makes one}}
  return %x : tensor<4xf32>
}

// -----

module @in_place attributes {mica_sched.kernel} {
  func.func @in_place(%x: memref<4xf32> {mica_sched.access = "readwrite"}) { return }
}
func.func @updates_in_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{calls kernel 'in_place', which changes input 0 in place, but that tensor's memory is not the dispatch's alone; mica-dispatch-insert-inplace-copies makes a copy}}
  %0 = mica_sched.dispatch @in_place(%x) {updates = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{has no body: a program is compiled as a whole}}
func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{has several blocks; host functions have structured control flow}}
func.func @branches(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return
^bb2:
  return
}

// -----

module @exp attributes {mica_sched.kernel} {
  func.func @exp(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
func.func @tensor_work_in_the_host(%x: tensor<4xf32>, %i: index, %s: f32) -> tensor<4xf32> {
  // expected-error @+1 {{works on tensors and is in no kernel: the host function cannot do this}}
  %0 = tensor.insert %s into %x[%i] : tensor<4xf32>
  %1 = mica_sched.dispatch @exp(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func private @printMemrefF32(tensor<*xf32>)
func.func @prints(%x: tensor<4xf32>) {
  // expected-error @+1 {{has the type 'tensor<*xf32>', whose rank is not known; expected a ranked tensor in a host function that calls kernels}}
  %0 = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%0) : (tensor<*xf32>) -> ()
  return
}

// -----

module @exp attributes {mica_sched.kernel} {
  func.func @exp(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
func.func @unranked_argument(%x: tensor<*xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has the type 'tensor<*xf32>', whose rank is not known}}
  %0 = tensor.cast %x : tensor<*xf32> to tensor<4xf32>
  %1 = mica_sched.dispatch @exp(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
