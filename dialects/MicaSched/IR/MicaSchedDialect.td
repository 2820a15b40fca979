//===- MicaSchedDialect.td - the mica_sched dialect ----------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICASCHED_DIALECT
#define MICASCHED_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def MicaSched_Dialect : Dialect {
  let name = "mica_sched";
  let cppNamespace = "::mica::sched";
  let summary = "kernels, dispatches and task lists";
  let description = [{
    Connects a program to its kernels. In phase `dispatch`, a program is a module of kernels and host functions:

    - A **kernel** is a nested `builtin.module` with the attribute `mica_sched.kernel`. Its function of the same
      name takes buffers (first those it reads, then those it writes) and scalars.
    - A **dispatch** in a host function is a call of a kernel on tensors.

    In phase `schedule`, the dispatches of each straight-line region become **tasks** of a **task list**:
    buffers with offsets in an arena, and tokens for the dependencies between tasks. The host function keeps
    shape arithmetic and control flow, and submits task lists.

    Discardable attributes, verified wherever they occur:

    | attribute | on | value |
    |---|---|---|
    | `mica_sched.kernel` | `builtin.module` | unit: the module is a kernel. (A1) its name has at most 80 characters of `[a-z0-9_]` |
    | `mica_sched.root_kind` | a kernel | (A2) string: kind of the root op (`matmul`, `conv2d`, `elementwise`, ...) |
    | `mica_sched.op_ids` | a kernel, a linalg op | (A3) strings of 12 hex digits: ids of the fused ops, root first |
    | `mica_sched.op_kinds` | a kernel | (A4) one string per entry of `op_ids`: name of the op in the program |
    | `mica_sched.hash` | a kernel | (A5) hex digits: structural hash of the kernel without names and locations |
    | `mica_sched.access` | a buffer argument of a function | (A6) `read`, `write` or `readwrite` |
    | `mica_sched.grid` | a kernel's function | (A7) i64: number of work partitions, at least 1; -1 if it is known only at run time |
    | `mica_sched.scratch_bytes` | a kernel's function | (A8) i64, not negative: bytes of scratch memory of one call |
    | `mica_sched.strategy` | a kernel's function | (A9) string, for readers: how the kernel was mapped |
    | `mica_sched.group` | an op in a host function, no terminator | (A10) i64, not negative: the group with which the op is outlined |
    | `mica_sched.flops` | a kernel | (A11) i64, not negative: floating-point operations of one call; absent if known only at run time |
    | `mica_sched.updates` | a result of a function | (A12) i64: the argument of the same type whose contents the result replaces |
    | `mica_sched.entry` | a function | unit: an entry point; without a body, the signature of an entry point in the LLVM dialect |
    | `mica_sched.launch` | a kernel | (A13) dictionary: launch parameters of a kernel in the LLVM dialect, see below |
    | `mica_sched.constants` | a program | (A14) array of constants, to which host functions in the LLVM dialect refer by index |
    | `mica_sched.host_op` | a function | (A15) unit: ops that no kernel takes; host functions call it |
    | `mica_sched.size` | a scalar argument of a function | (A16) unit: the host computes it from sizes of tensors alone |
    | `mica_sched.computed_positions` | a function | (A17) unit: the kernel reads elements at positions that the program computes |
    | `mica_sched.sharding` | an argument or a result of a function | (A18) dictionary: the part of the program's tensor that a rank has, see below |
    | `mica_sched.parts` | a `mica_sched.constant` | (A19) dictionary with `grid` and `axes`: the first dimension of the value has a part of a multiple of 64 bytes for each rank of the groups along these axes of the grid of ranks, and a rank has its own part alone |

    `mica_sched.sharding` has the sizes `grid` of the grid of ranks, the `shape` of the whole tensor, and `axes`: for each
    dimension the axes of the grid along which it is split, outermost first. The sizes of the argument are those of `shape`
    divided by the sizes of these axes.

    `mica_sched.launch` records what the function of a kernel in the LLVM dialect no longer shows: `bindings`
    (memref types), `access` and `share_elements` per buffer, the number of `scalars`, `grid` and
    `scratch_bytes`; where they apply, also `strategy`, `host_reason`, `masks`, `collective` and `checks`. All have the same
    meaning as in `launch.json`.
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
}

class MicaSched_Op<string mnemonic, list<Trait> traits = []> : Op<MicaSched_Dialect, mnemonic, traits>;

def MicaSched_Token : TypeDef<MicaSched_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "completion of a task";
  let description = [{
    The result of a task. A task with a token as operand starts only after the task that produces the token is
    complete.
  }];
}

#endif // MICASCHED_DIALECT
