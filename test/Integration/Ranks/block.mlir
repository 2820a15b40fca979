// A tensor-parallel transformer block: heads of attention and columns of the hidden layer are split among two ranks, so
// each rank has the heads' own weights, and two exchanges add the partial sums. Equal to the program that is not
// partitioned.
// RUN: rm -rf %t && mica-compile %s -o %t
// RUN: mica-run %t --ranks=threads --check-reference | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%t/manifest.json

// CHECK: reference: result 0 (6x8xf32): within tolerance

// MANIFEST: "collective": {"kind": "all_reduce", "grid": [2], "axes": [0], "reduction": "sum"}

shard.grid @ranks(shape = 2)

#x = affine_map<(h, s, d, m) -> (s, m)>
#w = affine_map<(h, s, d, m) -> (h, m, d)>
#q = affine_map<(h, s, d, m) -> (h, s, d)>
#qk = affine_map<(h, s, t, d) -> (h, s, d)>
#kk = affine_map<(h, s, t, d) -> (h, t, d)>
#score = affine_map<(h, s, t, d) -> (h, s, t)>
#p = affine_map<(h, s, d, t) -> (h, s, t)>
#v = affine_map<(h, s, d, t) -> (h, t, d)>
#o = affine_map<(h, s, d, t) -> (h, s, d)>
#oh = affine_map<(s, m, h, d) -> (h, s, d)>
#wo = affine_map<(s, m, h, d) -> (h, d, m)>
#y = affine_map<(s, m, h, d) -> (s, m)>

func.func @main(%x: tensor<6x8xf32>, %wq: tensor<4x8x3xf32>, %wk: tensor<4x8x3xf32>, %wv: tensor<4x8x3xf32>,
                %wo: tensor<4x3x8xf32>, %up: tensor<8x16xf32>, %down: tensor<16x8xf32>) -> tensor<6x8xf32> {
  %heads = shard.sharding @ranks split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @ranks split_axes = [[], [0]] : !shard.sharding
  %zero = arith.constant 0.0 : f32
  %q_weight = shard.shard %wq to %heads annotate_for_users : tensor<4x8x3xf32>
  %k_weight = shard.shard %wk to %heads annotate_for_users : tensor<4x8x3xf32>
  %v_weight = shard.shard %wv to %heads annotate_for_users : tensor<4x8x3xf32>
  %o_weight = shard.shard %wo to %heads annotate_for_users : tensor<4x3x8xf32>
  %up_part = shard.shard %up to %columns annotate_for_users : tensor<8x16xf32>
  %down_part = shard.shard %down to %heads annotate_for_users : tensor<16x8xf32>

  %e0 = tensor.empty() : tensor<4x6x3xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x6x3xf32>) -> tensor<4x6x3xf32>
  %q = linalg.contract indexing_maps = [#x, #w, #q] ins(%x, %q_weight : tensor<6x8xf32>, tensor<4x8x3xf32>) outs(%f0 : tensor<4x6x3xf32>) -> tensor<4x6x3xf32>
  %k = linalg.contract indexing_maps = [#x, #w, #q] ins(%x, %k_weight : tensor<6x8xf32>, tensor<4x8x3xf32>) outs(%f0 : tensor<4x6x3xf32>) -> tensor<4x6x3xf32>
  %v = linalg.contract indexing_maps = [#x, #w, #q] ins(%x, %v_weight : tensor<6x8xf32>, tensor<4x8x3xf32>) outs(%f0 : tensor<4x6x3xf32>) -> tensor<4x6x3xf32>
  %e1 = tensor.empty() : tensor<4x6x6xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %scores = linalg.contract indexing_maps = [#qk, #kk, #score] ins(%q, %k : tensor<4x6x3xf32>, tensor<4x6x3xf32>) outs(%f1 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %weights = mica.softmax %scores axis = 2 : tensor<4x6x6xf32>
  %mixed = linalg.contract indexing_maps = [#p, #v, #o] ins(%weights, %v : tensor<4x6x6xf32>, tensor<4x6x3xf32>) outs(%f0 : tensor<4x6x3xf32>) -> tensor<4x6x3xf32>
  %e2 = tensor.empty() : tensor<6x8xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %attended = linalg.contract indexing_maps = [#oh, #wo, #y] ins(%mixed, %o_weight : tensor<4x6x3xf32>, tensor<4x3x8xf32>) outs(%f2 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %residual = mica.add %x, %attended : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %hidden = mica.matmul %residual, %up_part : (tensor<6x8xf32>, tensor<8x16xf32>) -> tensor<6x16xf32>
  %active = mica.relu %hidden : tensor<6x16xf32>
  %out = mica.matmul %active, %down_part : (tensor<6x16xf32>, tensor<16x8xf32>) -> tensor<6x8xf32>
  %sum = mica.add %residual, %out : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  return %sum : tensor<6x8xf32>
}
