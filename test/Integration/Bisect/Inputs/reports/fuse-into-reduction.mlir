// The fill is fused into the loop of the reduction.
// VERDICT: miscompile transform-interpreter
// PIPELINE: builtin.module(transform-interpreter)
module attributes {transform.with_named_sequence} {
  func.func @gemm(%a: tensor<8x12xf32>, %b: tensor<12x6xf32>) -> tensor<8x6xf32> {
    %cst = arith.constant 0.0 : f32
    %init = tensor.empty() : tensor<8x6xf32>
    %fill = linalg.fill ins(%cst : f32) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
    %gemm = linalg.matmul ins(%a, %b : tensor<8x12xf32>, tensor<12x6xf32>) outs(%fill : tensor<8x6xf32>) -> tensor<8x6xf32>
    return %gemm : tensor<8x6xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l:3 = transform.structured.fuse %0 tile_sizes [4, 3, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
