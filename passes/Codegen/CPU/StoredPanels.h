//===- StoredPanels.h - contractions that read an operand stored as panels ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The two halves of mica-cpu-pack-constants: the kernel's function that reads panels, and the bytes of the panels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_STOREDPANELS_H
#define MICA_PASSES_CODEGEN_CPU_STOREDPANELS_H

#include "passes/Codegen/CPU/ContractionPlan.h"

namespace mica::cpu {

/// The argument of its function that input `operand` is the whole contents of, if nothing else reads it; else null.
mlir::BlockArgument onlyReadArgument(mlir::OpOperand &operand);

/// Changes `op`, whose operand onlyReadArgument() accepts, and the elementwise ops after it to read the operand in
/// `layout`: the loop of the lanes becomes one over panels and one within a panel, in all of them. The argument gets
/// the type of the stored panels. Fails if an op after `op` does not allow that; the function is then of no use.
llvm::LogicalResult readPanels(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op, const PanelLayout &layout);

/// The dimension of the operand that each dimension of its panels enumerates; PanelLayout::kPanel and the last one
/// share one. `map` is the operand's indexing map.
llvm::SmallVector<int64_t> panelSources(mlir::AffineMap map, const PanelLayout &layout);

/// The elements of `source`, a tensor of `shape` with elements of `elementBytes`, in the order of panels of `columns`.
/// `sources` are those of panelSources().
std::vector<char> panelBytes(llvm::ArrayRef<char> source, llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                             llvm::ArrayRef<int64_t> sources, int64_t columns);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_STOREDPANELS_H
