// RUN: mica-opt %s -split-input-file -verify-diagnostics

// As in invalid.mlir, for attention, rotary embeddings and control flow.

func.func @attention_c1(%q: tensor<2x4x5x8xi32>, %k: tensor<2x2x9x8xi32>, %v: tensor<2x2x9x8xi32>) {
  // expected-error @+1 {{'mica.attention' op (C1) must have float elements, got 'i32'}}
  %0 = mica.attention %q, %k, %v : (tensor<2x4x5x8xi32>, tensor<2x2x9x8xi32>, tensor<2x2x9x8xi32>) -> tensor<2x4x5x8xi32>
  return
}

// -----

func.func @attention_c2(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x9x8xf32>, %v: tensor<2x2x8x8xf32>) {
  // expected-error @+1 {{'mica.attention' op (C2) the number of keys is 9 in the key and 8 in the value}}
  %0 = mica.attention %q, %k, %v : (tensor<2x4x5x8xf32>, tensor<2x2x9x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x4x5x8xf32>
  return
}

// -----

func.func @attention_c3(%q: tensor<2x4x5x8xf32>, %k: tensor<2x3x9x8xf32>, %v: tensor<2x3x9x8xf32>) {
  // expected-error @+1 {{'mica.attention' op (C3) the query's number of heads, 4, is a multiple of the key's, 3}}
  %0 = mica.attention %q, %k, %v : (tensor<2x4x5x8xf32>, tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>) -> tensor<2x4x5x8xf32>
  return
}

// -----

func.func @attention_c4(%q: tensor<2x4x5x?xf32>, %k: tensor<2x2x9x?xf32>, %v: tensor<2x2x9x8xf32>) {
  // expected-error @+1 {{'mica.attention' op (C4) scale is given, since the size of a head is known at run time only}}
  %0 = mica.attention %q, %k, %v : (tensor<2x4x5x?xf32>, tensor<2x2x9x?xf32>, tensor<2x2x9x8xf32>) -> tensor<2x4x5x8xf32>
  return
}

// -----

func.func @attention_c5(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x9x8xf32>, %v: tensor<2x2x9x8xf32>, %m: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.attention' op (C5) the mask's shape must be that of the last dimensions of the scores, 2x4x5x9, or 1 where it is repeated, got 4x9}}
  %0 = mica.attention %q, %k, %v mask %m : (tensor<2x4x5x8xf32>, tensor<2x2x9x8xf32>, tensor<2x2x9x8xf32>, tensor<4x9xf32>) -> tensor<2x4x5x8xf32>
  return
}

// -----

func.func @attention_c6(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x9x8xf32>, %v: tensor<2x2x9x8xf32>, %p: tensor<i64>) {
  // expected-error @+1 {{'mica.attention' op (C6) position is given with causal only}}
  %0 = mica.attention %q, %k, %v position %p : (tensor<2x4x5x8xf32>, tensor<2x2x9x8xf32>, tensor<2x2x9x8xf32>, tensor<i64>) -> tensor<2x4x5x8xf32>
  return
}

// -----

func.func @attention_c7(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x9x8xf32>, %v: tensor<2x2x9x8xf32>) {
  // expected-error @+1 {{'mica.attention' op (C7) the result must be 'tensor<2x4x5x8xf32>', got 'tensor<2x4x9x8xf32>'}}
  %0 = mica.attention %q, %k, %v : (tensor<2x4x5x8xf32>, tensor<2x2x9x8xf32>, tensor<2x2x9x8xf32>) -> tensor<2x4x9x8xf32>
  return
}

// -----

func.func @rope_c1(%x: tensor<5x8xf32>, %c: tensor<5x4xf64>) {
  // expected-error @+1 {{'mica.rope' op (C1) operands have one element type, but operand 0 has 'f32' and operand 1 has 'f64'}}
  %0 = mica.rope %x cos %c sin %c : (tensor<5x8xf32>, tensor<5x4xf64>, tensor<5x4xf64>) -> tensor<5x8xf32>
  return
}

// -----

func.func @rope_c2(%x: tensor<5x7xf32>, %c: tensor<5x3xf32>) {
  // expected-error @+1 {{'mica.rope' op (C2) the input's last size must be static and even, got 7}}
  %0 = mica.rope %x cos %c sin %c : (tensor<5x7xf32>, tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x7xf32>
  return
}

// -----

func.func @rope_c3(%x: tensor<5x8xf32>, %c: tensor<5x8xf32>) {
  // expected-error @+1 {{'mica.rope' op (C3) cos must have the shape 5x4, got 5x8}}
  %0 = mica.rope %x cos %c sin %c : tensor<5x8xf32>
  return
}

// -----

func.func @rope_c4(%x: tensor<5x8xf32>, %c: tensor<5x4xf32>) {
  // expected-error @+1 {{'mica.rope' op (C4) the result must have the operand's type 'tensor<5x8xf32>', got 'tensor<?x8xf32>'}}
  %0 = mica.rope %x cos %c sin %c : (tensor<5x8xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @if_c1(%c: tensor<1xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.if' op (C1) the condition must be a tensor<i1>, got 'tensor<1xi1>'}}
  %0 = mica.if %c : (tensor<1xi1>) -> tensor<4xf32> {
    mica.yield %x : tensor<4xf32>
  } else {
    mica.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @if_c2(%c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.if' op (C2) the regions take no arguments, but the second takes 1}}
  %0 = mica.if %c : (tensor<i1>) -> tensor<4xf32> {
    mica.yield %x : tensor<4xf32>
  } else {
  ^bb0(%a: tensor<4xf32>):
    mica.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @if_c3(%c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.if' op (C3) the second region must yield ('tensor<4xf32>'), got ()}}
  %0 = mica.if %c : (tensor<i1>) -> tensor<4xf32> {
    mica.yield %x : tensor<4xf32>
  } else {
    mica.yield
  }
  return
}

// -----

func.func @while_c1(%c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.while' op (C1) the results must have the types of the initial values, ('tensor<4xf32>'), got ('tensor<?xf32>')}}
  %0 = mica.while(%x) : (tensor<4xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<4xf32>):
    mica.yield %c : tensor<i1>
  } do {
  ^bb0(%a: tensor<4xf32>):
    mica.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @while_c2(%c: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.while' op (C2) the first region must yield ('tensor<i1>'), got ('tensor<i32>')}}
  %0 = mica.while(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    mica.yield %c : tensor<i32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    mica.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @while_c3(%c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.while' op (C3) the second region must yield ('tensor<4xf32>'), got ()}}
  %0 = mica.while(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    mica.yield %c : tensor<i1>
  } do {
  ^bb0(%a: tensor<4xf32>):
    mica.yield
  }
  return
}

// -----

func.func @yield_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.yield' op (C1) must end a region of mica.if or mica.while, got func.func}}
  mica.yield %x : tensor<4xf32>
}
