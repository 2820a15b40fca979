// A function of the LLVM dialect, without a pipeline.
// VERDICT: same
// FLAGS: --input=3 --input=4
llvm.func @f(%a: i32, %b: i32) -> i32 {
  %0 = llvm.mul %a, %b : i32
  %1 = llvm.sdiv %0, %b : i32
  llvm.return %1 : i32
}
