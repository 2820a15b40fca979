//===- ConvertNvgpu.cpp - converting mbarriers, TMA and products of a warpgroup to NVVM ---------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// By upstream's patterns, so that kernels run as they would on a device, whichever of the two dialects they are written
// in. Types of nvgpu that are left in loops, branches and signatures are replaced afterwards. What upstream's patterns
// assume without a check is checked before.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Passes.h"

#include "passes/Codegen/Sim/Markers.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTNVGPU
#include "passes/Codegen/Sim/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Ops that only devices from sm_90 on have; the others of the dialect are simulated as they are.
static bool isConverted(Operation *op) {
  return isa<nvgpu::MBarrierCreateOp, nvgpu::MBarrierGetOp, nvgpu::MBarrierInitOp, nvgpu::MBarrierTestWaitOp,
             nvgpu::MBarrierArriveOp, nvgpu::MBarrierArriveNoCompleteOp, nvgpu::MBarrierArriveExpectTxOp,
             nvgpu::MBarrierTryWaitParityOp, nvgpu::TmaFenceOp, nvgpu::TmaPrefetchOp, nvgpu::TmaAsyncLoadOp,
             nvgpu::TmaAsyncStoreOp, nvgpu::TmaCreateDescriptorOp, nvgpu::WarpgroupGenerateDescriptorOp,
             nvgpu::WarpgroupMmaOp, nvgpu::WarpgroupMmaStoreOp, nvgpu::WarpgroupMmaInitAccumulatorOp>(op);
}

static bool isInWorkgroupMemory(nvgpu::MBarrierGroupType type) {
  if (auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace()))
    return space.getValue() == gpu::AddressSpace::Workgroup;
  auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  return number && number.getInt() == sim::kWorkgroupSpace;
}

/// Elements of `type` that a product takes along k; 0 if it takes none.
static int64_t elementsAlongK(Type type) {
  if (type.isTF32())
    return 8;
  if (type.isF16() || type.isBF16())
    return 16;
  return isa<Float8E4M3FNType, Float8E5M2Type>(type) ? 32 : 0;
}

static LogicalResult checkProduct(nvgpu::WarpgroupMmaOp op) {
  MemRefType a = op.getDescriptorA().getType().getTensor(), b = op.getDescriptorB().getType().getTensor();
  const int64_t k = elementsAlongK(a.getElementType());
  if (k == 0 || elementsAlongK(b.getElementType()) != k)
    return op.emitOpError() << "is not simulated: elements are " << a.getElementType() << " and " << b.getElementType()
                            << "; f16, bf16, tf32, f8E4M3FN and f8E5M2 are possible";
  if (a.getDimSize(0) % 64 != 0 || a.getDimSize(1) % k != 0 || b.getDimSize(1) % 8 != 0 || b.getDimSize(1) > 256)
    return op.emitOpError() << "is not simulated: rows are multiples of 64, columns multiples of 8 of at most 256, and "
                               "the dimension between them is a multiple of "
                            << k;
  return success();
}

/// The driver's constants for element types (CUtensorMapDataType) that upstream's pattern knows.
static LogicalResult checkDescriptor(nvgpu::TmaCreateDescriptorOp op) {
  Type type = op.getTensor().getType().getElementType();
  auto integer = dyn_cast<IntegerType>(type);
  const bool isKnown =
      type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
      (integer && integer.isUnsigned() && llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth())) ||
      (integer && integer.isSignless() && llvm::is_contained({32u, 64u}, integer.getWidth()));
  if (!isKnown)
    return op.emitOpError() << "is not simulated: the driver has no tensor maps of " << type
                            << "; those of f16, bf16, f32, f64, i32, i64 and ui8 to ui64 are possible";
  return success();
}

static LogicalResult checkOp(Operation *op) {
  for (Type type :
       llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes()))) {
    if (auto group = dyn_cast<nvgpu::MBarrierGroupType>(type); group && !isInWorkgroupMemory(group))
      return op->emitOpError() << "is not simulated: mbarriers are in workgroup memory";
    if (auto sums = dyn_cast<nvgpu::WarpgroupAccumulatorType>(type);
        sums && !sums.getFragmented().getElementType().isF32() && !sums.getFragmented().getElementType().isInteger(32))
      return op->emitOpError() << "is not simulated: accumulators are f32 or i32";
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](nvgpu::WarpgroupMmaOp op) { return checkProduct(op); })
      .Case([](nvgpu::TmaCreateDescriptorOp op) { return checkDescriptor(op); })
      .Default([](Operation *) { return success(); });
}

/// As upstream's pass has them.
static void addConversions(LLVMTypeConverter &converter) {
  nvgpu::populateCommonGPUTypeAndAttributeConversions(converter);
  MLIRContext *context = &converter.getContext();
  converter.addConversion([&converter, context](nvgpu::MBarrierGroupType type) -> Type {
    return converter.convertType(nvgpu::getMBarrierMemrefType(context, type));
  });
  converter.addConversion([context](nvgpu::MBarrierTokenType) -> Type { return IntegerType::get(context, 64); });
  converter.addConversion(
      [context](nvgpu::WarpgroupMatrixDescriptorType) -> Type { return IntegerType::get(context, 64); });
  converter.addConversion(
      [context](nvgpu::TensorMapDescriptorType) -> Type { return LLVM::LLVMPointerType::get(context); });
  converter.addConversion([context](nvgpu::WarpgroupAccumulatorType type) -> Type {
    VectorType sums = type.getFragmented();
    constexpr int64_t kRows = 64;
    SmallVector<Type> registers(sums.getDimSize(1) / 2, sums.getElementType());
    SmallVector<Type> blocks(sums.getDimSize(0) / kRows, LLVM::LLVMStructType::getLiteral(context, registers));
    return LLVM::LLVMStructType::getLiteral(context, blocks);
  });
}

namespace {
struct ConvertNvgpu : mica::impl::ConvertNvgpuBase<ConvertNvgpu> {
  void runOnOperation() override {
    ModuleOp program = getOperation();
    SmallVector<Operation *> ops;
    program.walk([&](Operation *op) {
      if (isConverted(op))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    for (Operation *op : ops) {
      if (failed(checkOp(op)))
        return signalPassFailure();
      op->setLoc(sim::nameSite(op));
    }
    LLVMTypeConverter converter(&getContext());
    addConversions(converter);
    RewritePatternSet patterns(&getContext());
    populateNVGPUToNVVMConversionPatterns(converter, patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *op) { return !isConverted(op); });
    if (failed(applyPartialConversion(program, target, std::move(patterns))))
      return signalPassFailure();
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](Type type) -> std::optional<Type> {
      if (isa<nvgpu::MBarrierGroupType, nvgpu::MBarrierTokenType, nvgpu::WarpgroupMatrixDescriptorType,
              nvgpu::TensorMapDescriptorType, nvgpu::WarpgroupAccumulatorType>(type))
        return converter.convertType(type);
      return std::nullopt;
    });
    replacer.recursivelyReplaceElementsIn(program, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
    program.walk([](UnrealizedConversionCastOp cast) {
      if (cast.getOperandTypes() != cast.getResultTypes())
        return;
      cast.replaceAllUsesWith(cast.getOperands());
      cast.erase();
    });
  }
};
} // namespace
