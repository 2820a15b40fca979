// What upstream's convert-scf-to-cf makes, block by block.
// RUN: mica-opt %s --mica-codegen-convert-scf-to-cf > %t.ours
// RUN: mica-opt %s --convert-scf-to-cf > %t.upstream
// RUN: diff %t.ours %t.upstream
// RUN: FileCheck %s --input-file=%t.ours

// CHECK-LABEL: @in_order
// CHECK-COUNT-3: cf.cond_br
// CHECK: cf.switch
// CHECK-NOT: scf.
func.func @in_order(%c: i1, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %c -> (f32) {
    %e = math.exp %x : f32
    scf.yield %e : f32
  } else {
    scf.yield %x : f32
  }
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (f32) {
    %y = scf.if %c -> (f32) {
      %s = arith.addf %a, %x : f32
      scf.yield %s : f32
    } else {
      scf.yield %a : f32
    }
    scf.yield %y : f32
  }
  %2 = scf.while (%a = %1) : (f32) -> f32 {
    %more = arith.cmpf olt, %a, %x : f32
    scf.condition(%more) %a : f32
  } do {
  ^bb0(%a: f32):
    %t = arith.mulf %a, %a : f32
    scf.yield %t : f32
  }
  %3 = scf.index_switch %n -> f32
  case 2 {
    scf.yield %2 : f32
  }
  default {
    scf.yield %x : f32
  }
  return %3 : f32
}
func.func @parallel(%n: index, %m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %x, %m[%i] : memref<?xf32>
    scf.reduce
  }
  scf.forall (%i) in (%n) {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  return
}

// The body of a parallel loop becomes blocks after the loop has become sequential ones.
// CHECK-LABEL: @branches_in_parallel
// CHECK-NOT: scf.
func.func @branches_in_parallel(%n: index, %m: memref<?xf32>, %c: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    scf.if %c {
      memref.store %x, %m[%i] : memref<?xf32>
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.if %c {
      scf.parallel (%j) = (%i) to (%n) step (%c1) {
        memref.store %x, %m[%j] : memref<?xf32>
        scf.reduce
      }
    }
    scf.reduce
  }
  return
}
