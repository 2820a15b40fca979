//===- MicaSchedDialect.td - the dialect `mica_sched` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICASCHED_DIALECT
#define MICASCHED_DIALECT

include "mlir/IR/OpBase.td"

def MicaSched_Dialect : Dialect {
  let name = "mica_sched";
  let cppNamespace = "::mica::sched";
  let summary = "kernels, dispatches and task lists";
  let description = [{
    What connects the program to its kernels: dispatches on tensors, later tasks on buffers.
  }];
}

class MicaSched_Op<string mnemonic, list<Trait> traits = []> : Op<MicaSched_Dialect, mnemonic, traits>;

#endif // MICASCHED_DIALECT
