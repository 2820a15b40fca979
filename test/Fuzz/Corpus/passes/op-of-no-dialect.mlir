// PIPELINE: mica-phase-tensor{l2-bytes=16} ; mica-reference-lowering{emulated-floats=safe}
module {
  func.func @f(%arg0: i32) -> i32 {
    %c-1_i32 = arith.constant -1 : i32
    %0 = arith.addi %arg0, %c-1_i32 : i32
    %1 = "other.op"(%0) {size = 3 : i64} : (i32) -> i32
    %2 = "other.second"(%1) : (i32) -> i32
    return %2 : i32
  }
}