func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mica.cumsum %a axis = 0 : tensor<?xf32>
  return %0 : tensor<?xf32>
}
