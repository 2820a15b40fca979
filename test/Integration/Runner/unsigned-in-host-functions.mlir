// Unsigned integers in a program that host functions run, because no kernel takes its op, as in kernels.
// RUN: mica-run %s --input=2xui8=230 2>&1 | FileCheck %s
// RUN: mica-compile %s --plain -o %t --force && mica-run %t --input=2xui8=230 2>&1 | FileCheck %s
// CHECK-NOT: Unhandled
// CHECK: result 0: 2xui8
// CHECK-NEXT: [230 230]
#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<2xui8>) -> tensor<2xui8> {
  %e = tensor.empty() : tensor<2xui8>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<2xui8>) outs(%e : tensor<2xui8>) {
  ^bb0(%i: ui8, %o: ui8):
    %y = complex.bitcast %i : ui8 to ui8
    linalg.yield %y : ui8
  } -> tensor<2xui8>
  return %r : tensor<2xui8>
}
