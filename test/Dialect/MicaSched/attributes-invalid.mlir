// RUN: mica-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{(A1) 'mica_sched.kernel' marks a module whose name has 1 to 80 characters of [a-z0-9_]}}
module @Upper attributes {mica_sched.kernel} {}

// -----

// expected-error @+1 {{(A1) 'mica_sched.kernel' marks a module}}
module attributes {mica_sched.kernel} {}

// -----

// expected-error @+1 {{(A1) 'mica_sched.kernel' marks a module}}
func.func private @f() attributes {mica_sched.kernel}

// -----

// expected-error @+1 {{carries 'mica_sched.root_kind', which belongs on a kernel}}
module @k attributes {mica_sched.root_kind = "matmul"} {}

// -----

// expected-error @+1 {{(A2) 'mica_sched.root_kind' must be a string, not empty}}
module @k attributes {mica_sched.kernel, mica_sched.root_kind = ""} {}

// -----

// expected-error @+1 {{(A3) 'mica_sched.op_ids' must be an array of strings of 12 hex digits}}
module @k attributes {mica_sched.kernel, mica_sched.op_ids = ["short"]} {}

// -----

// expected-error @+1 {{(A4) 'mica_sched.op_kinds' must hold one string per entry of 'mica_sched.op_ids'}}
module @k attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = []} {}

// -----

// expected-error @+1 {{(A5) 'mica_sched.hash' must be a string of hex digits}}
module @k attributes {mica_sched.kernel, mica_sched.hash = "xyz"} {}

// -----

// expected-error @+1 {{(A6) 'mica_sched.access' of argument 0 must be "read", "write" or "readwrite", got "both"}}
func.func private @f(memref<4xf32> {mica_sched.access = "both"})

// -----

// expected-error @+1 {{(A16) 'mica_sched.size' of argument 0 is a unit attribute of arguments of a function that are integers or indices}}
func.func private @f(memref<4xf32> {mica_sched.size})

// -----

// expected-error @+1 {{(A17) 'mica_sched.computed_positions' is a unit attribute of functions}}
func.func private @f() attributes {mica_sched.computed_positions = 1 : i64}

// -----

// expected-error @+1 {{(A7) 'mica_sched.grid' must be an i64 of at least 1, or -1}}
func.func private @f() attributes {mica_sched.grid = 0 : i64}

// -----

// expected-error @+1 {{(A8) 'mica_sched.scratch_bytes' must be an i64, not negative, got -1}}
func.func private @f() attributes {mica_sched.scratch_bytes = -1 : i64}

// -----

// expected-error @+1 {{(A9) 'mica_sched.strategy' must be a string}}
func.func private @f() attributes {mica_sched.strategy = 3}

// -----

// expected-error @+1 {{(A10) 'mica_sched.group' must be an i64, not negative, got "a"}}
func.func private @f() attributes {mica_sched.group = "a"}

// -----

func.func @return_in_a_group() {
  // expected-error @+1 {{(A10) 'mica_sched.group' on a terminator, which stays in its function}}
  return {mica_sched.group = 0 : i64}
}

// -----

// expected-error @+1 {{(A11) 'mica_sched.flops' must be an i64, not negative, got -1}}
module @k attributes {mica_sched.kernel, mica_sched.flops = -1 : i64} {}

// -----

// expected-error @+1 {{unknown attribute 'mica_sched.grids'}}
func.func private @f() attributes {mica_sched.grids = 3}

// -----

// expected-error @+1 {{unknown argument attribute 'mica_sched.acces'}}
func.func private @f(memref<4xf32> {mica_sched.acces = "read"})

// -----

// expected-error @+1 {{'mica_sched.entry' is a unit attribute of functions}}
module @k attributes {mica_sched.entry} {}

// -----

// expected-error @+1 {{carries 'mica_sched.launch', which belongs on a kernel}}
module @k attributes {mica_sched.launch = {}} {}

// -----

// expected-error @+1 {{(A13) 'mica_sched.launch' must be a dictionary, got 3 : i64}}
module @k attributes {mica_sched.kernel, mica_sched.launch = 3} {}

// -----

// expected-error @+1 {{(A13) 'mica_sched.launch': 'bindings' must be an array}}
module @k attributes {mica_sched.kernel, mica_sched.launch = {}} {}

// -----

// expected-error @+1 {{(A13) 'mica_sched.launch': 'bindings' must be as long as 'access' and 'share_elements'}}
module @k attributes {mica_sched.kernel, mica_sched.launch = {access = [], bindings = [memref<4xf32>], grid = 1, scalars = 0, scratch_bytes = 0, share_elements = array<i64: 0>}} {}

// -----

// expected-error @+1 {{(A13) 'mica_sched.launch': 'access' must be an array of "read", "write" and "readwrite"}}
module @k attributes {mica_sched.kernel, mica_sched.launch = {access = ["both"], bindings = [memref<4xf32>], grid = 1, scalars = 0, scratch_bytes = 0, share_elements = array<i64: 0>}} {}

// -----

// expected-error @+1 {{(A13) 'mica_sched.launch': 'scratch_bytes' must be an i64 of at least 0}}
module @k attributes {mica_sched.kernel, mica_sched.launch = {access = [], bindings = [], grid = 1, scalars = 0, scratch_bytes = -8, share_elements = array<i64>}} {}

// -----

// expected-error @+1 {{(A13) 'mica_sched.launch': 'ops' must be an array<i64: ..>}}
module @k attributes {mica_sched.kernel, mica_sched.launch = {access = [], bindings = [], checks = {not_checkable = 0, proved = 0, sites = [{binding = 0, kind = "load", message = ""}]}, grid = 1, scalars = 0, scratch_bytes = 0, share_elements = array<i64>}} {}

// -----

// expected-error @+1 {{(A14) 'mica_sched.constants' must be an array of constants, on a program}}
module attributes {mica_sched.constants = [3]} {}

// -----

// expected-error @+1 {{(A19) 'mica_sched.parts' is a dictionary with 'grid' and 'axes' of a mica_sched.constant}}
module attributes {mica_sched.parts = {axes = array<i64: 0>, grid = array<i64: 2>}} {}
