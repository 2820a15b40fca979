//===- SubgroupMatrices.cpp - matrices of a subgroup as fragments of its threads ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   !gpu.mma_matrix<16x8xf32, "COp">  -> vector<4xf32>
//   gpu.subgroup_mma_load_matrix      -> a point that the whole warp reaches, memref.load of each element
//   gpu.subgroup_mma_compute          -> call @mica_sim_point_N(%a, %b, %c)
//
// Where the elements of such a matrix lie is up to the device. Here element e of lane l is the (l + 32 e)-th, counted
// by rows, so that neighbours access neighbouring memory. The accesses are ordinary ones, with all their checks.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Convert.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mica;
using namespace mica::sim;

namespace {

/// Where element `e` of a thread is in its matrix.
struct Position {
  Value row, column;
};

/// What all patterns need of the kernel.
struct MatrixKernel {
  func::FuncOp function;
  Markers &markers;

  Value constant(OpBuilder &b, Location loc, int64_t value) const {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Position positionOf(OpBuilder &b, Location loc, gpu::MMAMatrixType type, int64_t e) const {
    Value columns = constant(b, loc, type.getShape()[1]);
    Value number =
        arith::AddIOp::create(b, loc, markers.lane(b, loc, 3), constant(b, loc, e * int64_t(MICA_SIM_LANES)));
    return {arith::DivUIOp::create(b, loc, number, columns), arith::RemUIOp::create(b, loc, number, columns)};
  }
  /// All threads of the warp take part, or it is a fault.
  void meet(OpBuilder &b, Location loc) const {
    markers.point(b, loc, MICA_SIM_MEET, siteOf(function, siteText(loc)), {}, {}, {});
  }
};

/// The elements of a matrix that a thread holds.
VectorType fragmentOf(gpu::MMAMatrixType type) {
  Type element = type.getElementType();
  if (element.isInteger())
    element = IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth());
  return VectorType::get(type.getShape()[0] * type.getShape()[1] / MICA_SIM_LANES, element);
}

/// A matrix in memory: its first element, and how far rows are apart.
class MatrixInMemory {
public:
  MatrixInMemory(OpBuilder &b, Location loc, Value buffer, ValueRange indices, int64_t leadDimension, bool transposed)
      : loc(loc), buffer(buffer), indices(indices), lead(leadDimension), transposed(transposed) {
    if (hasRowsOfBuffer())
      return;
    // Rows of the matrix are not those of the buffer, which is a row of its memory then.
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
    Value first = constant(b, 0), elements = constant(b, 1);
    for (auto [index, size, stride] : llvm::zip_equal(indices, metadata.getSizes(), metadata.getStrides())) {
      first = arith::AddIOp::create(b, loc, first, arith::MulIOp::create(b, loc, index, stride));
      Value last = arith::SubIOp::create(b, loc, size, constant(b, 1));
      elements = arith::AddIOp::create(b, loc, elements, arith::MulIOp::create(b, loc, last, stride));
    }
    auto type = cast<MemRefType>(buffer.getType());
    auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {1});
    auto rowType = MemRefType::get(ShapedType::kDynamic, type.getElementType(), layout, type.getMemorySpace());
    flat = memref::ReinterpretCastOp::create(b, loc, rowType, buffer, OpFoldResult(metadata.getOffset()),
                                             ArrayRef<OpFoldResult>(OpFoldResult(elements)),
                                             ArrayRef<OpFoldResult>(OpFoldResult(b.getIndexAttr(1))));
    start = first;
  }

