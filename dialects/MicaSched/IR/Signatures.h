//===- Signatures.h - what compiled code takes for granted ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The arrays of include/mica/ABI/Memory.h, by which the runtime finds that manifest.json or tasks.json does not fit the
// code.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_SIGNATURES_H
#define MICA_DIALECTS_MICASCHED_IR_SIGNATURES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Types.h"

namespace mica::sched {

/// Appends bytes of an element, rank and dimensions of `type` (-1: dynamic); a scalar has rank 0.
void appendSignature(llvm::SmallVectorImpl<int64_t> &numbers, mlir::Type type);

/// Makes `name` of `module` a constant array of MICA_SIGNATURE_VERSION and `numbers`.
void makeSignature(mlir::ModuleOp module, mlir::Location loc, const llvm::Twine &name, llvm::ArrayRef<int64_t> numbers);

/// The pointer that the runtime fills with mica_memory_api_v1; whether `module` has it.
bool hasMemoryApi(mlir::ModuleOp module);
/// Adds it where it is not there.
void makeMemoryApi(mlir::ModuleOp module);

/// What the services that check sizes get for an operation at `loc`, as mica_host_api_v1::allocate wants it:
/// "3f2a91c07b1e f32", or, without
/// an id, "             f32 model.mlir:3:8".
std::string sizedText(mlir::Location loc, mlir::Type element);

} // namespace mica::sched

#endif // MICA_DIALECTS_MICASCHED_IR_SIGNATURES_H
