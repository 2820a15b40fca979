// Two ops read a window's sums and not one another; the kernel's loop can hold one of them.
// run {"entry": "p", "inputs": ["2x4x5x5xf64=random:628"], "error": [1e-14, 1e-14]}
func.func @p(%a: tensor<2x?x5x?xf64>) -> (tensor<2x?x4x?xf64>, tensor<2x?x4x?xf64>) {
  %0 = mica.avg_pool %a layout = nchw kernel = [3, 1] strides = [1, 1] pads = [0, 1, 0, 0] : (tensor<2x?x5x?xf64>) -> tensor<2x?x4x?xf64>
  %1 = arith.minimumf %0, %0 : tensor<2x?x4x?xf64>
  %2 = math.atan %0 : tensor<2x?x4x?xf64>
  %3 = math.erf %2 : tensor<2x?x4x?xf64>
  return %1, %3 : tensor<2x?x4x?xf64>, tensor<2x?x4x?xf64>
}
