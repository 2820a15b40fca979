// PIPELINE: --arith-emulate-wide-int=widest-int-supported=32 --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
memref.global "private" @g : memref<3xi64> = dense<[5000000000, -3, 100]>
func.func @f(%a: i64, %b: i64) -> i64 {
  %m = arith.muli %a, %b : i64
  %k = arith.constant 9 : i64
  %s = arith.shrsi %m, %k : i64
  %t = arith.maxsi %s, %b : i64
  return %t : i64
}
func.func @main() -> i32 {
  %a = arith.constant 5000000000 : i64
  %b = arith.constant -3 : i64
  %r = call @f(%a, %b) : (i64, i64) -> i64
  %t = arith.trunci %r : i64 to i32
  return %t : i32
}
