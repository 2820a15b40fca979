// One of four elements differs.
func.func @main() {
  %c = stablehlo.constant dense<100> : tensor<4xui8>
  check.expect_eq_const %c, dense<[100, 100, 101, 100]> : tensor<4xui8>
  return
}
