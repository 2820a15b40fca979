//===- MicaSimDialect.td - the dialect `mica_sim` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// A dialect of attributes: what the simulator's passes tell each other of kernels and of the functions that stand for
// what only a device does.
//
//===------------------------------------------------------------------------------===//

#ifndef MICASIM_DIALECT
#define MICASIM_DIALECT

include "mlir/IR/OpBase.td"

def MicaSim_Dialect : Dialect {
  let name = "mica_sim";
  let cppNamespace = "::mica::sim";
  let summary = "Kernels that the simulator runs";
  let description = [{
    For the simulator a kernel becomes a function of the host that calls *markers*: functions without a body that stand for what only a
    device has, such as a thread's id or a barrier. `mica-sim-split-at-barriers` replaces the calls. Attributes say which function is
    what.

    Discardable attributes of functions, verified wherever they occur:

    | attribute | value |
    |---|---|
    | `mica_sim.kernel` | a string: the function is the kernel of this name |
    | `mica_sim.workgroup_bytes` | of a kernel, i64: bytes of static workgroup memory |
    | `mica_sim.checks` | of a kernel, i32: what is checked, bits of `mica_sim_check` (include/mica/ABI/Sim.h) |
    | `mica_sim.granule` | of a kernel, i32: 1, 2 or 4, bytes that one shadow cell stands for |
    | `mica_sim.sites` | of a kernel: an array of strings, the operations that reports name |
    | `mica_sim.flags` | of a kernel, i32: bits of `mica_sim_kernel_flag` |
    | `mica_sim.launch` | a symbol: a marker that launches that kernel |
    | `mica_sim.launch_site` | a string: the operation that this marker is made of |
    | `mica_sim.uniform` | i32: a marker of a value that all threads of a warp share, a member of `mica_sim_uniform` |
    | `mica_sim.lane` | i32: a marker of a value of the thread: 0 to 2 its ids, 3 its position in the warp |
    | `mica_sim.point` | six i32: a marker of a convergence point: its kind, its site and the numbers of `mica_sim_point_v1` |
    | `mica_sim.service` | an array: a marker that calls a function of `mica_sim_api_v1`, whose name comes first, then constants |
    | `mica_sim.host_service` | a string: the same from a host function |

    `mica_sim.alignment` is on accesses in the LLVM dialect: an i64, the alignment that the program states. Any other attribute `mica_sim.*`
    is an error.

    Example:

    ```mlir
    func.func private @mica_sim_lane_0() -> index attributes {mica_sim.lane = 0 : i32}
    func.func @copy(%a: memref<32xf32>, %b: memref<32xf32>) attributes {mica_sim.kernel = "copy", mica_sim.workgroup_bytes = 0 : i64} {
      %0 = func.call @mica_sim_lane_0() : () -> index
      %1 = memref.load %a[%0] : memref<32xf32>
      memref.store %1, %b[%0] : memref<32xf32>
      return
    }
    ```
  }];
  let hasOperationAttrVerify = 1;
}

#endif // MICASIM_DIALECT
