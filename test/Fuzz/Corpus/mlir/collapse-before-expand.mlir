func.func @reshape_joins_and_splits(%x: tensor<?x5x4xf32>) -> tensor<2x?xf32> {
  %0 = mica.reshape %x : (tensor<?x5x4xf32>) -> tensor<?x20xf32>
  %1 = mica.reshape %0 : (tensor<?x20xf32>) -> tensor<?x4x5xf32>
  %2 = mica.reshape %1 : (tensor<?x4x5xf32>) -> tensor<2x?xf32>
  return %2 : tensor<2x?xf32>
}
