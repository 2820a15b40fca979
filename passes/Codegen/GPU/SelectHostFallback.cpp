//===- SelectHostFallback.cpp - selecting kernels that run on the host --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// LLVM selects instructions for a few functions, and mica-codegen-approximate-math expands others on f32, to which
// narrower floats are extended. All others would become calls into a library that is not available. Sizes that a kernel
// computes are checked by the runtime, which device code cannot call.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Codegen/GPU/Passes.h"

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mica {
#define GEN_PASS_DEF_SELECTHOSTFALLBACKPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether `op`, of the math dialect, has instructions for any float type.
static bool hasInstructions(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::RsqrtOp, math::FmaOp, math::FloorOp, math::CeilOp,
             math::TruncOp, math::RoundOp, math::RoundEvenOp, math::CopySignOp, math::FPowIOp, math::IPowIOp,
             math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::IsNormalOp, math::CtPopOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::ClampFOp>(op);
}

/// Whether it has an expansion for f32 and narrower types.
static bool hasExpansion(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::Log1pOp, math::ExpM1Op, math::TanhOp,
             math::ErfOp, math::ErfcOp, math::SinOp, math::CosOp, math::PowFOp>(op);
}

/// Whether the device has values of `type`; vectors of more dimensions are unrolled to rows.
static bool isInSpirv(Type type, ArrayRef<std::string> missing) {
  if (auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type))) {
    std::string name;
    llvm::raw_string_ostream(name) << element;
    if (llvm::is_contained(missing, name))
      return false;
  }
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() == 0)
    return true;
  constexpr int64_t kSizes[] = {1, 2, 3, 4, 8, 16};
  return llvm::is_contained(kSizes, vector.getShape().back());
}

/// Whether `op` accesses a vector under a mask, which LLVM's back end does not support.
static bool isMasked(Operation *op) {
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return transfer.hasOutOfBoundsDim() || transfer.getMask();
  return isa<vector::MaskedLoadOp, vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp, vector::ExpandLoadOp,
             vector::CompressStoreOp>(op);
}

/// What `func` contains that OpenCL's SPIR-V does not support; "" if nothing.
static std::string findNotInSpirv(func::FuncOp func, ArrayRef<std::string> missing) {
  std::string found;
  auto look = [&](TypeRange types) {
    for (Type type : types)
      if (found.empty() && !isInSpirv(type, missing))
        llvm::raw_string_ostream(found) << type;
  };
  func.walk([&](Operation *op) {
    look(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        look(block.getArgumentTypes());
    if (found.empty() && isMasked(op))
      found = "masked " + op->getName().getStringRef().str();
  });
  return found;
}

namespace {
struct SelectHostFallbackPass : mica::impl::SelectHostFallbackPassBase<SelectHostFallbackPass> {
  using SelectHostFallbackPassBase::SelectHostFallbackPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (std::string found = abi == mica::DeviceABI::SPIRV ? findNotInSpirv(func, missingTypes) : ""; !found.empty()) {
      func->setAttr(mica::codegen::kHostReasonAttr,
                    StringAttr::get(&getContext(), found + " has no code for the device"));
      return;
    }
    func.walk([&](Operation *op) {
      if (isa<mica::sched::CheckReshapeOp, mica::sched::CheckSumOp>(op)) {
        func->setAttr(mica::codegen::kHostReasonAttr,
                      StringAttr::get(&getContext(), "sizes that a kernel computes are checked on the host"));
        return WalkResult::interrupt();
      }
      if (isa<mica::sched::CollectiveOp>(op)) {
        func->setAttr(mica::codegen::kHostReasonAttr,
                      StringAttr::get(&getContext(), "the host exchanges tensors with other ranks"));
        return WalkResult::interrupt();
      }
      // The simulator's kernels run on this CPU, where libm is available.
      if (abi == mica::DeviceABI::Host || !isa_and_present<math::MathDialect>(op->getDialect()) || hasInstructions(op))
        return WalkResult::advance();
      Type element = getElementTypeOrSelf(op->getOperand(0).getType());
      if (hasExpansion(op) && isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 32)
        return WalkResult::advance();
      std::string type;
      llvm::raw_string_ostream(type) << element;
      func->setAttr(
          mica::codegen::kHostReasonAttr,
          StringAttr::get(&getContext(), op->getName().getStringRef() + " on " + type + " has no code for the device"));
      return WalkResult::interrupt();
    });
  }
};
} // namespace
