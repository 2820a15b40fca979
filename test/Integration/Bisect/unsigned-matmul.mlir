// A report of others that is undefined behavior: a matmul with cast_unsigned of negative floats, which two lowerings to loops
// convert to other numbers.
// RUN: not mica-bisect %s --no-report --pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries=true},func.func(convert-linalg-to-loops))' | FileCheck %s

// CHECK: verdict: undefined behavior in the program: -6.5 converted to an integer of 32 bits at {{.*}}unsigned-matmul.mlir:[[# @LINE + 6]]:8
func.func private @printMemrefI32(tensor<*xi32>)
func.func @main() {
  %a = arith.constant dense<-6.5> : tensor<4x3xf16>
  %b = arith.constant dense<11.25> : tensor<3x5xf64>
  %c = arith.constant dense<22> : tensor<4x5xi32>
  %d = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x3xf16>, tensor<3x5xf64>) outs(%c : tensor<4x5xi32>) -> tensor<4x5xi32>
  %e = tensor.cast %d : tensor<4x5xi32> to tensor<*xi32>
  call @printMemrefI32(%e) : (tensor<*xi32>) -> ()
  return
}
