// PIPELINE: mica-tensor-verify-input{limit=0}
module {
  func.func @f() -> index {
    %thread_id_x = gpu.thread_id  x
    return %thread_id_x : index
  }
}
