// Named and generic ops on tensors, in functions that call each other; results are printed as buffers.
// RUN: %python %S/same_text.py mica-run %s | FileCheck %s

func.func private @printMemrefF32(tensor<*xf32>)

func.func private @product(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func private @twice(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<2x2xf32>, f32) {
  %0 = call @product(%a, %b) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %1 = linalg.add ins(%0, %0 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %c1 = arith.constant 1 : index
  %corner = tensor.extract %1[%c1, %c1] : tensor<2x2xf32>
  return %1, %corner : tensor<2x2xf32>, f32
}

// CHECK: rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data =
// CHECK-NEXT: {{\[}}[8,   20],
// CHECK-NEXT: [26,   56]]
// CHECK-NEXT: {{^}}56{{$}}
// CHECK-NEXT: ( ( 1, 3 ), ( 2, 4 ) )
func.func @main() {
  %a = arith.constant dense<[[1.0, 2.0, -1.0], [4.0, 5.0, 0.0]]> : tensor<2x3xf32>
  %b = arith.constant dense<[[2.0, 4.0], [1.0, 2.4], [0.0, -1.2]]> : tensor<3x2xf32>
  %r:2 = call @twice(%a, %b) : (tensor<2x3xf32>, tensor<3x2xf32>) -> (tensor<2x2xf32>, f32)
  %u = tensor.cast %r#0 : tensor<2x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  vector.print %r#1 : f32
  %v = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %t = vector.transpose %v, [1, 0] : vector<2x2xi32> to vector<2x2xi32>
  vector.print %t : vector<2x2xi32>
  return
}
