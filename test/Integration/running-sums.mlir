// RUN: mica-run %s --input=random:1 --input=random:2 --check-reference
// RUN: mica-run %s --input=random:1 --input=random:2 --check-reference --target=sim
// RUN: mica-run %s --input=random:1 --input=random:2 --check-reference -O0

// A sum that goes on from another one, both of which are results.
#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<8x6xi32>, %y: tensor<8x6xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %a = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x6xi32>) outs(%f : tensor<8xi32>) {
  ^bb0(%i: i32, %o: i32):
    %s = arith.addi %i, %o : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %b = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<8x6xi32>) outs(%a : tensor<8xi32>) {
  ^bb0(%i: i32, %o: i32):
    %s = arith.addi %i, %o : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  return %a, %b : tensor<8xi32>, tensor<8xi32>
}
