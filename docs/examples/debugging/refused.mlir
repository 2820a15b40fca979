func.func @plan_without_tiles(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = math.exp %o : tensor<64x128xf32>
  %0 = linalg.matmul {mica.contraction = {form = "outer"}} ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>)
    outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}
func.func @fine() { return }
