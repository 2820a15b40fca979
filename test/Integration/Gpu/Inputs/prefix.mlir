func.func @sums(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = mica.cumsum %a axis = 0 exclusive reverse : tensor<?xf32>
  return %r : tensor<?xf32>
}
