func.func @main() {
  // cholesky
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %c = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  check.expect_almost_eq_const %c, dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %cu = stablehlo.cholesky %a, lower = false : tensor<3x3xf32>
  check.expect_almost_eq_const %cu, dense<[[1.0, 2.0, 3.0], [0.0, 4.0, 5.0], [0.0, 0.0, 6.0]]> : tensor<3x3xf32>
  %ta = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %tb = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf32>
  %t = "stablehlo.triangular_solve"(%ta, %tb) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_almost_eq_const %t, dense<[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>
  %f = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %ff = stablehlo.fft %f, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_eq_const %ff, dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>
  %d = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<f64>
  %bc = stablehlo.bitcast_convert %d : (tensor<f64>) -> tensor<4xf16>
  check.expect_eq_const %bc, dense<[0xCDEF, 0x89AB, 0x4567, 0x0123]> : tensor<4xf16>
  %bk = stablehlo.bitcast_convert %bc : (tensor<4xf16>) -> tensor<f64>
  check.expect_eq %d, %bk : tensor<f64>
  %rp = stablehlo.constant dense<[0x7F800000, 0x7FFFFFFF, 0.1, 65519.0, 65520.0]> : tensor<5xf32>
  %rr = stablehlo.reduce_precision %rp, format = e5m10 : tensor<5xf32>
  check.expect_eq_const %rr, dense<[0x7F800000, 0x7FFFFFFF, 0.0999755859375, 65504.0, 0x7F800000]> : tensor<5xf32>
  %tx = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -0.0, 0.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  %ty = stablehlo.slice %tx [1:6] : (tensor<6xf32>) -> tensor<5xf32>
  %tz = stablehlo.slice %tx [0:5] : (tensor<6xf32>) -> tensor<5xf32>
  %tl = stablehlo.compare LT, %tz, %ty, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %tl, dense<true> : tensor<5xi1>
  %u8 = stablehlo.constant dense<[1, 128, 255]> : tensor<3xui8>
  %uf = stablehlo.convert %u8 : (tensor<3xui8>) -> tensor<3xf32>
  check.expect_eq_const %uf, dense<[1.0, 128.0, 255.0]> : tensor<3xf32>
  %uu = stablehlo.convert %uf : (tensor<3xf32>) -> tensor<3xui8>
  check.expect_eq %u8, %uu : tensor<3xui8>
  %two = stablehlo.constant dense<2> : tensor<3xui8>
  %ud = stablehlo.divide %u8, %two : tensor<3xui8>
  check.expect_eq_const %ud, dense<[0, 64, 127]> : tensor<3xui8>
  %up = stablehlo.power %u8, %two : tensor<3xui8>
  check.expect_eq_const %up, dense<[1, 0, 1]> : tensor<3xui8>
  %di = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %io = stablehlo.dynamic_iota %di, dim = 0 : (tensor<2xi64>) -> tensor<4x5xi64>
  check.expect_eq_const %io, dense<[[0,0,0,0,0],[1,1,1,1,1],[2,2,2,2,2],[3,3,3,3,3]]> : tensor<4x5xi64>
  %gs = stablehlo.get_dimension_size %io, dim = 1 : (tensor<4x5xi64>) -> tensor<i32>
  check.expect_eq_const %gs, dense<5> : tensor<i32>
  return
}
