// RUN: mica-opt %s --mica-check-lower --split-input-file --verify-diagnostics

func.func @no_site(%a: memref<4xf32>, %i: index, %part: index, %parts: index)
    attributes {mica_sched.grid = 1 : i64, mica_check.sites = 1 : i64} {
  // expected-error @+1 {{has no site: mica-check-number gives it one}}
  mica_check.out_of_bounds load %a[%i] : memref<4xf32>
  return
}

// -----

// expected-error @+1 {{has checks, but not the arguments part and parts: it is no kernel}}
func.func @no_kernel(%a: memref<4xf32>, %i: index) attributes {mica_check.sites = 1 : i64} {
  mica_check.out_of_bounds load %a[%i] {site = 0 : i64} : memref<4xf32>
  return
}
