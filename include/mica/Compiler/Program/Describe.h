//===- Describe.h - manifest records from IR ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Makes the records of include/mica/Artifact/Manifest.h from the program, each at the end of the phase named below.
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

/// The element type of host tensors for `type`; nothing if they have none.
std::optional<DType> dtypeOf(mlir::Type type);

/// Element type and shape of a tensor, memref or scalar type (rank 0).
std::optional<artifact::TensorSpec> specOf(mlir::Type type);

/// The functions a user can run: those that are not private. At the end of phase input.
std::vector<artifact::EntryRecord> describeEntries(mlir::ModuleOp program);

/// Every op that has or will get an id, with its fingerprint (kind, attributes, types and operands). At the end of
/// phase input.
std::vector<artifact::OpRecord> describeOps(mlir::ModuleOp program);

/// The modules that are kernels, in order.
std::vector<mlir::ModuleOp> kernelsOf(mlir::ModuleOp program);

/// The launch record of a kernel. At the end of phase kernel. Fails (Internal) if the module does not have the form of
/// docs/Architecture.md.
Result<artifact::KernelRecord> describeKernel(mlir::ModuleOp kernel);

/// host/schedule.mlir: the program without the bodies of its kernels. At the end of phase schedule.
mlir::OwningOpRef<mlir::ModuleOp> scheduleOf(mlir::ModuleOp program);

} // namespace mica::compiler

#endif // MICA_COMPILER_PROGRAM_DESCRIBE_H
