// RUN: mica-opt %s --split-input-file --verify-diagnostics -o /dev/null

// expected-error @+1 {{(C1) takes memrefs with identity layout, then index values}}
mica_sched.task_list @list_arguments_c1(%n: index, %x: memref<4xf32>) arena 0 {}

// -----

mica_sched.task_list @list_body_c2() arena 0 {
  // expected-error @+1 {{(C2) of task_list: a list holds buffer operations and tasks only}}
  %0 = arith.constant 0 : index
}

// -----

// expected-error @+1 {{(C3) has an arena of 100 bytes, which is no multiple of 64}}
mica_sched.task_list @list_arena_c3() arena 100 {}

// -----

mica_sched.task_list @list_arena_end_c3() arena 64 {
  // expected-error @+1 {{(C3) of task_list: ends at byte 80 of an arena of 64}}
  %0 = mica_sched.arena 64 : memref<4xf32>
}

// -----

mica_sched.task_list @task_kernel_c1() arena 0 {
  // expected-error @+1 {{(C1) names 'nowhere', which is no kernel of this program}}
  %0 = mica_sched.task @nowhere() {op_ids = []}
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
mica_sched.task_list @task_buffer_count_c2(%x: memref<4xf32>) arena 0 {
  // expected-error @+1 {{(C2) binds 1 buffers, but kernel 'k' takes 2}}
  %0 = mica_sched.task @k(%x) {op_ids = []} : memref<4xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
mica_sched.task_list @task_buffer_type_c2(%x: memref<4xf32>, %r: memref<5xf32>) arena 0 {
  // expected-error @+1 {{(C2) buffer 1 has type 'memref<5xf32>', but kernel 'k' takes 'memref<4xf32>'}}
  %0 = mica_sched.task @k(%x, %r) {op_ids = []} : memref<4xf32>, memref<5xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%o: memref<?xf32> {mica_sched.access = "write"}, %n: index) { return }
}
mica_sched.task_list @task_scalars_c3(%r: memref<?xf32>, %n: index) arena 0 {
  // expected-error @+1 {{(C3) passes 1 scalars, but kernel 'k' takes 2}}
  %0 = mica_sched.task @k(%r) scalars(%n) {op_ids = []} : memref<?xf32>
}

// -----

module @k attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @k(%o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
mica_sched.task_list @task_op_ids_c4(%r: memref<4xf32>) arena 0 {
  // expected-error @+1 {{(C4) lists 0 op ids, but kernel 'k' has 1}}
  %0 = mica_sched.task @k(%r) {op_ids = []} : memref<4xf32>
}

// -----

module @k attributes {mica_sched.kernel} {
  func.func @k(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
mica_sched.task_list @task_alias_c5(%x: memref<4xf32>) arena 0 {
  // expected-error @+1 {{(C5) binds buffer 1, which kernel 'k' writes, twice}}
  %0 = mica_sched.task @k(%x, %x) {op_ids = []} : memref<4xf32>, memref<4xf32>
}

// -----

mica_sched.task_list @arena_dynamic_c1() arena 64 {
  // expected-error @+1 {{(C1) must have a static shape and identity layout}}
  %0 = mica_sched.arena 0 : memref<?xf32>
}

// -----

mica_sched.task_list @arena_offset_c2() arena 128 {
  // expected-error @+1 {{(C2) lies at byte 4, which is no multiple of 64}}
  %0 = mica_sched.arena 4 : memref<4xf32>
}

// -----

mica_sched.task_list @dynamic_static_c1(%n: index) arena 0 {
  // expected-error @+1 {{(C1) must have a dynamic dimension and identity layout}}
  %0 = mica_sched.dynamic %n : memref<4xf32>
}

// -----

mica_sched.task_list @constant_type_c1() arena 0 {
  // expected-error @+1 {{(C1) holds a value of type}}
  %0 = mica_sched.constant dense<1.0> : tensor<4xf32> -> memref<4xf64>
}

// -----

mica_sched.task_list @constant_parts_c1() arena 0 {
  // expected-error @+1 {{(C1) holds parts of a value of type}}
  %0 = mica_sched.constant dense<1.0> : tensor<2x16xf32> {mica_sched.parts = {axes = array<i64: 0>, grid = array<i64: 2>}} -> memref<2x16xf32>
}

// -----

mica_sched.task_list @constant_parts_a19() arena 0 {
  // expected-error @+1 {{(A19) holds 2 parts of 64 bytes for 4 ranks}}
  %0 = mica_sched.constant dense<1.0> : tensor<2x16xf32> {mica_sched.parts = {axes = array<i64: 0>, grid = array<i64: 4>}} -> memref<16xf32>
}

// -----

mica_sched.task_list @constant_small_parts_a19() arena 0 {
  // expected-error @+1 {{(A19) holds 2 parts of 16 bytes for 2 ranks}}
  %0 = mica_sched.constant dense<1.0> : tensor<2x4xf32> {mica_sched.parts = {axes = array<i64: 0>, grid = array<i64: 2>}} -> memref<4xf32>
}

// -----

mica_sched.task_list @view_layout_c1(%x: memref<4xf32>) arena 0 {
  // expected-error @+1 {{(C1) must have identity layout}}
  %0 = mica_sched.view %x at 0 : memref<4xf32> to memref<2xf32, strided<[2]>>
}

// -----

mica_sched.task_list @view_offset_c2(%x: memref<64xf32>) arena 0 {
  // expected-error @+1 {{(C2) lies at byte 32, which is no multiple of 64}}
  %0 = mica_sched.view %x at 32 : memref<64xf32> to memref<4xf32>
}

// -----

mica_sched.task_list @view_inside_c3(%x: memref<16xf32>) arena 0 {
  // expected-error @+1 {{(C3) needs 16 bytes from byte 64 of a buffer of 64}}
  %0 = mica_sched.view %x at 64 : memref<16xf32> to memref<4xf32>
}

// -----

func.func @view_sizes_c4(%x: memref<16xf32>) {
  // expected-error @+1 {{(C4) gives 0 sizes where 1 are needed}}
  %0 = mica_sched.view %x at 0 : memref<16xf32> to memref<?xf32>
  return
}

// -----

func.func @submit_list_c1() {
  // expected-error @+1 {{(C1) names 'nowhere', which is no task list of this program}}
  mica_sched.submit @nowhere()
  return
}

// -----

mica_sched.task_list @list(%x: memref<4xf32>) arena 0 {}
func.func @submit_buffers_c2() {
  // expected-error @+1 {{(C2) passes buffers (), which are not those that list 'list' takes}}
  mica_sched.submit @list()
  return
}

// -----

mica_sched.task_list @list(%n: index) arena 0 {}
func.func @submit_scalars_c2() {
  // expected-error @+1 {{(C2) passes 0 scalars, but list 'list' takes 1}}
  mica_sched.submit @list()
  return
}

// -----

func.func @result_sizes_c1() -> memref<?xf32> {
  // expected-error @+1 {{(C1) gives 0 sizes for 1 dynamic dimensions}}
  %0 = mica_sched.result 0 : memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

func.func @result_index_c2() -> memref<4xf32> {
  // expected-error @+1 {{(C2) is result 1 of a function of 1}}
  %0 = mica_sched.result 1 : memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func @alloc_c1() {
  // expected-error @+1 {{(C1) must have identity layout}}
  %0 = mica_sched.alloc : memref<4xf32, strided<[2]>>
  return
}

// -----

func.func @byte_size_c1(%n: index) {
  // expected-error @+1 {{(C1) gives 1 sizes for 2 dynamic dimensions}}
  %0 = mica_sched.byte_size sizes(%n) : memref<?x?xf32>
  return
}

// -----

func.func @byte_size_c2(%n: index) {
  // expected-error @+1 {{(C2) is asked for the bytes of 'memref<?xvector<4xf32>>', whose elements have no fixed size}}
  %0 = mica_sched.byte_size sizes(%n) : memref<?xvector<4xf32>>
  return
}

// -----

func.func @check_reshape_c1(%n: index) {
  // expected-error @+1 {{(C1) gives 1 sizes for 2 dynamic dimensions of 'tensor<?x?xf32>'}}
  mica_sched.check_reshape sizes(%n) : tensor<?xf32> to sizes(%n) : tensor<?x?xf32>
  return
}

// -----

func.func @check_sum_c1(%n: index) {
  // expected-error @+1 {{(C1) adds up 1 sizes; it takes two or more}}
  mica_sched.check_sum %n : f32
  return
}

// -----

func.func @check_sizes_c1(%ok: i1, %n: index) {
  // expected-error @+1 {{(C1) has '{1}' in its message, and 1 values}}
  mica_sched.check_sizes %ok, "{0} is not {1}" (%n)
  return
}

// -----

func.func @release_c1(%n: index) {
  // expected-error @+1 {{(C1) 'mark' is not the result of a mica_sched.mark}}
  mica_sched.release %n
  return
}
