//===- ContiguousShares.h - what an iteration of a distributed loop writes -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_CONTIGUOUSSHARES_H
#define MICA_PASSES_CODEGEN_COMMON_CONTIGUOUSSHARES_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mica {

/// That n, of `buffer`, an argument of the kernel that `loop` is in; and all elements belong to an iteration. Nothing
/// where it does not follow from the slices that the loop takes of the buffer, and for sizes known at run time only.
std::optional<int64_t> elementsPerIteration(mlir::scf::ForallOp loop, mlir::BlockArgument buffer);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_CONTIGUOUSSHARES_H
