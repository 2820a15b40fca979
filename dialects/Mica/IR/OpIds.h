//===- OpIds.h - which ops of the program an operation came from ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ids travel in locations, because locations are what every upstream pass already carries along. An op of the
// program is given its id once, at the start of phase tensor (mica-tensor-assign-ids), as
//
//     loc(fused<"mica.op:3f2a91c07b1e">["lenet.mlir":12:5])
//
// and an operation made later from one or several ops takes their locations (`getLoc()`,
// `rewriter.getFusedLoc`). So the ids of an operation are all ids found anywhere in its location, and no pass
// has to know about them.
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

/// What the metadata string of an id-carrying location starts with.
inline constexpr llvm::StringLiteral kOpIdPrefix = "mica.op:";
/// Digits of an id.
inline constexpr size_t kOpIdLength = 12;

/// The id of the `ordinal`-th op (from 0) of kind `kind` ("linalg.matmul") in function `function`, as parsed:
/// the first 12 hex digits of the SHA-256 of "function\nkind\nordinal". Editing a constant or another kind of
/// op renames nothing.
std::string makeOpId(llvm::StringRef function, llvm::StringRef kind, int64_t ordinal);

/// All ids in `loc`, each once, outermost first. The strings live as long as the context.
llvm::SmallVector<llvm::StringRef> getOpIds(mlir::Location loc);
inline llvm::SmallVector<llvm::StringRef> getOpIds(mlir::Operation *op) { return getOpIds(op->getLoc()); }

/// Whether any id is in `loc`.
bool hasOpIds(mlir::Location loc);

/// `loc` with `ids` added around it; the first id ends outermost. `loc` itself when `ids` is empty.
mlir::Location withOpIds(mlir::Location loc, llvm::ArrayRef<llvm::StringRef> ids);

/// `loc` without its ids: the positions in the user's files alone.
mlir::Location withoutOpIds(mlir::Location loc);

/// All positions in the user's files found in `loc`, each once, in the order they are nested.
llvm::SmallVector<mlir::FileLineColLoc> getSourcePositions(mlir::Location loc);

/// Metadata of a fused location whose one child is a position in a printed snapshot, not in the user's files: where the
/// op stands in kernel.mlir, for debug lines.
inline constexpr llvm::StringLiteral kLinePositionTag = "mica.line";

/// The first position in `loc` that is marked with kLinePositionTag; null if there is none.
mlir::FileLineColLoc findLinePosition(mlir::Location loc);

/// Puts the location of `op` on every operation in its regions whose location holds no id. For ops whose
/// regions are the op's own computation (linalg.generic, tensor.pad), not for control flow.
void propagateIdsToBody(mlir::Operation *op);

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_OPIDS_H
