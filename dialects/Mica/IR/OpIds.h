//===- OpIds.h - ids of operations in locations -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ids are stored in locations, because all upstream passes propagate these. An op of the program is assigned its id
// once, at the start of phase tensor (mica-tensor-assign-ids), as
//
//     loc(fused<"mica.op:3f2a91c07b1e">["lenet.mlir":12:5])
//
// and an operation that is created from one or several ops gets their locations (`getLoc()`, `rewriter.getFusedLoc`).
// So the ids of an operation are all ids anywhere in its location, and passes need no special support for them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_OPIDS_H
#define MICA_DIALECTS_MICA_IR_OPIDS_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mica {

/// Prefix of the metadata string of a location with an id.
inline constexpr llvm::StringLiteral kOpIdPrefix = "mica.op:";
/// Number of digits of an id.
inline constexpr size_t kOpIdLength = 12;

/// The id of the `ordinal`-th op (from 0) of kind `kind` ("linalg.matmul") in function `function`, as parsed: the first
/// 12 hex digits of the SHA-256 of "function
/// kind
/// ordinal". Editing a constant or an op of another kind does not change it.
std::string makeOpId(llvm::StringRef function, llvm::StringRef kind, int64_t ordinal);

/// All ids in `loc`, each once, outermost first, but those of an inlined operation before that of its call. The context
/// owns the strings.
llvm::SmallVector<llvm::StringRef> getOpIds(mlir::Location loc);
inline llvm::SmallVector<llvm::StringRef> getOpIds(mlir::Operation *op) { return getOpIds(op->getLoc()); }

/// The locations of the calls through which the operation at `loc` was inlined, innermost first.
llvm::SmallVector<mlir::Location> getCallers(mlir::Location loc);

/// How messages of host functions begin: the first id of `loc`, and ",<id>" for each of these calls that has one; as
/// many blanks where there is no id.
std::string opIdsText(mlir::Location loc);

/// ", called at m.mlir:7:8" for each of these calls.
std::string callPathText(mlir::Location loc);

/// Whether any id is in `loc`.
bool hasOpIds(mlir::Location loc);

/// `loc` wrapped with `ids`; the first id is outermost. `loc` itself if `ids` is empty.
mlir::Location withOpIds(mlir::Location loc, llvm::ArrayRef<llvm::StringRef> ids);

/// `loc` without ids: only the positions in the user's files.
mlir::Location withoutOpIds(mlir::Location loc);

/// Metadata of a fused location below that of an id: dumps keep the result of this operation (`mica_check.dump`).
inline constexpr llvm::StringLiteral kDumpTag = "mica_check.dump";

/// Metadata like it, of an access to memory that the program itself makes, with a load, a store or an insertion, in a
/// kernel. It may be outside; the accesses to which the compiler lowers structured operations are not.
inline constexpr llvm::StringLiteral kAccessTag = "mica_check.access";

/// `loc` with `tag`, one of the above.
mlir::Location withTag(mlir::Location loc, llvm::StringRef tag);

/// Whether `tag` is in `loc`.
bool hasTag(mlir::Location loc, llvm::StringRef tag);

/// All positions in the user's files found in `loc`, each once, in the order they are nested.
llvm::SmallVector<mlir::FileLineColLoc> getSourcePositions(mlir::Location loc);

/// Metadata of a fused location whose only child is a position in a printed snapshot: the op's position in kernel.mlir,
/// for debug lines.
inline constexpr llvm::StringLiteral kLinePositionTag = "mica.line";

/// The first position in `loc` that is marked with kLinePositionTag; null if there is none.
mlir::FileLineColLoc findLinePosition(mlir::Location loc);

/// Sets the location of `op` on every operation in its regions whose location has no id. For ops whose regions are
/// their own computation (linalg.generic, tensor.pad), not for control flow.
void propagateIdsToBody(mlir::Operation *op);

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_OPIDS_H
