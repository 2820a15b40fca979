//===- Describe.h - what the manifest says, read from the IR ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The records of include/mica/Artifact/Manifest.h, taken from the program at the phase boundary where each is plain to
// see.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_PROGRAM_DESCRIBE_H
#define MICA_COMPILER_PROGRAM_DESCRIBE_H

#include "mica/Artifact/Manifest.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <vector>

namespace mica::compiler {

/// The element type as host tensors have it; nothing for types they do not have.
std::optional<DType> dtypeOf(mlir::Type type);

/// Element type and shape of a tensor, memref or scalar type (rank 0).
std::optional<artifact::TensorSpec> specOf(mlir::Type type);

/// The functions a user can run: those that are not private. At the end of phase input.
std::vector<artifact::EntryRecord> describeEntries(mlir::ModuleOp program);

/// Every op that has or will get an id, with its fingerprint (kind, attributes, types, and what its operands are). At
/// the end of phase input.
std::vector<artifact::OpRecord> describeOps(mlir::ModuleOp program);

/// The modules that are kernels, in order.
std::vector<mlir::ModuleOp> kernelsOf(mlir::ModuleOp program);

/// The kernel as its launch record has it. At the end of phase kernel. Fails (Internal) where the module is not as
/// docs/Architecture.md says.
Result<artifact::KernelRecord> describeKernel(mlir::ModuleOp kernel);

/// host/schedule.mlir: the program without the insides of its kernels. At the end of phase schedule.
mlir::OwningOpRef<mlir::ModuleOp> scheduleOf(mlir::ModuleOp program);

} // namespace mica::compiler

#endif // MICA_COMPILER_PROGRAM_DESCRIBE_H
