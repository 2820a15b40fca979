// PIPELINE: mica-codegen-convert-kernel-entry
module @k attributes {mica_sched.kernel} {
  func.func @k(%a: memref<4xf32> {mica_sched.access = "readwrite"}, %n: i1, %part: index, %parts: index)
      attributes {mica_sched.grid = 1 : i64, mica_sched.scratch_bytes = 64 : i64} {
    return
  }
}
