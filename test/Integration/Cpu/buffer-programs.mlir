// Programs on buffers with a main that prints: the text is upstream's.
// RUN: mica-run %s --entry=main --no-cache 2>/dev/null | FileCheck %s
// RUN: mica-run %s --entry=main --no-cache -O0 2>/dev/null | FileCheck %s
// RUN: mica-run %s --entry=accumulate --no-cache --input=2xf32=1,2 2>/dev/null | FileCheck %s --check-prefix=STORED
// RUN: mica-run %s --entry=accumulate --no-cache --input=2xf32=1,2 --repeat=3 --in-place --run-dir=%t.runs 2>/dev/null | FileCheck %s --check-prefix=STORED

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI8(memref<*xi8>) attributes {llvm.emit_c_interface}
func.func private @printMemrefBF16(memref<*xbf16>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF16(memref<*xf16>) attributes {llvm.emit_c_interface}
func.func private @verifyMemRefF32(memref<*xf32>, memref<*xf32>) -> i64 attributes {llvm.emit_c_interface}
func.func private @printI64(i64)
func.func private @rtclock() -> f64
memref.global "private" constant @start : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>

// STORED: result 0 (argument 0, which the program stores to): 2xf32
// STORED-NEXT: [2. 4.]
func.func @accumulate(%m: memref<2xf32>) {
  linalg.add ins(%m, %m : memref<2xf32>, memref<2xf32>) outs(%m : memref<2xf32>)
  return
}

func.func private @scale(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %by: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %m, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %columns = memref.dim %m, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to %columns {
      %0 = affine.load %m[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %1 = arith.mulf %0, %by : f32
      affine.store %1, %m[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    }
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %begin = call @rtclock() : () -> f64
  %start = memref.get_global @start : memref<2x3xf32>
  %a = memref.alloc() : memref<2x3xf32>
  memref.copy %start, %a : memref<2x3xf32> to memref<2x3xf32>
  %columns = memref.subview %a[0, 1] [2, 2] [1, 1] : memref<2x3xf32> to memref<2x2xf32, strided<[3, 1], offset: 1>>
  %dynamic = memref.cast %columns : memref<2x2xf32, strided<[3, 1], offset: 1>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  call @scale(%dynamic, %two) : (memref<?x?xf32, strided<[?, ?], offset: ?>>, f32) -> ()

  // A whole buffer, then a view of it with its own offset and strides.
  // CHECK: Unranked Memref base@ = 0x{{[0-9a-f]+}} rank = 2 offset = 0 sizes = [2, 3] strides = [3, 1] data = {{$}}
  // CHECK-NEXT: {{^\[\[}}1,   4,   6], {{$}}
  // CHECK-NEXT: {{^}} [4,   10,   12]]{{$}}
  %u = memref.cast %a : memref<2x3xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  // CHECK-NEXT: Unranked Memref base@ = 0x{{[0-9a-f]+}} rank = 2 offset = 1 sizes = [2, 2] strides = [3, 1] data =
  // CHECK-NEXT: {{^\[\[}}4,   6], {{$}}
  // CHECK-NEXT: {{^}} [10,   12]]{{$}}
  %v = memref.cast %columns : memref<2x2xf32, strided<[3, 1], offset: 1>> to memref<*xf32>
  call @printMemrefF32(%v) : (memref<*xf32>) -> ()

  // Prints in loops come in order, with what is stored between them.
  // CHECK-NEXT: {{^}}1{{$}}
  // CHECK-NEXT: {{^}}8{{$}}
  // CHECK-NEXT: {{^}}( 8, 4, 6 ){{$}}
  scf.for %i = %c0 to %c2 step %c1 {
    %x = memref.load %a[%c0, %c0] : memref<2x3xf32>
    vector.print %x : f32
    %y = memref.load %a[%c0, %c1] : memref<2x3xf32>
    %z = arith.mulf %y, %two : f32
    memref.store %z, %a[%c0, %c0] : memref<2x3xf32>
    memref.store %y, %a[%c0, %c1] : memref<2x3xf32>
  }
  %row = vector.transfer_read %a[%c0, %c0], %zero : memref<2x3xf32>, vector<3xf32>
  vector.print %row : vector<3xf32>

  // CHECK-NEXT: {{.*}} rank = 0 offset = 0 sizes = [] strides = [] data =
  // CHECK-NEXT: {{^}}[1.5]{{$}}
  // CHECK-NEXT: {{.*}} sizes = [2] strides = [1] data =
  // CHECK-NEXT: {{^}}[0.333984,  0.333984]{{$}}
  // CHECK-NEXT: {{.*}} sizes = [3] strides = [1] data =
  // CHECK-NEXT: {{^}}[A,  A,  A]{{$}}
  %half = arith.constant 1.5 : f16
  %h = memref.alloc() : memref<f16>
  memref.store %half, %h[] : memref<f16>
  %hu = memref.cast %h : memref<f16> to memref<*xf16>
  call @printMemrefF16(%hu) : (memref<*xf16>) -> ()
  %third = arith.constant 0.333984375 : bf16
  %b = memref.alloc() : memref<2xbf16>
  linalg.fill ins(%third : bf16) outs(%b : memref<2xbf16>)
  %bu = memref.cast %b : memref<2xbf16> to memref<*xbf16>
  call @printMemrefBF16(%bu) : (memref<*xbf16>) -> ()
  %letter = arith.constant 65 : i8
  %s = memref.alloc() : memref<3xi8>
  linalg.fill ins(%letter : i8) outs(%s : memref<3xi8>)
  %su = memref.cast %s : memref<3xi8> to memref<*xi8>
  call @printMemrefI8(%su) : (memref<*xi8>) -> ()

  // CHECK-NEXT: {{^}}01{{$}}
  %equal = call @verifyMemRefF32(%u, %u) : (memref<*xf32>, memref<*xf32>) -> i64
  call @printI64(%equal) : (i64) -> ()
  %end = call @rtclock() : () -> f64
  %later = arith.cmpf oge, %end, %begin : f64
  vector.print %later : i1
  return
}
