// Bodies of ops on tensors that print, which no kernel can: the text is that of stock tools.
// RUN: split-file %s %t
// RUN: %python %S/same_text.py mica-run %t/bodies.mlir | FileCheck %s

// Stock tools drop what never runs, here an op that cannot be lowered. A program may declare what vector.print calls, too.
// RUN: mica-run %t/never.mlir | FileCheck %s --check-prefix=NEVER
// NEVER: {{^}}1{{$}}
// RUN: mica-run %t/declared.mlir --input=2 | FileCheck %s --check-prefix=DECLARED
// DECLARED: {{^}}0{{$}}
// DECLARED-EMPTY:
// DECLARED-NEXT: {{^}}1{{$}}
// DECLARED-EMPTY:
// DECLARED-NEXT: result 0

// CHECK: {{^}}2{{$}}
// CHECK-NEXT: {{^}}4{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}1{{$}}
// CHECK-NEXT: {{^}}4{{$}}
// CHECK-NEXT: {{^}}( 0, 1, 4 ){{$}}
// CHECK-NEXT: {{^}}10{{$}}
// CHECK-NEXT: {{^}}11{{$}}
//--- bodies.mlir
#m = affine_map<(d0) -> (d0)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    vector.print %y : f32
    linalg.yield %y : f32
  } -> tensor<2xf32>
  %s = tensor.generate %c3 {
  ^bb0(%i: index):
    %p = arith.muli %i, %i : index
    vector.print %p : index
    tensor.yield %p : index
  } : tensor<?xindex>
  %v = vector.transfer_read %s[%c0], %c0 {in_bounds = [true]} : tensor<?xindex>, vector<3xindex>
  vector.print %v : vector<3xindex>
  %d = tensor.empty() : tensor<2xindex>
  %r = scf.forall (%i) in (2) shared_outs(%o = %d) -> tensor<2xindex> {
    %c10 = arith.constant 10 : index
    %p = arith.addi %i, %c10 : index
    vector.print %p : index
    %t = tensor.from_elements %p : tensor<1xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xindex> into tensor<2xindex>
    }
  }
  return
}
//--- never.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<1.0> : vector<4x3xf16>
  %acc = arith.constant dense<2.0> : vector<4xf16>
  scf.for %i = %c0 to %c0 step %c1 {
    %r = vector.multi_reduction <minsi>, %v, %acc [1] : vector<4x3xf16> to vector<4xf16>
    vector.print %r : vector<4xf16>
  }
  vector.print %c1 : index
  return
}
//--- declared.mlir
func.func private @printNewline()
func.func @f(%n: index) -> tensor<?xindex> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    vector.print %i : index
    func.call @printNewline() : () -> ()
    tensor.yield %i : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}
