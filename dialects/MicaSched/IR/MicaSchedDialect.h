//===- MicaSchedDialect.h - the dialect `mica_sched` ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The dialect class, its types and operations, the names of its discardable attributes, and queries of kernels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_MICASCHEDDIALECT_H
#define MICA_DIALECTS_MICASCHED_IR_MICASCHEDDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h.inc"

#include "dialects/MicaSched/IR/MicaSchedEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/MicaSched/IR/MicaSchedTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/MicaSched/IR/MicaSchedOps.h.inc"

namespace mica::sched {

/// Names of the discardable attributes; the dialect's description documents them.
inline constexpr llvm::StringLiteral kKernelAttr = "mica_sched.kernel";
inline constexpr llvm::StringLiteral kRootKindAttr = "mica_sched.root_kind";
inline constexpr llvm::StringLiteral kOpIdsAttr = "mica_sched.op_ids";
inline constexpr llvm::StringLiteral kOpKindsAttr = "mica_sched.op_kinds";
inline constexpr llvm::StringLiteral kHashAttr = "mica_sched.hash";
inline constexpr llvm::StringLiteral kAccessAttr = "mica_sched.access";
inline constexpr llvm::StringLiteral kGridAttr = "mica_sched.grid";
inline constexpr llvm::StringLiteral kScratchBytesAttr = "mica_sched.scratch_bytes";
inline constexpr llvm::StringLiteral kStrategyAttr = "mica_sched.strategy";
inline constexpr llvm::StringLiteral kGroupAttr = "mica_sched.group";
inline constexpr llvm::StringLiteral kFlopsAttr = "mica_sched.flops";
inline constexpr llvm::StringLiteral kEntryAttr = "mica_sched.entry";
/// On a function's result: the argument whose contents the result replaces.
inline constexpr llvm::StringLiteral kUpdatesAttr = "mica_sched.updates";

/// On an argument or a result of a function that each rank executes: how the program's tensor is distributed.
inline constexpr llvm::StringLiteral kShardingAttr = "mica_sched.sharding";

/// Alignment in bytes of every buffer and every arena offset: MICA_BUFFER_ALIGNMENT of the ABI.
inline constexpr int64_t kBufferAlignment = 64;

/// Bytes of one element in memory (i1 and i4: 1, index: 8); nothing for types without a fixed size.
std::optional<int64_t> elementBytes(mlir::Type element);
/// Bytes of a buffer; nothing if a dimension is dynamic or the element type has no fixed size.
std::optional<int64_t> bufferBytes(mlir::ShapedType type);

/// Maximum length of a kernel's name.
inline constexpr size_t kMaxKernelName = 80;

/// Whether `name` is a valid kernel name: 1 to kMaxKernelName characters of [a-z0-9_].
bool isKernelName(llvm::StringRef name);

/// Whether `op` is a kernel module.
bool isKernelModule(mlir::Operation *op);

/// The kernel's function, which has the module's name. Null if there is none, as after phase lowered.
mlir::FunctionOpInterface kernelFunction(mlir::ModuleOp kernel);

/// The kernel `name` of the program that contains `from` (the nearest enclosing module that is not a kernel), or null.
mlir::ModuleOp lookupKernel(mlir::Operation *from, llvm::StringRef name, mlir::SymbolTableCollection &symbols);

/// A kernel's access of one of its buffers.
enum class Access { Read, Write, ReadWrite };
/// "read", "write", "readwrite".
llvm::StringRef accessName(Access access);
std::optional<Access> parseAccess(llvm::StringRef name);

/// A kernel's calling convention, derived from its function. Valid in all phases from `dispatch` to `kernel`: arguments
/// that later phases append (scratch, part, parts) are excluded.
struct KernelSignature {
  struct Binding {
    mlir::MemRefType type;
    Access access;
  };
  llvm::SmallVector<Binding> bindings;   ///< every argument with `mica_sched.access`, in order
  llvm::SmallVector<mlir::Type> scalars; ///< the scalar arguments that follow, without part and parts

  /// The number of 64-bit scalars of a launch: every dynamic dimension of every binding, then the scalar arguments.
  int64_t launchScalars() const;
  /// For each result of a dispatch the position of the input whose memory it reuses, -1 if there is none.
  llvm::SmallVector<int64_t> updatedInputs() const;
};

/// The signature of a kernel's function. Nothing if the kernel is lowered beyond memrefs.
std::optional<KernelSignature> kernelSignature(mlir::ModuleOp kernel);

/// Whether the runtime has a helper with the name `name`, with or without its interface's prefix.
bool isRuntimeHelper(llvm::StringRef name);

} // namespace mica::sched

#endif // MICA_DIALECTS_MICASCHED_IR_MICASCHEDDIALECT_H
