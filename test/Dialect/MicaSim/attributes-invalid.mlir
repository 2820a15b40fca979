// Attributes of the simulator's kernels and markers that do not hold what they are to hold.
// RUN: mica-opt %s -split-input-file -verify-diagnostics
// -----

// expected-error @+1 {{has 'mica_sim.kernel' = 7 : i64, expected a string that is not empty, on a function}}
func.func private @f() attributes {mica_sim.kernel = 7 : i64}
// -----

// expected-error @+1 {{has 'mica_sim.kernel' = "", expected a string that is not empty, on a function}}
func.func private @f() attributes {mica_sim.kernel = ""}
// -----

// expected-error @+1 {{has 'mica_sim.workgroup_bytes' = -1 : i64, expected an i64 of at least 0, on a function}}
func.func private @f() attributes {mica_sim.workgroup_bytes = -1 : i64}
// -----

// expected-error @+1 {{has 'mica_sim.checks' = 1024 : i32, expected an i32 of 0 to 1023, on a function}}
func.func private @f() attributes {mica_sim.checks = 1024 : i32}
// -----

// expected-error @+1 {{has 'mica_sim.granule' = 3 : i32, expected an i32 of 1, 2 or 4, on a function}}
func.func private @f() attributes {mica_sim.granule = 3 : i32}
// -----

// expected-error @+1 {{has 'mica_sim.sites' = [1], expected an array of strings, on a function}}
func.func private @f() attributes {mica_sim.sites = [1 : i64]}
// -----

// expected-error @+1 {{has 'mica_sim.flags' = 2 : i32, expected an i32 of 0 or 1, on a function}}
func.func private @f() attributes {mica_sim.flags = 2 : i32}
// -----

// expected-error @+1 {{has 'mica_sim.launch_site' = "", expected a string that is not empty, on a function}}
func.func private @f() attributes {mica_sim.launch_site = ""}
// -----

// expected-error @+1 {{has 'mica_sim.launch' = "k", expected a kernel's symbol, on a function}}
func.func private @f() attributes {mica_sim.launch = "k"}
// -----

// expected-error @+1 {{has 'mica_sim.uniform' = 99 : i32, expected an i32, a member of mica_sim_uniform, on a function}}
func.func private @f() attributes {mica_sim.uniform = 99 : i32}
// -----

// expected-error @+1 {{has 'mica_sim.lane' = 4 : i32, expected an i32 of 0 to 3, on a function}}
func.func private @f() attributes {mica_sim.lane = 4 : i32}
// -----

// expected-error @+1 {{has 'mica_sim.point' = array<i32: 1, 2>, expected six i32, on a function}}
func.func private @f() attributes {mica_sim.point = array<i32: 1, 2>}
// -----

// expected-error @+1 {{has 'mica_sim.service' = ["nothing"], expected an array whose first element names a function of mica_sim_api_v1, on a function}}
func.func private @f() attributes {mica_sim.service = ["nothing"]}
// -----

// expected-error @+1 {{has 'mica_sim.host_service' = "nothing", expected the name of a function of mica_sim_api_v1, on a function}}
func.func private @f() attributes {mica_sim.host_service = "nothing"}
// -----

// expected-error @+1 {{has 'mica_sim.alignment' = -8 : i64, expected an i64 of at least 0}}
func.func private @f() attributes {mica_sim.alignment = -8 : i64}
// -----

// expected-error @+1 {{has the unknown attribute 'mica_sim.kernels'}}
func.func private @f() attributes {mica_sim.kernels = "k"}
// -----

func.func @not_on_an_op() {
  // expected-error @+1 {{has 'mica_sim.lane' = 0 : i32, expected an i32 of 0 to 3, on a function}}
  return {mica_sim.lane = 0 : i32}
}
