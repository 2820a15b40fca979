// Branches between blocks, while loops and switches, with prints and stores on the way.
// RUN: %python %S/same_text.py mica-run %s | FileCheck %s

func.func private @printI64(i64)
func.func private @printU64(i64)
func.func private @printF64(f64)
func.func private @printComma()
func.func private @printNewline()

// The steps to 1 of the Collatz sequence, with branches.
func.func @steps(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  cf.br ^head(%n, %c0 : i64, i64)
^head(%x: i64, %count: i64):
  %done = arith.cmpi eq, %x, %c1 : i64
  cf.cond_br %done, ^exit(%count : i64), ^body
^body:
  %bit = arith.andi %x, %c1 : i64
  %odd = arith.cmpi eq, %bit, %c1 : i64
  %next = arith.addi %count, %c1 : i64
  cf.cond_br %odd, ^up, ^down
^up:
  %three = arith.muli %x, %c3 : i64
  %more = arith.addi %three, %c1 : i64
  cf.br ^head(%more, %next : i64, i64)
^down:
  %half = arith.divsi %x, %c2 : i64
  cf.br ^head(%half, %next : i64, i64)
^exit(%result: i64):
  return %result : i64
}

func.func @main() {
  // CHECK: {{^}}0, 1, 7, 2, 5, 8, 16, 3, {{$}}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c1 to %c9 step %c1 {
    %n = arith.index_cast %i : index to i64
    %s = func.call @steps(%n) : (i64) -> i64
    func.call @printI64(%s) : (i64) -> ()
    func.call @printComma() : () -> ()
  }
  call @printNewline() : () -> ()

  // A while loop that halves what is in a buffer and prints it.
  // CHECK-NEXT: {{^}}4{{$}}
  // CHECK-NEXT: {{^}}2{{$}}
  // CHECK-NEXT: {{^}}1{{$}}
  // CHECK-NEXT: {{^}}0.5{{$}}
  %m = memref.alloc() : memref<f64>
  %four = arith.constant 4.0 : f64
  %one = arith.constant 1.0 : f64
  %h = arith.constant 0.5 : f64
  memref.store %four, %m[] : memref<f64>
  scf.while : () -> () {
    %x = memref.load %m[] : memref<f64>
    func.call @printF64(%x) : (f64) -> ()
    func.call @printNewline() : () -> ()
    %go = arith.cmpf oge, %x, %one : f64
    scf.condition(%go)
  } do {
    %x = memref.load %m[] : memref<f64>
    %y = arith.mulf %x, %h : f64
    memref.store %y, %m[] : memref<f64>
    scf.yield
  }

  // CHECK-NEXT: {{^}}10{{$}}
  // CHECK-NEXT: {{^}}20{{$}}
  // CHECK-NEXT: {{^}}18446744073709551615{{$}}
  %ten = arith.constant 10 : i64
  %twenty = arith.constant 20 : i64
  %minus = arith.constant -1 : i64
  scf.for %i = %c0 to %c3 step %c1 {
    %v = scf.index_switch %i -> i64
    case 0 {
      scf.yield %ten : i64
    }
    case 1 {
      scf.yield %twenty : i64
    }
    default {
      scf.yield %minus : i64
    }
    func.call @printU64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
