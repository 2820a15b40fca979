// RUN: mica-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(convert-mica-to-linalg,mica-dispatch-form-groups{attention=true}))' | FileCheck %s
// RUN: mica-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(convert-mica-to-linalg,mica-dispatch-form-groups))' | FileCheck %s --check-prefix=APART
// RUN: mica-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(convert-mica-to-linalg,mica-dispatch-form-groups{attention=true}))' --remarks-filter=fusion 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY

// Scores, softmax and weighted sum are one kernel: no tensor of scores is stored.
// CHECK-LABEL: func.func @attention
// CHECK:       mica_sched.group = 0
// CHECK-NOT:   mica_sched.group = 1
// APART-LABEL: func.func @attention
// APART:       mica_sched.group = 2
func.func @attention(%q: tensor<4x64x16xf32>, %k: tensor<4x16x48xf32>, %v: tensor<4x48x8xf32>) -> tensor<4x64x8xf32> {
  %s = mica.matmul %q, %k : (tensor<4x64x16xf32>, tensor<4x16x48xf32>) -> tensor<4x64x48xf32>
  %w = mica.softmax %s axis = 2 : tensor<4x64x48xf32>
  %r = mica.matmul %w, %v : (tensor<4x64x48xf32>, tensor<4x48x8xf32>) -> tensor<4x64x8xf32>
  return %r : tensor<4x64x8xf32>
}

// -----

// The weights are a result: they have to be stored.
// CHECK-LABEL: func.func @weights_are_needed
// CHECK:       mica_sched.group = 2
// WHY:         a tensor between the products is needed elsewhere
func.func @weights_are_needed(%q: tensor<4x64x16xf32>, %k: tensor<4x16x48xf32>, %v: tensor<4x48x8xf32>)
    -> (tensor<4x64x8xf32>, tensor<4x64x48xf32>) {
  %s = mica.matmul %q, %k : (tensor<4x64x16xf32>, tensor<4x16x48xf32>) -> tensor<4x64x48xf32>
  %w = mica.softmax %s axis = 2 : tensor<4x64x48xf32>
  %r = mica.matmul %w, %v : (tensor<4x64x48xf32>, tensor<4x48x8xf32>) -> tensor<4x64x8xf32>
  return %r, %w : tensor<4x64x8xf32>, tensor<4x64x48xf32>
}

// -----

// One query: each product reads its factors once, and is divided along the keys.
// CHECK-LABEL: func.func @decode
// CHECK:       mica_sched.group = 2
// WHY:         too few rows share the factors of the products
func.func @decode(%q: tensor<4x1x16xf32>, %k: tensor<4x16x48xf32>, %v: tensor<4x48x8xf32>) -> tensor<4x1x8xf32> {
  %s = mica.matmul %q, %k : (tensor<4x1x16xf32>, tensor<4x16x48xf32>) -> tensor<4x1x48xf32>
  %w = mica.softmax %s axis = 2 : tensor<4x1x48xf32>
  %r = mica.matmul %w, %v : (tensor<4x1x48xf32>, tensor<4x48x8xf32>) -> tensor<4x1x8xf32>
  return %r : tensor<4x1x8xf32>
}

// -----

// CHECK-LABEL: func.func @one_block
// CHECK:       mica_sched.group = 2
// WHY:         too few rows for all cores
func.func @one_block(%q: tensor<16x16xf32>, %k: tensor<16x48xf32>, %v: tensor<48x8xf32>) -> tensor<16x8xf32> {
  %s = mica.matmul %q, %k : (tensor<16x16xf32>, tensor<16x48xf32>) -> tensor<16x48xf32>
  %w = mica.softmax %s axis = 1 : tensor<16x48xf32>
  %r = mica.matmul %w, %v : (tensor<16x48xf32>, tensor<48x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// CHECK-LABEL: func.func @long_rows
// CHECK:       mica_sched.group = 2
// WHY:         a row between the products is too long for the caches
func.func @long_rows(%q: tensor<64x16xf32>, %k: tensor<16x9000xf32>, %v: tensor<9000x8xf32>) -> tensor<64x8xf32> {
  %s = mica.matmul %q, %k : (tensor<64x16xf32>, tensor<16x9000xf32>) -> tensor<64x9000xf32>
  %w = mica.softmax %s axis = 1 : tensor<64x9000xf32>
  %r = mica.matmul %w, %v : (tensor<64x9000xf32>, tensor<9000x8xf32>) -> tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}

// -----

// CHECK-LABEL: func.func @unknown_keys
// CHECK:       mica_sched.group = 2
// WHY:         sizes of a product are not known
func.func @unknown_keys(%q: tensor<64x16xf32>, %k: tensor<16x?xf32>, %v: tensor<?x8xf32>) -> tensor<64x8xf32> {
  %s = mica.matmul %q, %k : (tensor<64x16xf32>, tensor<16x?xf32>) -> tensor<64x?xf32>
  %w = mica.softmax %s axis = 1 : tensor<64x?xf32>
  %r = mica.matmul %w, %v : (tensor<64x?xf32>, tensor<?x8xf32>) -> tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}

// -----

// The softmax is along the queries: its rows are columns of the products.
// CHECK-LABEL: func.func @other_axis
// CHECK:       mica_sched.group = 2
func.func @other_axis(%q: tensor<4x64x16xf32>, %k: tensor<4x16x48xf32>, %v: tensor<4x48x8xf32>) -> tensor<4x64x8xf32> {
  %s = mica.matmul %q, %k : (tensor<4x64x16xf32>, tensor<4x16x48xf32>) -> tensor<4x64x48xf32>
  %w = mica.softmax %s axis = 1 : tensor<4x64x48xf32>
  %r = mica.matmul %w, %v : (tensor<4x64x48xf32>, tensor<4x48x8xf32>) -> tensor<4x64x8xf32>
  return %r : tensor<4x64x8xf32>
}

// -----

// Nothing is reduced between these: the second reads all columns of the first only because it sums them.
// CHECK-LABEL: func.func @two_layers
// CHECK:       mica_sched.group = 1
func.func @two_layers(%x: tensor<64x16xf32>, %a: tensor<16x48xf32>, %b: tensor<48x8xf32>) -> tensor<64x8xf32> {
  %s = mica.matmul %x, %a : (tensor<64x16xf32>, tensor<16x48xf32>) -> tensor<64x48xf32>
  %g = mica.gelu %s : tensor<64x48xf32>
  %r = mica.matmul %g, %b : (tensor<64x48xf32>, tensor<48x8xf32>) -> tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}
