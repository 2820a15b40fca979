// PIPELINE: builtin.module(func.func(linalg-generalize-named-ops,linalg-block-pack-matmul{block-factors=2,2,2}),canonicalize,func.func(convert-linalg-to-loops))
// FLAGS: --entry=f
// VERDICT: same
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