  Value load(OpBuilder &b, Position at) const { return memref::LoadOp::create(b, loc, target(), indicesOf(b, at)); }
  void store(OpBuilder &b, Value element, Position at) const {
    memref::StoreOp::create(b, loc, element, target(), indicesOf(b, at));
  }

private:
  Value constant(OpBuilder &b, int64_t value) const { return arith::ConstantIndexOp::create(b, loc, value); }
  Value target() const { return flat ? flat : buffer; }
  bool hasRowsOfBuffer() const {
    SmallVector<int64_t> strides;
    int64_t offset;
    return succeeded(cast<MemRefType>(buffer.getType()).getStridesAndOffset(strides, offset)) && strides.size() >= 2 &&
           strides.back() == 1 && strides[strides.size() - 2] == lead;
  }
  SmallVector<Value> indicesOf(OpBuilder &b, Position at) const {
    Value outer = transposed ? at.column : at.row, inner = transposed ? at.row : at.column;
    if (flat) {
      Value row = arith::MulIOp::create(b, loc, outer, constant(b, lead));
      return {arith::AddIOp::create(b, loc, arith::AddIOp::create(b, loc, start, row), inner)};
    }
    SmallVector<Value> all(indices);
    all[all.size() - 2] = arith::AddIOp::create(b, loc, all[all.size() - 2], outer);
    all.back() = arith::AddIOp::create(b, loc, all.back(), inner);
    return all;
  }

  Location loc;
  Value buffer;
  SmallVector<Value> indices;
  int64_t lead;
  bool transposed;
  /// Of a matrix that has rows of its own: the memory as one row, and the first element in it.
  Value flat, start;
};

template <typename Op> struct Conversion : OpConversionPattern<Op> {
  Conversion(const TypeConverter &converter, const MatrixKernel &kernel)
      : OpConversionPattern<Op>(converter, kernel.function->getContext()), kernel(kernel) {}
  const MatrixKernel &kernel;
};

/// The memory of a load or store, before which the warp meets; nothing where its elements are not those of the matrix.
template <typename Op>
std::optional<MatrixInMemory> meetAt(OpBuilder &b, const MatrixKernel &kernel, Op op, gpu::MMAMatrixType type,
                                     Value buffer, ValueRange indices) {
  if (cast<MemRefType>(buffer.getType()).getElementType() != fragmentOf(type).getElementType())
    return std::nullopt;
  kernel.meet(b, op.getLoc());
  return MatrixInMemory(b, op.getLoc(), buffer, indices, op.getLeadDimension().getSExtValue(),
                        op.getTranspose().has_value());
}

struct ConvertLoad : Conversion<gpu::SubgroupMmaLoadMatrixOp> {
  using Conversion::Conversion;
  LogicalResult matchAndRewrite(gpu::SubgroupMmaLoadMatrixOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    auto type = cast<gpu::MMAMatrixType>(op.getRes().getType());
    const auto memory = meetAt(b, kernel, op, type, op.getSrcMemref(), adaptor.getIndices());
    if (!memory)
      return failure();
    SmallVector<Value> elements;
    for (int64_t e = 0; e < fragmentOf(type).getNumElements(); ++e)
      elements.push_back(memory->load(b, kernel.positionOf(b, op.getLoc(), type, e)));
    b.replaceOpWithNewOp<vector::FromElementsOp>(op, fragmentOf(type), elements);
    return success();
  }
};

struct ConvertStore : Conversion<gpu::SubgroupMmaStoreMatrixOp> {
  using Conversion::Conversion;
  LogicalResult matchAndRewrite(gpu::SubgroupMmaStoreMatrixOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    auto type = cast<gpu::MMAMatrixType>(op.getSrc().getType());
    Location loc = op.getLoc();
    const auto memory = meetAt(b, kernel, op, type, op.getDstMemref(), adaptor.getIndices());
    if (!memory)
      return failure();
    for (int64_t e = 0; e < fragmentOf(type).getNumElements(); ++e)
      memory->store(b, vector::ExtractOp::create(b, loc, adaptor.getSrc(), e), kernel.positionOf(b, loc, type, e));
    b.eraseOp(op);
    return success();
  }
};

