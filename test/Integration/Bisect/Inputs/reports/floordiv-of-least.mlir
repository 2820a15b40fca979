// Mended.
// VERDICT: same
// PIPELINE: --arith-expand --convert-arith-to-llvm --convert-vector-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
"builtin.module"() ({
  "func.func"() ({
    "func.call"() {callee=@func0} : () -> ()
    "func.return"() : () -> ()
  }) {sym_name="main", function_type=() -> ()} : () -> ()
  "func.func"() ({
    %nMaxInt, %n1 = "func.call"() {callee=@func1} : () -> (i64, i64)
    vector.print %nMaxInt : i64
    vector.print %n1 : i64
    %BUG = "arith.floordivsi"(%nMaxInt, %n1) : (i64, i64) -> (i64)
    vector.print %BUG : i64
    "func.return"() : () -> ()
  }) {sym_name="func0", function_type=() -> ()} : () -> ()
  "func.func"() ({
    %nMaxInt = arith.constant -9223372036854775807 : i64
    %n1 = arith.constant -1 : i64
    "func.return"(%nMaxInt, %n1) : (i64, i64) -> ()
  }) {sym_name="func1", function_type=() -> (i64, i64)} : () -> ()
}) : () -> ()
