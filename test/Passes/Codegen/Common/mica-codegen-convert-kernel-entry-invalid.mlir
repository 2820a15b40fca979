// RUN: mica-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(builtin.module(mica-codegen-convert-kernel-entry))'

module {
  module @k attributes {mica_sched.kernel} {
    // expected-error @below {{is no kernel: argument 0 is a buffer after a scalar, or not contiguous}}
    func.func @strided(%a: memref<4x4xf32, strided<[8, 1]>>, %part: index, %parts: index)
        attributes {mica_sched.grid = 1 : i64} {
      return
    }
  }
}

// -----

module {
  module @k attributes {mica_sched.kernel} {
    // expected-error @below {{is no kernel: it lacks the arguments part and parts}}
    func.func @short(%a: memref<4x4xf32>) attributes {mica_sched.grid = 1 : i64} {
      return
    }
  }
}

// -----

module {
  module @k attributes {mica_sched.kernel} {
    // expected-error @below {{is neither buffer nor scalar}}
    func.func @tensor(%a: tensor<4x4xf32>, %part: index, %parts: index) attributes {mica_sched.grid = 1 : i64} {
      return
    }
  }
}

// -----

module {
  module @k attributes {mica_sched.kernel} {
    // expected-error @below {{has mica_sched.scratch_bytes, but its argument 1 is no contiguous buffer of static size}}
    func.func @no_scratch(%a: memref<4xf32>, %n: i1, %part: index, %parts: index)
        attributes {mica_sched.grid = 1 : i64, mica_sched.scratch_bytes = 64 : i64} {
      return
    }
  }
}

// -----

module {
  module @k attributes {mica_sched.kernel} {
    // expected-error @below {{is no kernel: argument 2, of part and parts, is no index}}
    func.func @float_parts(%a: memref<4xf32>, %part: index, %parts: f32) attributes {mica_sched.grid = 1 : i64} {
      return
    }
  }
}
