// RUN: mica-opt %s -split-input-file -verify-diagnostics

// As in invalid.mlir, for the operations that pick, place and order elements.

func.func @gather_c1(%x: tensor<4x8xf32>, %i: tensor<3xf32>) {
  // expected-error @+1 {{'mica.gather' op (C1) indices must have elements of type i32 or i64, got 'f32'}}
  %0 = mica.gather %x, %i axis = 0 : (tensor<4x8xf32>, tensor<3xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @gather_c2(%x: tensor<4x8xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'mica.gather' op (C2) axis 2 is outside of the operand's rank 2}}
  %0 = mica.gather %x, %i axis = 2 : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return
}

// -----

func.func @gather_c3(%x: tensor<4x8xf32>, %i: tensor<4x3xi64>) {
  // expected-error @+1 {{'mica.gather' op (C3) batch_dims must be at least 0, at most axis, 0, and at most the rank of the indices, 2, got 1}}
  %0 = mica.gather %x, %i axis = 0 batch_dims = 1 : (tensor<4x8xf32>, tensor<4x3xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @gather_c4(%x: tensor<4x8xf32>, %i: tensor<5x3xi64>) {
  // expected-error @+1 {{'mica.gather' op (C4) dim 0, shared by operand and indices, is 4 in one and 5 in the other}}
  %0 = mica.gather %x, %i axis = 1 batch_dims = 1 : (tensor<4x8xf32>, tensor<5x3xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @gather_c5(%x: tensor<4x8xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'mica.gather' op (C5) the result must be 'tensor<4x3xf32>', got 'tensor<3x8xf32>'}}
  %0 = mica.gather %x, %i axis = 1 : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return
}

// -----

func.func @embedding_c1(%t: tensor<4x8x2xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'mica.embedding' op (C1) the table must have rank 2, got 3}}
  %0 = mica.embedding %t, %i : (tensor<4x8x2xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return
}

// -----

func.func @embedding_c2(%t: tensor<4x8xf32>, %i: tensor<3xi1>) {
  // expected-error @+1 {{'mica.embedding' op (C2) indices must have elements of type i32 or i64, got 'i1'}}
  %0 = mica.embedding %t, %i : (tensor<4x8xf32>, tensor<3xi1>) -> tensor<3x8xf32>
  return
}

// -----

func.func @embedding_c3(%t: tensor<4x8xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'mica.embedding' op (C3) the result must be 'tensor<3x8xf32>', got 'tensor<3x4xf32>'}}
  %0 = mica.embedding %t, %i : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_c1(%x: tensor<4x8xf32>, %i: tensor<3xf32>, %u: tensor<3x8xf32>) {
  // expected-error @+1 {{'mica.scatter' op (C1) indices must have elements of type i32 or i64, got 'f32'}}
  %0 = mica.scatter update %x, %i, %u axis = 0 : (tensor<4x8xf32>, tensor<3xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_c2(%x: tensor<4x8xi1>, %i: tensor<3xi64>, %u: tensor<3x8xi1>) {
  // expected-error @+1 {{'mica.scatter' op (C2) elements of type i1 cannot be added}}
  %0 = mica.scatter add %x, %i, %u axis = 0 : (tensor<4x8xi1>, tensor<3xi64>, tensor<3x8xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @scatter_c3(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %u: tensor<3x8xf32>) {
  // expected-error @+1 {{'mica.scatter' op (C3) axis -1 is outside of the operand's rank 2}}
  %0 = mica.scatter update %x, %i, %u axis = -1 : (tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_c4(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %u: tensor<3x8xf32>) {
  // expected-error @+1 {{'mica.scatter' op (C4) batch_dims must be at least 0, at most axis, 0, and at most the rank of the indices, 1, got -1}}
  %0 = mica.scatter update %x, %i, %u axis = 0 batch_dims = -1 : (tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_c5(%x: tensor<4x8xf32>, %i: tensor<3x2xi64>, %u: tensor<4x2xf32>) {
  // expected-error @+1 {{'mica.scatter' op (C5) dim 0, shared by operand and indices, is 4 in one and 3 in the other}}
  %0 = mica.scatter update %x, %i, %u axis = 1 batch_dims = 1 : (tensor<4x8xf32>, tensor<3x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_c6(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.scatter' op (C6) the updates must have the shape 3x8, got 4x8}}
  %0 = mica.scatter update %x, %i, %u axis = 0 : (tensor<4x8xf32>, tensor<3xi64>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_c7(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %u: tensor<3x8xf32>) {
  // expected-error @+1 {{'mica.scatter' op (C7) the result must have the operand's type 'tensor<4x8xf32>', got 'tensor<?x8xf32>'}}
  %0 = mica.scatter update %x, %i, %u axis = 0 : (tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @cache_update_c1(%c: tensor<4x8xf32>, %n: tensor<1x8xf64>, %p: tensor<i64>) {
  // expected-error @+1 {{'mica.cache_update' op (C1) cache and update have one element type, but it is 'f32' and 'f64'}}
  %0 = mica.cache_update %c, %n at %p axis = 0 : (tensor<4x8xf32>, tensor<1x8xf64>, tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @cache_update_c2(%c: tensor<4x8xf32>, %n: tensor<1x8xf32>, %p: tensor<1xi64>) {
  // expected-error @+1 {{'mica.cache_update' op (C2) position must have rank 0, got 1}}
  %0 = mica.cache_update %c, %n at %p axis = 0 : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<1xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @cache_update_c3(%c: tensor<4x8xf32>, %n: tensor<1x8xf32>, %p: tensor<i64>) {
  // expected-error @+1 {{'mica.cache_update' op (C3) axis 2 is outside of the operand's rank 2}}
  %0 = mica.cache_update %c, %n at %p axis = 2 : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @cache_update_c4(%c: tensor<4x8xf32>, %n: tensor<1x7xf32>, %p: tensor<i64>) {
  // expected-error @+1 {{'mica.cache_update' op (C4) the update must have the cache's shape 4x8 but for dim 0, got 1x7}}
  %0 = mica.cache_update %c, %n at %p axis = 0 : (tensor<4x8xf32>, tensor<1x7xf32>, tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @cache_update_c5(%c: tensor<4x8xf32>, %n: tensor<1x8xf32>, %p: tensor<i64>) {
  // expected-error @+1 {{'mica.cache_update' op (C5) the result must have the operand's type 'tensor<4x8xf32>', got 'tensor<5x8xf32>'}}
  %0 = mica.cache_update %c, %n at %p axis = 0 : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i64>) -> tensor<5x8xf32>
  return
}

// -----

func.func @concat_c1(%a: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'mica.concat' op (C1) operands have one element type and rank, but operand 0 is 'tensor<4x8xf32>' and operand 1 is 'tensor<4xf32>'}}
  %0 = mica.concat %a, %b axis = 0 : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @concat_c2(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.concat' op (C2) axis 2 is outside of the operand's rank 2}}
  %0 = mica.concat %a, %b axis = 2 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @concat_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.concat' op (C3) sizes differ: dim 1 of operand 0 is 8, of operand 1 9}}
  %0 = mica.concat %a, %b axis = 0 : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @concat_c4(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.concat' op (C4) the result must be 'tensor<8x8xf32>', got 'tensor<4x16xf32>'}}
  %0 = mica.concat %a, %b axis = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @split_c1(%x: tensor<?x8xf32>) {
  // expected-error @+1 {{'mica.split' op (C1) dim 0 of the operand must be static, got ?; mica.slice takes sizes known at run time}}
  %0:2 = mica.split %x axis = 0 sizes = [1, 2] : (tensor<?x8xf32>) -> (tensor<1x8xf32>, tensor<2x8xf32>)
  return
}

// -----

func.func @split_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.split' op (C2) the sum of sizes is 3, dim 0 of the operand 4}}
  %0:2 = mica.split %x axis = 0 sizes = [1, 2] : (tensor<4x8xf32>) -> (tensor<1x8xf32>, tensor<2x8xf32>)
  return
}

// -----

func.func @split_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.split' op (C3) there must be one result per size, 2, got 1}}
  %0 = mica.split %x axis = 0 sizes = [2, 2] : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @slice_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.slice' op (C1) offsets must have a value per dimension of the operand, 2, got 1}}
  %0 = mica.slice %x offsets = [0] sizes = [1, 2] strides = [1, 1] : (tensor<4x8xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @slice_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.slice' op (C2) strides holds 0, the least is 1}}
  %0 = mica.slice %x offsets = [0, 0] sizes = [1, 2] strides = [1, 0] : (tensor<4x8xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.slice' op (C3) the slice of 4 elements from 2 on with stride 2 leaves dim 1 of size 8}}
  %0 = mica.slice %x offsets = [0, 2] sizes = [1, 4] strides = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @slice_c4(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.slice' op (C4) the result must be 'tensor<1x4xf32>', got 'tensor<1x5xf32>'}}
  %0 = mica.slice %x offsets = [0, 1] sizes = [1, 4] strides = [1, 2] : (tensor<4x8xf32>) -> tensor<1x5xf32>
  return
}

// -----

func.func @tile_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.tile' op (C1) multiples holds 0, the least is 1}}
  %0 = mica.tile %x multiples = [0, 2] : (tensor<4x8xf32>) -> tensor<0x16xf32>
  return
}

// -----

func.func @tile_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.tile' op (C2) the result must be 'tensor<4x16xf32>', got 'tensor<8x8xf32>'}}
  %0 = mica.tile %x multiples = [1, 2] : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @flip_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.flip' op (C1) dims is strictly increasing, but 0 follows 1}}
  %0 = mica.flip %x dims = [1, 0] : tensor<4x8xf32>
  return
}

// -----

func.func @flip_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.flip' op (C2) the result must have the operand's type 'tensor<4x8xf32>', got 'tensor<8x4xf32>'}}
  %0 = "mica.flip"(%x) <{dims = array<i64: 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @sort_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.sort' op (C1) axis 2 is outside of the operand's rank 2}}
  %0:2 = mica.sort %x axis = 2 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>)
  return
}

// -----

func.func @sort_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.sort' op (C2) the results must be 'tensor<4x8xf32>' and 'tensor<4x8xi64>', got 'tensor<4x8xf32>' and 'tensor<4x8xi32>'}}
  %0:2 = mica.sort %x axis = 1 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}

// -----

func.func @sort_c2_sizes(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.sort' op (C2) the results must be 'tensor<4x8xf32>' and 'tensor<4x8xi64>', got 'tensor<4x7xf32>' and 'tensor<4x7xi64>'}}
  %0:2 = mica.sort %x axis = 1 : (tensor<4x8xf32>) -> (tensor<4x7xf32>, tensor<4x7xi64>)
  return
}

// -----

func.func @top_k_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.top_k' op (C1) axis 2 is outside of the operand's rank 2}}
  %0:2 = mica.top_k %x k = 2 axis = 2 : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  return
}

// -----

func.func @top_k_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.top_k' op (C2) k must be at least 0 and at most dim 1 of the operand, 8, got 9}}
  %0:2 = mica.top_k %x k = 9 axis = 1 : (tensor<4x8xf32>) -> (tensor<4x9xf32>, tensor<4x9xi64>)
  return
}

// -----

func.func @top_k_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.top_k' op (C3) the results must be 'tensor<4x2xf32>' and 'tensor<4x2xi64>', got 'tensor<4x3xf32>' and 'tensor<4x3xi64>'}}
  %0:2 = mica.top_k %x k = 2 axis = 1 : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
  return
}

// -----

func.func @top_k_c3_sizes(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.top_k' op (C3) the results must be 'tensor<4x2xf32>' and 'tensor<4x2xi64>', got 'tensor<3x2xf32>' and 'tensor<3x2xi64>'}}
  %0:2 = mica.top_k %x k = 2 axis = 1 : (tensor<4x8xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
  return
}
