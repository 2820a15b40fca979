//===- VHLODialect.h - the dialect vhlo ----------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Versioned StableHLO, the form in which frameworks store programs as bytecode. Its ops are a table of names and
// attributes (VHLODialect.cpp); VHLOBytecode.cpp reads its types and attributes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_STABLEHLO_IR_VHLODIALECT_H
#define MICA_DIALECTS_STABLEHLO_IR_VHLODIALECT_H

#include "mlir/IR/ExtensibleDialect.h"

#include "dialects/StableHLO/IR/VHLODialect.h.inc"

namespace mica::vhlo {

/// Makes `dialect` read types and attributes of bytecode.
void addBytecodeReader(VHLODialect &dialect);

/// "vhlo.gather_v2" -> "gather" and 2; an empty name for what has no version.
std::pair<llvm::StringRef, unsigned> splitVersion(llvm::StringRef opName);

/// Whether the dialect has this op in this version.
bool isKnown(mlir::OperationName op);

/// Whether the dialect has an op of this name, without its version: newer versions of it are told from ops that never
/// were.
bool hasOp(llvm::StringRef name);

} // namespace mica::vhlo

#endif // MICA_DIALECTS_STABLEHLO_IR_VHLODIALECT_H
