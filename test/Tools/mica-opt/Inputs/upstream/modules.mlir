// pipeline: builtin.module(builtin.module(canonicalize,func.func(cse)),canonicalize,builtin.module(builtin.module(canonicalize)),strip-debuginfo)
module {
  func.func @same_name(%x: i32) -> i32 {
    %c0 = arith.constant 0 : i32
    %0 = arith.addi %x, %c0 : i32
    return %0 : i32
  }
}
module {
  module {
    func.func @same_name(%x: i32) -> i32 {
      %0 = arith.subi %x, %x : i32
      return %0 : i32
    }
  }
  func.func @same_name(%x: i32) -> i32 {
    %0 = arith.muli %x, %x : i32
    %1 = arith.muli %x, %x : i32
    %2 = arith.addi %0, %1 : i32
    return %2 : i32
  }
}
