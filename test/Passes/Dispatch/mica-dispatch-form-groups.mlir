// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-form-groups))' -split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// Fill, product and elementwise epilogue are one kernel.
// CHECK-LABEL: func.func @product_takes_its_fill_and_epilogue
func.func @product_takes_its_fill_and_epilogue(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  // CHECK: linalg.fill {mica_sched.group = 0 : i64}
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // CHECK: linalg.matmul {mica_sched.group = 0 : i64}
  %m = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 0
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %c : tensor<8x32xf32>, tensor<32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A statistic of each row and what is done with it are one kernel.
// CHECK-LABEL: func.func @rows_are_one_kernel
func.func @rows_are_one_kernel(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %s = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 0
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = arith.addf %x, %o : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 0
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %sum : tensor<8x16xf32>, tensor<8xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %v = arith.divf %x, %y : f32
    linalg.yield %v : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>

// The second sum needs the transpose, which needs the first: joining both sums would need the transpose inside.
// CHECK-LABEL: func.func @groups_stay_convex
func.func @groups_stay_convex(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 0
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %w = math.exp %v : f32
    linalg.yield %w : f32
  } -> tensor<8x8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 1
  %t = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 2
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%v: f32, %u: f32, %o: f32):
    %w = arith.addf %v, %u : f32
    linalg.yield %w : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>

// A transpose that only a product reads becomes a way of reading; so does no other.
// CHECK-LABEL: func.func @products_read_through_transposes
func.func @products_read_through_transposes(%a: tensor<8x16xf32>, %b: tensor<32x16xf32>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 0
  %t = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<32x16xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<16x32xf32>
  // CHECK: linalg.matmul {mica_sched.group = 0 : i64}
  %m = linalg.matmul ins(%a, %t : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %m : tensor<8x32xf32>
}

// -----

// One product per kernel; a fill that both start from is made by each.
// CHECK-LABEL: func.func @two_products_are_two_kernels
func.func @two_products_are_two_kernels(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  // CHECK-DAG: linalg.fill {mica_sched.group = 0 : i64}
  // CHECK-DAG: linalg.fill {mica_sched.group = 1 : i64}
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul {mica_sched.group = [[FIRST:[01]]] : i64}
  %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NOT: linalg.matmul {mica_sched.group = [[FIRST]] : i64}
  // CHECK: linalg.matmul {mica_sched.group = {{[01]}} : i64}
  %n = linalg.matmul ins(%m, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %n : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Branches of one value are one kernel of two results: nothing lies between them.
// CHECK-LABEL: func.func @branches_are_one_kernel
func.func @branches_are_one_kernel(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  // CHECK-COUNT-3: mica_sched.group = 0
  // CHECK-NOT: mica_sched.group = 1
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %w = math.exp %v : f32
    linalg.yield %w : f32
  } -> tensor<8x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %w = math.tanh %v : f32
    linalg.yield %w : f32
  } -> tensor<8x8xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %w = math.sin %v : f32
    linalg.yield %w : f32
  } -> tensor<8x8xf32>
  return %y, %z : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// One sum over a long column per element of a short row: too few independent parts for one kernel to be worth it.
// CHECK-LABEL: func.func @few_long_columns
func.func @few_long_columns(%a: tensor<65536x8xf32>) -> tensor<65536x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65536x8xf32>
  %s = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 0
  %sum = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<65536x8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = arith.addf %x, %o : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 1
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %sum : tensor<65536x8xf32>, tensor<8xf32>) outs(%e : tensor<65536x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %v = arith.divf %x, %y : f32
    linalg.yield %v : f32
  } -> tensor<65536x8xf32>
  return %r : tensor<65536x8xf32>
}

// -----

// A reduction to one value takes its fill.
// CHECK-LABEL: func.func @reduction_to_one_value
func.func @reduction_to_one_value(%a: tensor<100xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  // CHECK: linalg.fill {mica_sched.group = 0 : i64}
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  // CHECK: linalg.generic
  // CHECK-SAME: mica_sched.group = 0
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<100xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %v = arith.addf %x, %o : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}
