// RUN: mica-opt %s --split-input-file --verify-diagnostics

func.func @no_such_kernel_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{(C1) names 'nowhere', which is no kernel of this program}}
  %r = mica_sched.dispatch @nowhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

module @plain {}
func.func @not_a_kernel_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{(C1) names 'plain', which is no kernel}}
  %r = mica_sched.dispatch @plain(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

module @empty attributes {mica_sched.kernel} {}
func.func @kernel_without_function_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{(C1) kernel 'empty' holds no function of that name}}
  %r = mica_sched.dispatch @empty(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

module @scalar_first attributes {mica_sched.kernel} {
  func.func @scalar_first(%n: index, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
func.func @wrong_convention_c1() -> tensor<4xf32> {
  // expected-error @+1 {{(C1) the function of kernel 'scalar_first' does not take buffers with access, then scalars}}
  %r = mica_sched.dispatch @scalar_first() : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
func.func @input_count_c2() -> tensor<4xf32> {
  // expected-error @+1 {{(C2) has 0 inputs, but kernel 'k' takes 1}}
  %r = mica_sched.dispatch @k() : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
func.func @input_type_c2(%x: tensor<4xf64>) -> tensor<4xf32> {
  // expected-error @+1 {{(C2) input 0 has type 'tensor<4xf64>', but kernel 'k' takes 'memref<4xf32>'}}
  %r = mica_sched.dispatch @k(%x) : (tensor<4xf64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
func.func @result_type_c3(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{(C3) result 0 has type 'tensor<5xf32>', but kernel 'k' takes 'memref<4xf32>'}}
  %r = mica_sched.dispatch @k(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%o: memref<4xf32> {mica_sched.access = "write"}, %n: index) { return }
}
func.func @scalars_c4(%n: i32) -> tensor<4xf32> {
  // expected-error @+1 {{(C4) passes scalars ('i32'), but kernel 'k' takes ('index')}}
  %r = mica_sched.dispatch @k() scalars(%n) : (i32) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%o: memref<?xf32> {mica_sched.access = "write"}) { return }
}
func.func @sizes_c5() -> tensor<?xf32> {
  // expected-error @+1 {{(C5) gives 0 sizes, but its results have 1 dynamic dimensions}}
  %r = mica_sched.dispatch @k() : () -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

module @k attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @k(%o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
func.func @op_ids_c6() -> tensor<4xf32> {
  // expected-error @+1 {{(C6) lists 2 op ids, but kernel 'k' has 1}}
  %r = mica_sched.dispatch @k() {op_ids = ["00000000000a", "00000000000b"]} : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "readwrite"}) { return }
}
func.func @updates_c7(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{(C7) 'updates' is missing, but by the access of its buffers kernel 'k' updates [1]}}
  %r = mica_sched.dispatch @k(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
func.func @updates_of_no_input_c7(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{(C7) 'updates' is [0], but by the access of its buffers kernel 'k' updates [-1]}}
  %r = mica_sched.dispatch @k(%x) {updates = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected 1 operand types (inputs, then scalars), got 0}}
func.func @types(%x: tensor<4xf32>) { %r = mica_sched.dispatch @k(%x) : () -> tensor<4xf32> return }
