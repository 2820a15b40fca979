// Masks of more lanes than an i32 counts: all lanes are on. Upstream's default (force-32bit-vector-indices) takes 2^32 for 0.
// RUN: mica-run %s --entry=copied --input=16xf32=2 --input=16xf32=1 --input=4294967296 --check-reference | FileCheck %s
// RUN: mica-run %s --entry=copied --input=16xf32=2 --input=16xf32=1 --input=9223372036854775807 --check-reference | FileCheck %s
// RUN: mica-run %s --entry=copied --input=16xf32=2 --input=16xf32=1 --input=4294967296 --target=sim --check-reference | FileCheck %s
// RUN: rm -rf %t && mica-compile %s --plain -o %t && mica-run %t --entry=copied --input=16xf32=2 --input=16xf32=1 --input=4294967296 | FileCheck %s --check-prefix=PLAIN
// RUN: mica-run %t --entry=printed --input=4294967296 | FileCheck %s --check-prefix=PRINTED
// RUN: mica-run %s --entry=printed --input=4294967296 | FileCheck %s --check-prefix=PRINTED
// CHECK: reference: result 0 (16xf32): same
// PLAIN: [4. 4. 4. 4. 4. 4. 4. 4. 4. 4. 4. 4. 4. 4. 4. 4.]
// PRINTED: ( 1, 1, 1, 1, 1 )
func.func @copied(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c8 {
    %left = arith.subi %n, %i : index
    %m = vector.create_mask %left : vector<8xi1>
    %v = vector.transfer_read %x[%i], %z, %m {in_bounds = [true]} : memref<16xf32>, vector<8xf32>
    %w = arith.addf %v, %v : vector<8xf32>
    vector.transfer_write %w, %y[%i], %m {in_bounds = [true]} : vector<8xf32>, memref<16xf32>
  }
  return
}
func.func @printed(%n: index) {
  %m = vector.create_mask %n : vector<5xi1>
  vector.print %m : vector<5xi1>
  return
}
