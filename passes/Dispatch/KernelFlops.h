//===- KernelFlops.h - counting floating-point operations of a kernel -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Counts the floating-point operations of one call as in the program: additional ones in generated code (recomputed
// fused ops, masked lanes, polynomials of approximations) do not count. An addition, a division and an exponential are
// one each.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_KERNELFLOPS_H
#define MICA_PASSES_DISPATCH_KERNELFLOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace mica {

/// Operations of the linalg ops in `kernel`; nothing if a loop with computation has a dynamic size.
std::optional<int64_t> countFlops(mlir::func::FuncOp kernel);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_KERNELFLOPS_H
