// A value of a pass-through argument is taken for a constant after constant branches.
// VERDICT: miscompile int-range-optimizations
// PIPELINE: --int-range-optimizations --convert-arith-to-llvm --convert-vector-to-llvm --convert-cf-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
module {
  func.func @main() {
    %false = arith.constant false
    %c8_i32 = arith.constant 8 : i32
    %20 = arith.trunci %c8_i32 : i32 to i6
    %35 = arith.constant 35 : i63
    %36 = arith.constant 36 : i64
    %sum_2, %overflow_3 = arith.addui_extended %false, %false : i1, i1
    cf.cond_br %false, ^bb1, ^bb2
  ^bb1:
    cf.br ^bb3(%35, %36, %20 : i63, i64, i6)
  ^bb2:
    %c4_i64 = arith.constant 4 : i64
    cf.br ^bb3(%35, %c4_i64, %20 : i63, i64, i6)
  ^bb3(%73: i63, %74: i64, %75: i6):
    cf.br ^bb4
  ^bb4:
    cf.cond_br %sum_2, ^bb5, ^bb6
  ^bb5:
    %c-7668919674129928000_i64 = arith.constant -7668919674129928000 : i64
    cf.br ^bb7(%c-7668919674129928000_i64 : i64)
  ^bb6:
    %c52_i64 = arith.constant 52 : i64
    cf.br ^bb7(%c52_i64 : i64)
  ^bb7(%76: i64):
    cf.br ^bb8
  ^bb8:
    vector.print str "%266="
    vector.print %76 : i64
    return
  }
}
