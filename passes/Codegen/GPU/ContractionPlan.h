//===- ContractionPlan.h - the config of a contraction on a GPU -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A block computes a tile of m x n results of a contraction (Contraction.h), from tiles of the inputs in workgroup
// memory, in steps of k.
//
// The strategies, of which the first that fits is selected:
//
//   tensor_cores    mma.sync: f16, bf16, i8, f64, and f32 that may be rounded to tf32
//   workgroup_tiles multiply-adds of each thread on results in its registers: every type
//
// Other contractions use a thread per result. Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_CONTRACTIONPLAN_H
#define MICA_PASSES_CODEGEN_GPU_CONTRACTIONPLAN_H

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "passes/Codegen/GPU/Contraction.h"

#include <string>

namespace mica::device {

/// One mma.sync operation, by the layout of its fragments: register i of a lane, with group = lane / 4 and item = lane
/// % 4, holds of
///   a  row group + 8 * (i % (m / 8)), columns item * each + 4 * each * (i / (m / 8)) and following
///   b  column group, rows item * each + 4 * each * i and following
///   c  row group + 8 * i, columns item * 2 and item * 2 + 1
struct MmaShape {
  int64_t m = 16, n = 8, k = 16;
  int64_t each = 2;            ///< elements of a register of an input
  bool hasMatrixLoads = false; ///< ldmatrix supports its elements; 32-bit ones only if contiguous along k
  bool isTf32 = false;         ///< elements are f32, rounded to tf32

  int64_t registersA() const { return m * k / (32 * each); }
  int64_t registersB() const { return n * k / (32 * each); }
  int64_t registersC() const { return m / 8; }
};

struct ContractionPlan {
  using Strategy = codegen::GpuContractionStrategy;
  Strategy strategy = Strategy::WorkgroupTiles;
  int64_t group = 0;                ///< number within the function: ops with the same number form a launch
  int64_t m = 64, n = 64, k = 16;   ///< tile of a block, and of a step
  int64_t warpM = 0, warpN = 0;     ///< of a warp (TensorCores)
  int64_t threadM = 0, threadN = 0; ///< results of a thread (WorkgroupTiles)
  int64_t stages = 2;               ///< steps with tiles in workgroup memory
  bool tf32 = false;                ///< inputs of f32 are rounded to tf32 (TensorCores)
  std::string reason;               ///< why it was selected, for users

  int64_t threads() const;
  codegen::GpuContractionConfigAttr toAttr(mlir::MLIRContext *context) const;
  /// Nullopt where `op` has none.
  static std::optional<ContractionPlan> of(mlir::Operation *op);
};

/// Properties of the device, and options.
struct Device {
  int64_t computeCapability = 80; ///< ten times the version, as in sm_80
  int64_t workgroupBytes = 48 * 1024;
  bool allowTf32 = false; ///< f32 contractions may round their inputs to tf32
};

/// The mma operation for `product`; nullopt with the reason.
std::optional<MmaShape> mmaShapeOf(const Contraction &product, const Device &device, std::string &why);

/// A strategy that was rejected, and why.
struct RejectedStrategy {
  ContractionPlan::Strategy strategy;
  std::string why;
};

/// Selects the first strategy that fits, with those that were rejected before. Nullopt if none fits. `isSmall`: a
/// thread per result is as good, so that this is no loss.
std::optional<ContractionPlan> planContraction(const Contraction &product, const Device &device,
                                               llvm::SmallVector<RejectedStrategy> &rejected, bool &isSmall);

/// Whether `plan` is valid for `product`: constraints (C4), (C5), (C6) and (C8) of
/// #mica_codegen.gpu_contraction_config, which depend on the types in the tiles. Otherwise emits an error on the op
/// that lists the valid values.
llvm::LogicalResult verifyPlan(const ContractionPlan &plan, const Contraction &product);

/// Bytes that one access of a tile moves.
inline constexpr int64_t kChunkBytes = 16;

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_CONTRACTIONPLAN_H
