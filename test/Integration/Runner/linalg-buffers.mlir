// Structured ops on buffers and on views of them, one of them dynamic; parallel loops.
// RUN: %python %S/same_text.py mica-run %s | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefInd(memref<*xindex>) attributes {llvm.emit_c_interface}

func.func @filled(%n: index, %f: f32) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<?xf32>)
  return %m : memref<?xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %f1 = arith.constant 1.0 : f32
  %f4 = arith.constant 4.0 : f32
  // CHECK: rank = 1 offset = 0 sizes = [6] strides = [1] data =
  // CHECK-NEXT: {{^}}[12,  28,  28,  28,  12,  12]{{$}}
  %in = call @filled(%c8, %f4) : (index, f32) -> memref<?xf32>
  %kernel = call @filled(%c2, %f1) : (index, f32) -> memref<?xf32>
  %out = call @filled(%c6, %f4) : (index, f32) -> memref<?xf32>
  %ten = arith.constant 20.0 : f32
  memref.store %ten, %in[%c2] : memref<?xf32>
  linalg.conv_1d ins(%in, %kernel : memref<?xf32>, memref<?xf32>) outs(%out : memref<?xf32>)
  %third = arith.constant 3 : index
  %x = memref.load %out[%c1] : memref<?xf32>
  memref.store %x, %out[%third] : memref<?xf32>
  %u = memref.cast %out : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()

  // CHECK: rank = 2 offset = 0 sizes = [4, 4] strides = [4, 1] data =
  // CHECK-NEXT: {{\[}}[0,   0,   0,   0],
  // CHECK-NEXT: [0,   5,   6,   0],
  // CHECK-NEXT: [0,   9,   10,   0],
  // CHECK-NEXT: [0,   0,   0,   0]]
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<4x4xi32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%a : memref<4x4xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %j)
    %v = arith.index_cast %s : index to i32
    linalg.yield %v : i32
  }
  %b = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%zero : i32) outs(%b : memref<4x4xi32>)
  %sub = memref.subview %a[1, 1] [2, 2] [1, 1] : memref<4x4xi32> to memref<2x2xi32, strided<[4, 1], offset: 5>>
  %into = memref.subview %b[1, 1] [2, 2] [1, 1] : memref<4x4xi32> to memref<2x2xi32, strided<[4, 1], offset: 5>>
  linalg.copy ins(%sub : memref<2x2xi32, strided<[4, 1], offset: 5>>) outs(%into : memref<2x2xi32, strided<[4, 1], offset: 5>>)
  %ub = memref.cast %b : memref<4x4xi32> to memref<*xi32>
  call @printMemrefI32(%ub) : (memref<*xi32>) -> ()

  // CHECK: rank = 1 offset = 0 sizes = [6] strides = [1] data =
  // CHECK-NEXT: {{^}}[0,  2,  4,  6,  8,  10]{{$}}
  %p = memref.alloc(%c6) : memref<?xindex>
  scf.parallel (%i) = (%c0) to (%c6) step (%c1) {
    %d = arith.addi %i, %i : index
    memref.store %d, %p[%i] : memref<?xindex>
    scf.reduce
  }
  %up = memref.cast %p : memref<?xindex> to memref<*xindex>
  call @printMemrefInd(%up) : (memref<*xindex>) -> ()
  // CHECK-NEXT: {{.*}} rank = 2 offset = 0 sizes = [3, 2] strides = [2, 1] data =
  // CHECK-NEXT: {{\[}}[0,   2],
  // CHECK-NEXT: [4,   6],
  // CHECK-NEXT: [8,   10]]
  %cols = memref.reinterpret_cast %p to offset: [0], sizes: [3, 2], strides: [2, 1] : memref<?xindex> to memref<3x2xindex>
  %ucols = memref.cast %cols : memref<3x2xindex> to memref<*xindex>
  call @printMemrefInd(%ucols) : (memref<*xindex>) -> ()
  memref.dealloc %in : memref<?xf32>
  return
}
