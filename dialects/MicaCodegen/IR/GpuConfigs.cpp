//===- GpuConfigs.cpp - #mica_codegen.gpu_* ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Constraints of gpu_contraction_config and gpu_reduction_config in MicaCodegenAttrs.td. The limits are those of every
// device (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"). Constraints that depend on
// the types in the tiles are verified by a pass: passes/Codegen/GPU/ContractionPlan.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"

#include "mica/Support/Checked.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mica::codegen;

static constexpr int64_t kWarp = 32, kMostThreads = 1024, kMostStages = 8;
/// Twice the side of the result of mma.sync: a warp computes at least two of them.
static constexpr int64_t kWarpSide = 16;

static InFlightDiagnostic errorOn(Operation *op) { return op->emitOpError() << "'" << kLoweringConfigAttr << "': "; }

//===------------------------------------------------------------------------------------------------------------===//
// Contractions
//===------------------------------------------------------------------------------------------------------------===//

static int64_t threadsOf(GpuContractionStrategy strategy, ArrayRef<int64_t> tile, ArrayRef<int64_t> part) {
  const int64_t parts = mica::saturatingMul(tile[0] / part[0], tile[1] / part[1]);
  return strategy == GpuContractionStrategy::TensorCores ? mica::saturatingMul(kWarp, parts) : parts;
}

LogicalResult GpuContractionConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               GpuContractionStrategy strategy, int64_t group, ArrayRef<int64_t> tile,
                                               ArrayRef<int64_t> part, int64_t stages, bool tf32, StringAttr) {
  if (tile.size() != 3 || llvm::any_of(tile, [](int64_t size) { return size < 1; }))
    return emitError() << "(C2) tile = [" << tile << "], expected [m, n, k], each at least 1";
  if (part.size() != 2 || part[0] < 1 || part[1] < 1 || tile[0] % part[0] != 0 || tile[1] % part[1] != 0)
    return emitError() << "(C2) part = [" << part << "], expected divisors of the tile's " << tile[0] << " and "
                       << tile[1];
  const bool isWarps = strategy == GpuContractionStrategy::TensorCores;
  if (const int64_t threads = threadsOf(strategy, tile, part); threads % kWarp != 0 || threads > kMostThreads)
    return emitError() << "(C3) " << threads << " threads (" << tile[0] / part[0] << " x " << tile[1] / part[1]
                       << (isWarps ? " parts, 32 threads each" : " parts, one thread each")
                       << "), expected a multiple of 32 of at most " << kMostThreads;
  if (isWarps && (part[0] % kWarpSide != 0 || part[1] % kWarpSide != 0))
    return emitError() << "(C4) part = [" << part << "], expected multiples of 16 with tensor_cores";
  if (stages < 1 || stages > kMostStages)
    return emitError() << "(C5) stages = " << stages << ", expected 1 to " << kMostStages;
  if (tf32 && !isWarps)
    return emitError() << "(C6) tf32 with workgroup_tiles, expected tensor_cores";
  if (group < 0)
    return emitError() << "(C7) group = " << group << ", expected 0 or more";
  return success();
}

LogicalResult GpuContractionConfigAttr::verifyOn(Operation *target) const {
  if (isa<linalg::LinalgOp>(target))
    return success();
  return errorOn(target) << "(C1) a gpu_contraction_config, expected an operation of linalg";
}

std::string GpuContractionConfigAttr::describe() const {
  const bool isWarps = getStrategy() == GpuContractionStrategy::TensorCores;
  return llvm::formatv("{0}, tiles {1}x{2}x{3}, {4}x{5} a {6}, {7} stages{8}",
                       stringifyGpuContractionStrategy(getStrategy()), getTile()[0], getTile()[1], getTile()[2],
                       getPart()[0], getPart()[1], isWarps ? "warp" : "thread", getStages(),
                       getTf32() ? ", inputs rounded to tf32" : "");
}

//===------------------------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult GpuReductionConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t group,
                                             int64_t threads, int64_t elements, StringAttr) {
  if (threads < kWarp || !llvm::isPowerOf2_64(threads) || threads > kMostThreads)
    return emitError() << "(C2) threads = " << threads << ", expected 32, 64, 128, 256, 512 or 1024";
  if (elements < 1 || elements > 16 || !llvm::isPowerOf2_64(elements))
    return emitError() << "(C3) elements = " << elements << ", expected 1, 2, 4, 8 or 16";
  if (group < 0)
    return emitError() << "(C4) group = " << group << ", expected 0 or more";
  return success();
}

LogicalResult GpuReductionConfigAttr::verifyOn(Operation *target) const {
  if (isa<linalg::LinalgOp>(target))
    return success();
  return errorOn(target) << "(C1) a gpu_reduction_config, expected an operation of linalg";
}

std::string GpuReductionConfigAttr::describe() const {
  return llvm::formatv("{0} threads per row, {1} elements at once", getThreads(), getElements());
}
