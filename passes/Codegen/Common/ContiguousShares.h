//===- ContiguousShares.h - contiguous output of distributed loops ---------------------------------------------===//
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

/// The number n of elements of `buffer`, an argument of the kernel, such that iteration k of `loop` writes exactly
/// elements [k * n, (k + 1) * n). Nothing if that does not follow from the loop's slices of the buffer, or n is
/// dynamic.
std::optional<int64_t> elementsPerIteration(mlir::scf::ForallOp loop, mlir::BlockArgument buffer);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_CONTIGUOUSSHARES_H
