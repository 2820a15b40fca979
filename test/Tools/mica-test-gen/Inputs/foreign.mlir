func.func @f(%a: i32) -> i32 {
  %c = arith.constant 0 : i32
  %s = arith.addi %a, %c : i32
  %o = "other.op"(%s) {size = 3} : (i32) -> i32
  %u = "other.second"(%o) : (i32) -> i32
  return %u : i32
}
