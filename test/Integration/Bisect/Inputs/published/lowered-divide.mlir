// A function of the LLVM dialect, without a pipeline.
// VERDICT: undefined behavior in the program llvm.sdiv
// FLAGS: --input=3 --input=0
llvm.func @f(%a: i32, %b: i32) -> i32 {
  %1 = llvm.sdiv %a, %b : i32
  llvm.return %1 : i32
}