struct ConvertConstant : Conversion<gpu::SubgroupMmaConstantMatrixOp> {
  using Conversion::Conversion;
  LogicalResult matchAndRewrite(gpu::SubgroupMmaConstantMatrixOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    const VectorType type = fragmentOf(op.getType());
    if (adaptor.getValue().getType() != type.getElementType())
      return failure();
    b.replaceOpWithNewOp<vector::BroadcastOp>(op, type, adaptor.getValue());
    return success();
  }
};

struct ConvertExtract : Conversion<gpu::SubgroupMmaExtractThreadLocalOp> {
  using Conversion::Conversion;
  LogicalResult matchAndRewrite(gpu::SubgroupMmaExtractThreadLocalOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    if (adaptor.getIndices().size() != 1 ||
        op.getType() != cast<VectorType>(adaptor.getMatrix().getType()).getElementType())
      return failure();
    b.replaceOpWithNewOp<vector::ExtractOp>(op, adaptor.getMatrix(), OpFoldResult(adaptor.getIndices().front()));
    return success();
  }
};

struct ConvertInsert : Conversion<gpu::SubgroupMmaInsertThreadLocalOp> {
  using Conversion::Conversion;
  LogicalResult matchAndRewrite(gpu::SubgroupMmaInsertThreadLocalOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    if (adaptor.getIndices().size() != 1 ||
        op.getValue().getType() != cast<VectorType>(adaptor.getMatrix().getType()).getElementType())
      return failure();
    b.replaceOpWithNewOp<vector::InsertOp>(op, adaptor.getValue(), adaptor.getMatrix(),
                                           OpFoldResult(adaptor.getIndices().front()));
    return success();
  }
};

struct ConvertElementwise : Conversion<gpu::SubgroupMmaElementwiseOp> {
  using Conversion::Conversion;
  /// The op on fragments; null if it has another number of operands.
  static Value compute(OpBuilder &b, Location loc, gpu::MMAElementwiseOp kind, Type type, ValueRange args) {
    if (args.size() == 1) {
      switch (kind) {
      case gpu::MMAElementwiseOp::NEGATEF:
        return arith::NegFOp::create(b, loc, args[0]);
      case gpu::MMAElementwiseOp::NEGATES:
        return arith::SubIOp::create(b, loc, arith::ConstantOp::create(b, loc, b.getZeroAttr(type)), args[0]);
      case gpu::MMAElementwiseOp::EXTF:
        return arith::ExtFOp::create(b, loc, type, args[0]);
      default:
        return {};
      }
    }
    if (args.size() != 2)
      return {};
    switch (kind) {
    case gpu::MMAElementwiseOp::ADDF:
      return arith::AddFOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::MULF:
      return arith::MulFOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::SUBF:
      return arith::SubFOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::MAXF:
      return arith::MaximumFOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::MINF:
      return arith::MinimumFOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::DIVF:
      return arith::DivFOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::ADDI:
      return arith::AddIOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::MULI:
      return arith::MulIOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::SUBI:
      return arith::SubIOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::DIVS:
      return arith::DivSIOp::create(b, loc, args[0], args[1]);
    case gpu::MMAElementwiseOp::DIVU:
      return arith::DivUIOp::create(b, loc, args[0], args[1]);
    default:
      return {};
    }
  }
  LogicalResult matchAndRewrite(gpu::SubgroupMmaElementwiseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Value result = compute(b, op.getLoc(), op.getOpType(), fragmentOf(op.getType()), adaptor.getArgs());
    if (!result)
      return failure();
    b.replaceOp(op, result);
    return success();
  }
};

