// RUN: mica-opt %s --split-input-file --verify-diagnostics

func.func @in_bounds_c1(%a: memref<4x?xf32>, %i: index) {
  // expected-error @+1 {{(C1) gives 1 indices for a buffer of type 'memref<4x?xf32>'}}
  %0 = mica_check.in_bounds %a[%i] : memref<4x?xf32>
  return
}

// -----

func.func @in_bounds_c2(%a: memref<4x?xf32>, %i: index) {
  // expected-error @+1 {{(C2) gives 1 sizes for a buffer of 2 dimensions}}
  %0 = mica_check.in_bounds %a[%i, %i] sizes(%i) : memref<4x?xf32>
  return
}

// -----

func.func @divisible_c1(%a: i32, %b: i64) {
  // expected-error @+1 {{requires all operands to have the same type}}
  %0 = "mica_check.divisible"(%a, %b) : (i32, i64) -> i1
  return
}

// -----

func.func @shiftable_c1(%a: f32) {
  // expected-error @+1 {{must be an integer, an index or a vector of them, but got 'f32'}}
  %0 = mica_check.shiftable %a : f32
  return
}

// -----

func.func @out_of_bounds_c1(%a: memref<4x?xf32>, %i: index) {
  // expected-error @+1 {{(C1) gives 3 indices for a buffer of type 'memref<4x?xf32>'}}
  mica_check.out_of_bounds load %a[%i, %i, %i] : memref<4x?xf32>
  return
}

// -----

func.func @out_of_bounds_c2(%a: memref<4x?xf32>, %i: index) {
  // expected-error @+1 {{(C2) gives 3 sizes for a buffer of 2 dimensions}}
  mica_check.out_of_bounds load %a[%i, %i] sizes(%i, %i, %i) : memref<4x?xf32>
  return
}

// -----

func.func @out_of_bounds_c3(%a: memref<4xf32>, %i: index) {
  // expected-error @+1 {{(C3) has the site -1, which is negative}}
  mica_check.out_of_bounds load %a[%i] {site = -1 : i64} : memref<4xf32>
  return
}

// -----

func.func @failed_c1() {
  // expected-error @+1 {{(C1) has no message}}
  mica_check.failed ""
  return
}

// -----

func.func @failed_c2(%i: index) {
  // expected-error @+1 {{(C2) has 9 values; a report keeps 8}}
  mica_check.failed "x" (%i, %i, %i, %i, %i, %i, %i, %i, %i : index, index, index, index, index, index, index, index, index)
  return
}

// -----

func.func @failed_c3() {
  // expected-error @+1 {{(C3) has the site -7, which is negative}}
  mica_check.failed "x" {site = -7 : i64}
  return
}

// -----

func.func @shadow_c1(%a: memref<4xf32>, %m: memref<4xi8>) {
  // expected-error @+1 {{(C1) has memory of type 'memref<4xi8>', should be 'memref<4xi16>'}}
  %s = mica_check.shadow %a in %m : memref<4xf32>, memref<4xi8>
  return
}

// -----

func.func @shadow_c2() {
  %a = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{(C2) has no memory for the shadow of what is no argument of the function}}
  %s = mica_check.shadow %a : memref<4xf32>
  return
}

// -----

func.func @origin_c1() {
  // expected-error @+1 {{attribute 'local' failed to satisfy constraint}}
  %0 = "mica_check.origin"() {local = -1 : i64} : () -> i16
  return
}

// -----

func.func @initialized_c1(%o: i8) {
  // expected-error @+1 {{operand #0 must be an i16 or a vector of them}}
  %0 = "mica_check.initialized"(%o) : (i8) -> i1
  return
}

// -----

func.func @uninitialized_c1(%a: memref<4x4xf32>, %i: index, %n: i64, %o: i16) {
  // expected-error @+1 {{(C1) gives 1 indices for a buffer of type 'memref<4x4xf32>'}}
  mica_check.uninitialized %a[%i] count %n origin %o : memref<4x4xf32>
  return
}

// -----

func.func @uninitialized_c2(%a: memref<4xf32>, %i: index, %n: i64, %o: i16) {
  // expected-error @+1 {{(C2) has the site -1, which is negative}}
  mica_check.uninitialized %a[%i] count %n origin %o {site = -1 : i64} : memref<4xf32>
  return
}

// -----

func.func @not_finite_c1(%a: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{(C1) gives 1 indices for a buffer of type 'memref<4x4xf32>'}}
  mica_check.not_finite nan %a[%i] : memref<4x4xf32>
  return
}

// -----

func.func @not_finite_c2(%a: memref<4xf32>, %i: index) {
  // expected-error @+1 {{(C2) has the site -1, which is negative}}
  mica_check.not_finite infinity %a[%i] {site = -1 : i64} : memref<4xf32>
  return
}

// -----

// expected-error @+1 {{has 'mica_check.level' = "some", expected "none", "divisions", "warn", "safe" or "all", on a function}}
func.func private @attribute_level() attributes {mica_check.level = "some"}

// -----

// expected-error @+1 {{has 'mica_check.finite' = "none", expected "all" or "some", on a function}}
func.func private @attribute_finite() attributes {mica_check.finite = "none"}

// -----

// expected-error @+1 {{has 'mica_check.inserted' = -1 : i64, expected an i64 of at least 0, on a function}}
func.func private @attribute_inserted() attributes {mica_check.inserted = -1 : i64}

// -----

// expected-error @+1 {{has 'mica_check.unchecked' = -1 : i64, expected an i64 of at least 0, on a function}}
func.func private @attribute_unchecked() attributes {mica_check.unchecked = -1 : i64}

// -----

// expected-error @+1 {{has 'mica_check.sites' = -1 : i64, expected an i64 of at least 0, on a function}}
func.func private @attribute_sites() attributes {mica_check.sites = -1 : i64}

// -----

// expected-error @+1 {{has 'mica_check.shadows' = -1 : i64, expected an i64 of at least 0, on a function}}
func.func private @attribute_shadows() attributes {mica_check.shadows = -1 : i64}

// -----

// expected-error @+1 {{has 'mica_check.reads' = -1 : i64, expected an i64 of at least 0, on a function}}
func.func private @attribute_reads() attributes {mica_check.reads = -1 : i64}

// -----

// expected-error @+1 {{argument 0 has 'mica_check.fills' = 1 : i64, expected no value, on an argument of a function}}
func.func private @fills_by_a_number(memref<4xf32> {mica_check.fills = 1 : i64})

// -----

// expected-error @+1 {{has the unknown attribute 'mica_check.levels'}}
func.func private @unknown_attribute() attributes {mica_check.levels = "all"}

// -----

func.func @dumped_by_a_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has 'mica_check.dump' = 1 : i64, expected no value, on an operation with a result that is a tensor}}
  %0 = math.exp %x {mica_check.dump = 1 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @dumped_scalar(%x: f32) -> f32 {
  // expected-error @+1 {{has 'mica_check.dump' = unit, expected no value, on an operation with a result that is a tensor}}
  %0 = math.exp %x {mica_check.dump} : f32
  return %0 : f32
}

// -----

// expected-error @+1 {{argument 0 has 'mica_check.inside' = "", expected the id of an operation, on an argument of a function}}
func.func private @inside_of_nothing(memref<4xf32> {mica_check.inside = ""})

// -----

// expected-error @+1 {{argument 0 has 'mica_check.inside_sizes' = array<i64: 1>, expected pairs of i64, on an argument of a function}}
func.func private @inside_of_half_a_pair(memref<4xf32> {mica_check.inside_sizes = array<i64: 1>})
