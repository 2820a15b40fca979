// pipeline: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,linalg-generalize-named-ops,linalg-fuse-elementwise-ops),one-shot-bufferize{bufferize-function-boundaries},func.func(buffer-loop-hoisting,convert-linalg-to-loops,canonicalize{max-iterations=3 top-down=false},convert-scf-to-cf),expand-strided-metadata,convert-to-llvm,reconcile-unrealized-casts)
func.func @layer(%x: tensor<4x8xf32>, %w: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %b = arith.constant dense_resource<bias> : tensor<3xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %m = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x3xf32>) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<4x3xf32>) dimensions = [0]
  %s = tosa.add %m, %r : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %s : tensor<4x3xf32>
}
{-#
  dialect_resources: { builtin: { bias: "0x400000000000803F0000004000004040" } }
#-}
