// An operation on complex numbers is named as it is written, whatever it became, and an imaginary part by its argument.
// REQUIRES: compiler
// RUN: not mica-run %s --no-cache --mica-debug=nan-check --input='4xcomplex<f32>=0' 2>&1 | FileCheck %s
// RUN: mica-run %s --no-cache --mica-debug=nan-check --input='4xcomplex<f32>=1'
func.func @f(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %q = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %o: complex<f32>):
    // CHECK: NaN/Inf: complex.div of linalg.generic [{{.*}}] at complex-origin.mlir:[[#@LINE+1]]:10 gives nan, {{.*}}, at element [0] of %q;
    %d = complex.div %x, %x : complex<f32>
    // CHECK-SAME: operands there: %a: 0, %a (imaginary part): 0;
    linalg.yield %d : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %q : tensor<4xcomplex<f32>>
}