struct ConvertCompute : Conversion<gpu::SubgroupMmaComputeOp> {
  using Conversion::Conversion;
  static std::optional<mica_sim_mma_type> typeOf(gpu::MMAMatrixType inputs, Type sums) {
    Type input = inputs.getElementType();
    if (input.isF16())
      return sums.isF16() ? MICA_SIM_MMA_F16_F16 : MICA_SIM_MMA_F16;
    if (input.isF32() && sums.isF32())
      return MICA_SIM_MMA_TF32;
    if (input.isF64() && sums.isF64())
      return MICA_SIM_MMA_F64;
    if (input.isInteger(8) && sums.isInteger(32))
      return input.isUnsignedInteger() ? MICA_SIM_MMA_U8 : MICA_SIM_MMA_I8;
    return std::nullopt;
  }
  LogicalResult matchAndRewrite(gpu::SubgroupMmaComputeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    auto a = cast<gpu::MMAMatrixType>(op.getOpA().getType()), c = cast<gpu::MMAMatrixType>(op.getOpC().getType());
    auto bType = cast<gpu::MMAMatrixType>(op.getOpB().getType());
    const std::optional<mica_sim_mma_type> type = typeOf(a, c.getElementType());
    if (!type || a.getElementType() != bType.getElementType())
      return failure();
    int64_t bytes = 0;
    for (Value operand : adaptor.getOperands())
      bytes += llvm::alignTo(elementBytesOf(operand.getType()), 16);
    if (bytes > MICA_SIM_EXCHANGE_BYTES)
      return failure();
    auto results = kernel.markers.point(
        b, op.getLoc(), MICA_SIM_SUBGROUP_MMA, siteOf(kernel.function, siteText(op.getLoc())),
        {int32_t(c.getShape()[0]), int32_t(c.getShape()[1]), int32_t(a.getShape()[1]), int32_t(*type)},
        adaptor.getOpC().getType(), adaptor.getOperands());
    b.replaceOp(op, results);
    return success();
  }
};

struct ConvertSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor, ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCondition(), adaptor.getTrueValue(), adaptor.getFalseValue());
    return success();
  }
};

} // namespace

/// Whether all threads of a warp hold the same number of elements of `type`.
static bool isShared(Type type) {
  auto matrix = dyn_cast<gpu::MMAMatrixType>(type);
  return !matrix || matrix.getShape()[0] * matrix.getShape()[1] % MICA_SIM_LANES == 0;
}

LogicalResult sim::convertSubgroupMatrices(func::FuncOp function, Markers &markers) {
  auto hasMatrix = [](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<gpu::MMAMatrixType>) ||
           llvm::any_of(op->getResultTypes(), llvm::IsaPred<gpu::MMAMatrixType>);
  };
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (hasMatrix(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return success();
  for (Operation *op : ops)
    if (!llvm::all_of(op->getOperandTypes(), isShared) || !llvm::all_of(op->getResultTypes(), isShared))
      return op->emitOpError() << "is not simulated: the elements of a matrix do not divide evenly among the "
                               << MICA_SIM_LANES << " threads of a warp";
  const MatrixKernel kernel{function, markers};
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion([](gpu::MMAMatrixType type) -> Type { return fragmentOf(type); });
  RewritePatternSet patterns(function.getContext());
  ConversionTarget target(*function.getContext());
  target.markUnknownOpDynamicallyLegal([&](Operation *op) { return !hasMatrix(op); });
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
  cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns, target);
  patterns.add<ConvertLoad, ConvertStore, ConvertConstant, ConvertExtract, ConvertInsert, ConvertElementwise,
               ConvertCompute>(converter, kernel);
  patterns.add<ConvertSelect>(converter, function.getContext());
  {
    // The error below says more than that of the conversion.
    ScopedDiagnosticHandler handler(function.getContext(), [&](Diagnostic &) { return success(); });
    if (succeeded(applyPartialConversion(function, target, std::move(patterns))))
      return success();
  }
  Operation *left = nullptr;
  function.walk([&](Operation *op) {
    if (!left && hasMatrix(op))
      left = op;
  });
  return left->emitOpError() << "is not simulated: of matrices of a subgroup, products of f16, f32 (tf32), f64 and i8 "
                                "are, whose operands of a thread take "
                             << MICA_SIM_EXCHANGE_BYTES << " bytes, and memory has their element type";
}
