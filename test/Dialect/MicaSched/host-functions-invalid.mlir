// RUN: mica-opt %s --split-input-file --verify-diagnostics -o /dev/null

mica_sched.host_functions [] {
  // expected-error @+1 {{(C1) of host_functions: only ops of the LLVM dialect are allowed}}
  func.func private @f()
}

// -----

// expected-error @+1 {{(C2) 'entries' has "f"; expected [name, function type, attributes of arguments, attributes of results]}}
mica_sched.host_functions ["f"] {
  llvm.func @mica_entry_f()
}

// -----

// expected-error @+1 {{(C2) has no function 'mica_entry_f'}}
mica_sched.host_functions [["f", () -> (), [], []]] {
  llvm.func @mica_entry_g()
}
