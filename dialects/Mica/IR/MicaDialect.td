//===- MicaDialect.td - the dialect `mica` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_DIALECT
#define MICA_DIALECT

include "mlir/IR/OpBase.td"

def Mica_Dialect : Dialect {
  let name = "mica";
  let cppNamespace = "::mica";
  let summary = "what a model is written in";
  let description = [{
    Tensor operations of neural networks, on ranked tensors with value semantics.
  }];
}

class Mica_Op<string mnemonic, list<Trait> traits = []> : Op<Mica_Dialect, mnemonic, traits>;

#endif // MICA_DIALECT
