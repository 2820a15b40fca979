// Vectors in registers and in buffers: transfers with padding, masks, contractions, reductions, shuffles.
// RUN: %python %S/same_text.py mica-run %s | FileCheck %s

#row = affine_map<(d0, d1) -> (d1)>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant -42.0 : f32
  %m = memref.alloc() : memref<3x4xf32>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %s = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
      %int = arith.index_cast %s : index to i32
      %f = arith.sitofp %int : i32 to f32
      affine.store %f, %m[%i, %j] : memref<3x4xf32>
    }
  }
  // CHECK: ( ( 12, 13, -42 ), ( 22, 23, -42 ), ( -42, -42, -42 ) )
  %t = vector.transfer_read %m[%c1, %c2], %pad : memref<3x4xf32>, vector<3x3xf32>
  vector.print %t : vector<3x3xf32>
  // CHECK-NEXT: ( ( 10, 10, 10 ), ( 11, 11, 11 ) )
  %b = vector.transfer_read %m[%c1, %c0], %pad {permutation_map = affine_map<(d0, d1) -> (d1, 0)>, in_bounds = [true, true]} : memref<3x4xf32>, vector<2x3xf32>
  vector.print %b : vector<2x3xf32>
  // CHECK-NEXT: ( 20, 21, 0, 0 )
  %mask = vector.create_mask %c2 : vector<4xi1>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %k = vector.maskedload %m[%c2, %c0], %mask, %zero : memref<3x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %k : vector<4xf32>
  // CHECK-NEXT: {{^}}41{{$}}
  %sum = vector.reduction <add>, %k : vector<4xf32> into f32
  vector.print %sum : f32
  // CHECK-NEXT: ( 20, 0, 21, 0 )
  %shuffled = vector.shuffle %k, %zero [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  vector.print %shuffled : vector<4xf32>
  // CHECK-NEXT: ( ( 800, 0, 840, 0 ), ( 0, 0, 0, 0 ), ( 840, 0, 882, 0 ), ( 0, 0, 0, 0 ) )
  %double = arith.addf %shuffled, %shuffled : vector<4xf32>
  %outer = vector.outerproduct %shuffled, %double : vector<4xf32>, vector<4xf32>
  vector.print %outer : vector<4x4xf32>
  // What was stored through a view is in the whole.
  // CHECK-NEXT: ( 0, 1, 20, 21 )
  %view = memref.subview %m[0, 2] [3, 2] [1, 1] : memref<3x4xf32> to memref<3x2xf32, strided<[4, 1], offset: 2>>
  %half = vector.extract_strided_slice %k {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  vector.transfer_write %half, %view[%c0, %c0] {in_bounds = [true]} : vector<2xf32>, memref<3x2xf32, strided<[4, 1], offset: 2>>
  %first = vector.load %m[%c0, %c0] : memref<3x4xf32>, vector<4xf32>
  vector.print %first : vector<4xf32>
  // CHECK-NEXT: ( ( 2, 1 ), ( 4, 3 ) )
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf32>
  %swap = arith.constant dense<[[0.0, 1.0], [1.0, 0.0]]> : vector<2x2xf32>
  %none = arith.constant dense<0.0> : vector<2x2xf32>
  %product = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %x, %swap, %none : vector<2x2xf32>, vector<2x2xf32> into vector<2x2xf32>
  vector.print %product : vector<2x2xf32>
  // CHECK-NEXT: ( 1, 0, 1 )
  %bits = arith.constant dense<[1, 0, 1]> : vector<3xi1>
  vector.print %bits : vector<3xi1>
  // CHECK-NEXT: vector: ( 1, 2 ).
  vector.print str "vector: "
  %two = arith.constant dense<[1, 2]> : vector<2xi64>
  vector.print %two : vector<2xi64> punctuation <no_punctuation>
  vector.print str ".\n"
  return
}
