//===- MicaSchedDialect.td - the dialect `mica_sched` ---*- tablegen -*-===//
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
    What connects a program to its kernels. In phase `dispatch` a program is a module of kernels and host functions:

    - a **kernel** is a nested `builtin.module` with the attribute `mica_sched.kernel`, whose function of the same name
      takes buffers (first those it reads, then those it writes) and scalars;
    - a **dispatch** in a host function is one call of a kernel, on tensors.

    In phase `schedule` the dispatches of each straight-line region become **tasks** of a **task list**: buffers with
    their places in an arena, and tokens for what must be done before what. The host function keeps shape arithmetic
    and control flow, and submits lists.

    Discardable attributes, verified wherever they occur:

    | attribute | on | value |
    |---|---|---|
    | `mica_sched.kernel` | `builtin.module` | unit: the module is a kernel. (A1) its name has at most 80 characters of `[a-z0-9_]` |
    | `mica_sched.root_kind` | a kernel | (A2) a string: kind of the root op (`matmul`, `conv2d`, `elementwise`, ...) |
    | `mica_sched.op_ids` | a kernel, a linalg op | (A3) strings of 12 hex digits: ids of the ops fused, root first |
    | `mica_sched.op_kinds` | a kernel | (A4) one string per entry of `op_ids`: what the op was called in the program |
    | `mica_sched.hash` | a kernel | (A5) hex digits: structural hash of the kernel without names and locations |
    | `mica_sched.access` | a buffer argument of a function | (A6) `read`, `write` or `readwrite` |
    | `mica_sched.grid` | a kernel's function | (A7) i64: shares the work is cut into, at least 1; -1 where only known at run time |
    | `mica_sched.scratch_bytes` | a kernel's function | (A8) i64, not negative: scratch memory of one call |
    | `mica_sched.strategy` | a kernel's function | (A9) a string for people: how the kernel was mapped |
    | `mica_sched.group` | an op in a host function | (A10) i64, not negative: the group the op will be outlined with |
    | `mica_sched.flops` | a kernel | (A11) i64, not negative: floating-point operations of one call; absent where only known at run time |
    | `mica_sched.updates` | a result of a function | (A12) i64: the argument of the same type whose memory the result is to replace |
    | `mica_sched.entry` | a function | unit: a host function that users run; without a body, the signature of one in the LLVM dialect |
    | `mica_sched.launch` | a kernel | (A13) a dictionary: what the function of a kernel in the LLVM dialect no longer says. `bindings` (memref types), `access` and `share_elements` per buffer, the number of `scalars`, `grid`, `scratch_bytes`; where they apply `strategy`, `host_reason`, `masks` and `checks`, which mean what they do in `launch.json` |
    | `mica_sched.constants` | a program | (A14) an array of constants: what the numbers in host functions of the LLVM dialect stand for |
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
}

class MicaSched_Op<string mnemonic, list<Trait> traits = []> : Op<MicaSched_Dialect, mnemonic, traits>;

def MicaSched_Token : TypeDef<MicaSched_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "that a task is done";
  let description = [{
    The result of a task; a task that takes it starts only when that task is done.
  }];
}

#endif // MICASCHED_DIALECT
