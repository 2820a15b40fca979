// pipeline: builtin.module(func.func(canonicalize,cse),inline,func.func(sccp,canonicalize),symbol-dce,any(cse))
func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  %1 = call @g(%0) : (i32) -> i32
  %2 = call @h(%1) : (i32) -> i32
  return %2 : i32
}
func.func private @g(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  %1 = arith.muli %x, %x : i32
  %2 = arith.subi %0, %1 : i32
  return %2 : i32
}
func.func private @h(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.addi %x, %c1 : i32
  %1 = arith.addi %0, %c2 : i32
  return %1 : i32
}
