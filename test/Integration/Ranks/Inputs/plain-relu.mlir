func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = mica.relu %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
