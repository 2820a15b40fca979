// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-form-groups{prologues=all}))' -split-input-file | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-form-groups{prologues=all}))' -split-input-file -remarks-filter=.* 2>&1 >/dev/null | FileCheck %s --check-prefix=SAID
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-form-groups))' -split-input-file | FileCheck %s --check-prefix=APART

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Weights, of 8 bits in memory, join the product that alone reads them, through a transpose or not.
// CHECK-LABEL: func.func @weights
// CHECK: mica_sched.group = 0
// CHECK: linalg.transpose
// CHECK-SAME: mica_sched.group = 0
// CHECK: linalg.matmul {mica_sched.group = 0 : i64}
// APART-LABEL: func.func @weights
// APART: mica_sched.group = 0
// APART: linalg.matmul {mica_sched.group = 1 : i64}
func.func @weights(%x: tensor<8x16xf16>, %q: tensor<32x16xi8>, %s: tensor<32xf16>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<32x16xf16>
  %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<32x16xi8>, tensor<32xf16>) outs(%e : tensor<32x16xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %0 = arith.sitofp %a : i8 to f16
    %1 = arith.mulf %0, %b : f16
    linalg.yield %1 : f16
  } -> tensor<32x16xf16>
  %et = tensor.empty() : tensor<16x32xf16>
  %t = linalg.transpose ins(%w : tensor<32x16xf16>) outs(%et : tensor<16x32xf16>) permutation = [1, 0]
  %m = linalg.matmul ins(%x, %t : tensor<8x16xf16>, tensor<16x32xf16>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %m : tensor<8x32xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Each tile of the product would read four bytes again where it reads two.
// CHECK-LABEL: func.func @wider
// CHECK: mica_sched.group = 0
// CHECK: linalg.matmul {mica_sched.group = 1 : i64}
// SAID: the producer reads more bytes than it writes, and would be recomputed for each tile
func.func @wider(%x: tensor<8x16xf32>, %y: tensor<16x32xf16>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x16xf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf16>) {
  ^bb0(%a: f32, %o: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<8x16xf16>
  %m = linalg.matmul ins(%n, %y : tensor<8x16xf16>, tensor<16x32xf16>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %m : tensor<8x32xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// What takes long is computed once.
// CHECK-LABEL: func.func @long
// CHECK: mica_sched.group = 0
// CHECK: linalg.matmul {mica_sched.group = 1 : i64}
func.func @long(%x: tensor<8x16xf32>, %y: tensor<16x32xf32>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %m = linalg.matmul ins(%n, %y : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %m : tensor<8x32xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// What somebody else reads too is computed once.
// CHECK-LABEL: func.func @shared
// CHECK: mica_sched.group = 0
// CHECK: linalg.matmul {mica_sched.group = 1 : i64}
func.func @shared(%x: tensor<8x16xi8>, %y: tensor<16x32xf32>, %c: tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xi8>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %m = linalg.matmul ins(%n, %y : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %m, %n : tensor<8x32xf32>, tensor<8x16xf32>
}
