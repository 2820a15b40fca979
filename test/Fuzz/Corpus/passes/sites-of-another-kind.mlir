// PIPELINE: mica-check-lower
func.func @kernel(%a: memref<4xf32>, %i: index, %part: index, %parts: index)
    attributes {mica_sched.grid = 1 : i64, mica_check.sites = array<i64: 1, 2>} {
  mica_check.out_of_bounds load %a[%i] {site = 0 : i64} : memref<4xf32>
  return
}
