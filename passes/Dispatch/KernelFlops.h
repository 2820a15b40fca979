//===- KernelFlops.h - how much a kernel computes ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The floating-point operations of one call, as the program asks for them: what the code does beside (a fused op
// computed again, masked lanes, an approximation's polynomial) does not count. An addition, a division and an
// exponential are one each.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_KERNELFLOPS_H
#define MICA_PASSES_DISPATCH_KERNELFLOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace mica {

/// Operations of the linalg ops in `kernel`; nothing where a loop that computes has a size known at run time only.
std::optional<int64_t> countFlops(mlir::func::FuncOp kernel);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_KERNELFLOPS_H
