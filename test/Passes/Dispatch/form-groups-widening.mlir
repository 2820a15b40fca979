// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-form-groups{prologues=widening}))' -split-input-file | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-form-groups))' -split-input-file | FileCheck %s --check-prefix=NONE

#id = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> ()>

// Quantized values are stored as bytes. Each of the contractions that read them extends them itself, less the zero point.
// CHECK-LABEL: func.func @shared_factor
// CHECK: linalg.generic {{.*}} attrs = {mica_sched.group = 0 : i64}
// CHECK: arith.fptosi
// CHECK: linalg.generic {{.*}} attrs = {mica_sched.group = [[W:1|2]] : i64}
// CHECK: arith.extsi
// CHECK: linalg.generic {{.*}} attrs = {mica_sched.group = [[X:1|2]] : i64}
// CHECK: arith.extsi
// CHECK: linalg.generic {{.*}} attrs = {mica_sched.group = [[M:1|2]] : i64}
// CHECK: arith.subi
// CHECK: linalg.generic {{.*}} attrs = {mica_sched.group = [[N:1|2]] : i64}
// CHECK: arith.subi
// CHECK: linalg.matmul {mica_sched.group = [[M]] : i64}
// CHECK: linalg.matmul {mica_sched.group = [[N]] : i64}
// NONE-LABEL: func.func @shared_factor
// NONE-COUNT-3: linalg.generic {{.*}} attrs = {mica_sched.group = 0 : i64}
// NONE: linalg.matmul {mica_sched.group = 1 : i64}
// NONE: linalg.matmul {mica_sched.group = 2 : i64}
func.func @shared_factor(%x: tensor<8x16xf32>, %zero: tensor<i32>, %y: tensor<16x32xi32>, %z: tensor<16x32xi32>, %c: tensor<8x32xi32>)
    -> (tensor<8x32xi32>, tensor<8x32xi32>) {
  %e = tensor.empty() : tensor<8x16xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %0 = arith.fptosi %a : f32 to i8
    linalg.yield %0 : i8
  } -> tensor<8x16xi8>
  %e1 = tensor.empty() : tensor<8x16xi32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<8x16xi8>) outs(%e1 : tensor<8x16xi32>) {
  ^bb0(%a: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<8x16xi32>
  %d = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %zero : tensor<8x16xi32>, tensor<i32>) outs(%e1 : tensor<8x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<8x16xi32>
  %m = linalg.matmul ins(%d, %y : tensor<8x16xi32>, tensor<16x32xi32>) outs(%c : tensor<8x32xi32>) -> tensor<8x32xi32>
  %n = linalg.matmul ins(%d, %z : tensor<8x16xi32>, tensor<16x32xi32>) outs(%c : tensor<8x32xi32>) -> tensor<8x32xi32>
  return %m, %n : tensor<8x32xi32>, tensor<8x32xi32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// An extension of 16 bits, or of what something else reads too, is a kernel of its own.
// CHECK-LABEL: func.func @other_widths
// CHECK: linalg.generic {{.*}} attrs = {mica_sched.group = 0 : i64}
// CHECK: linalg.matmul {mica_sched.group = 1 : i64}
func.func @other_widths(%x: tensor<8x16xi16>, %y: tensor<16x32xi32>, %c: tensor<8x32xi32>) -> tensor<8x32xi32> {
  %e = tensor.empty() : tensor<8x16xi32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xi16>) outs(%e : tensor<8x16xi32>) {
  ^bb0(%a: i16, %o: i32):
    %0 = arith.extsi %a : i16 to i32
    linalg.yield %0 : i32
  } -> tensor<8x16xi32>
  %m = linalg.matmul ins(%w, %y : tensor<8x16xi32>, tensor<16x32xi32>) outs(%c : tensor<8x32xi32>) -> tensor<8x32xi32>
  return %m : tensor<8x32xi32>
}
