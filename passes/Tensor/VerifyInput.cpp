//===- VerifyInput.cpp - rejecting unsupported programs ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One walk collects all problems before it reports them, grouped by kind, so that a user sees everything that a file
// needs at once: for each kind of op or type up to `limit` positions, then the number of further ones.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Checked.h"
#include "passes/Tensor/AcceptedOps.h"
#include "passes/Tensor/Passes.h"

#include "dialects/Mica/IR/SymbolUses.h"
#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace mica {
#define GEN_PASS_DEF_VERIFYINPUT
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

static bool isAcceptedScalar(Type type) {
  if (isa<IndexType, Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && !integer.isUnsigned() && llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth());
}

/// Why host functions, which support what upstream's conversions support, do not support `type`; empty if they do.
static std::string reasonAgainstOnHost(Type type) {
  StringRef dialect = type.getDialect().getNamespace();
  if (llvm::is_contained({"builtin", "llvm", "async", "sparse_tensor", "tosa", "mica_sched", "shard"}, dialect))
    return "";
  return "host functions work on tensors, buffers, vectors, scalars and pointers";
}

/// Why `type` is not supported; empty if it is.
static std::string reasonAgainst(Type type) {
  if (isAcceptedScalar(type) || isa<FunctionType, NoneType>(type))
    return "";
  if (llvm::is_contained({"tosa", "mica_sched", "shard"}, type.getDialect().getNamespace()))
    return ""; // tosa.shape, shard.sharding
  if (auto vector = dyn_cast<VectorType>(type))
    return isAcceptedScalar(vector.getElementType()) ? "" : "vectors have elements of a type that tensors may have";
  if (auto buffer = dyn_cast<BaseMemRefType>(type)) {
    Type element = buffer.getElementType();
    if (isAcceptedScalar(getElementTypeOrSelf(element)) && (element.isIntOrIndexOrFloat() || isa<VectorType>(element)))
      return "";
    return "buffers hold elements of a type that tensors may have";
  }
  if (isa<UnrankedTensorType>(type))
    return "its rank is unknown; give ranked tensors";
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return "programs work on tensors, buffers, vectors and scalars";
  if (tensor.getEncoding())
    return "encodings (sparse layouts) are not compiled";
  if (!isAcceptedScalar(tensor.getElementType()))
    return "element types are f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i4, i8, i16, i32, i64 and index";
  return "";
}

/// More bytes than any machine has, such that sums of thousands of them do not overflow.
static constexpr int64_t kMostBytes = int64_t(1) << 50;

/// Bytes from the first element of `type` to the end of the last, if all sizes are static; nothing on overflow.
static std::optional<int64_t> extentOf(ShapedType type, int64_t elementBytes) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || buffer.getLayout().isIdentity())
    return mica::checkedBytes(type.getShape(), elementBytes);
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(buffer.getStridesAndOffset(strides, offset)) || llvm::is_contained(type.getShape(), 0))
    return 0;
  // The element that is farthest from the first, in either direction.
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  if (offset == kLeast)
    offset = 0; // dynamic
  std::optional<int64_t> last = std::abs(offset);
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides)) {
    if (stride == kLeast || !last) // dynamic
      continue;
    const std::optional<int64_t> span = mica::checkedMul(size - 1, std::abs(stride));
    last = span ? mica::checkedAdd(*last, *span) : std::nullopt;
  }
  last = last ? mica::checkedAdd(*last, 1) : std::nullopt;
  return last ? mica::checkedMul(*last, elementBytes) : std::nullopt;
}

/// Why a value of `type` exceeds every machine's memory; empty if not. Dynamic sizes count as 1.
static std::string sizeProblem(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return "";
  Type element = getElementTypeOrSelf(shaped.getElementType());
  if (!element.isIntOrIndexOrFloat())
    return "";
  int64_t elementBytes = element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
  if (auto vector = dyn_cast<VectorType>(shaped.getElementType()))
    elementBytes = mica::checkedBytes(vector.getShape(), elementBytes).value_or(kMostBytes + 1);
  SmallVector<int64_t> shape(shaped.getShape());
  std::replace(shape.begin(), shape.end(), ShapedType::kDynamic, int64_t(1));
  auto buffer = dyn_cast<MemRefType>(type);
  ShapedType known =
      buffer ? ShapedType(MemRefType::get(shape, buffer.getElementType(), buffer.getLayout())) : shaped.clone(shape);
  const std::optional<int64_t> bytes = extentOf(known, elementBytes);
  if (bytes && *bytes <= kMostBytes)
    return "";
  return "it takes " + (bytes ? std::to_string(*bytes) + " bytes" : std::string("more than 2^63 bytes")) +
         ", and no machine has more than 2^50";
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Whether `op` is in a loop without iterations, or in a branch that is never taken, by constants.
static bool neverRuns(Operation *op) {
  for (Operation *inner = op, *around = op->getParentOp(); around; inner = around, around = around->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(around)) {
      if (std::optional<APInt> count = loop.getStaticTripCount(); count && count->isZero())
        return true;
    } else if (auto branch = dyn_cast<scf::IfOp>(around)) {
      const std::optional<int64_t> condition = getConstantIntValue(branch.getCondition());
      if (condition && (*condition != 0) != (inner->getParentRegion() == &branch.getThenRegion()))
        return true;
    }
  }
  return false;
}

namespace {
/// One kind of problem and where it occurs.
struct Problem {
  std::string what, advice;
  llvm::SmallVector<Location> places;
};

class VerifyInput : public mica::impl::VerifyInputBase<VerifyInput> {
public:
  using VerifyInputBase::VerifyInputBase;

  void runOnOperation() override {
    problems.clear();
    uses.reset();
    holdsHostOps = llvm::any_of(getOperation().getOps<func::FuncOp>(),
                                [](func::FuncOp function) { return function->hasAttr(sched::kHostOpAttr); });
    getOperation()->walk([&](Operation *op) {
      if (op == getOperation())
        return;
      isHostCode = onHost || standsInHostFunction(op);
      if (!checkName(op))
        return;
      checkTypes(op);
      checkConstants(op);
      checkPrints(op);
      // Simplifications drop it, as with stock tools.
      if (neverRuns(op))
        return;
      checkDivisors(op);
      checkSteps(op);
      checkDimension(op);
      checkVectorRank(op);
      checkSoftmax(op);
      checkBuffers(op);
      checkReduction(op);
      checkInsertion(op);
      checkOuterProduct(op);
      checkResize(op);
      checkExchange(op);
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        checkFunction(function);
    });
    if (!onHost)
      checkCalls();
    report();
    markAllAnalysesPreserved();
  }

private:
  void add(llvm::StringRef what, llvm::StringRef advice, Location place) {
    Problem &problem = problems[what.str()];
    if (problem.places.empty()) {
      problem.what = what.str();
      problem.advice = advice.str();
    }
    problem.places.push_back(place);
  }

  /// Returns false if the op itself is rejected; then its details are not checked.
  bool checkName(Operation *op) {
    std::optional<mica::OpRefusal> refusal =
        mica::refusalOf(op->getName().getStringRef(), op->isRegistered(), isHostCode);
    // Kernels of a recorded snapshot are modules; other nested modules would be mistaken for kernels.
    if (!refusal && isa<ModuleOp>(op) && !op->hasAttr(mica::sched::kKernelAttr))
      refusal = {"op 'builtin.module' is not supported as input",
                 "a program is one module; move the functions of the inner one out of it"};
    if (refusal)
      add(refusal->what, refusal->advice, op->getLoc());
    return !refusal;
  }

  /// An op on tensors whose body prints, which kernels cannot.
  void checkPrints(Operation *op) {
    auto makesTensors = [](Operation *each) {
      return isa<linalg::LinalgOp, tensor::GenerateOp, tensor::PadOp, scf::ForallOp>(each) &&
             llvm::any_of(each->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    };
    if (isHostCode || !makesTensors(op))
      return;
    for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
      if (makesTensors(around))
        return;
    if (op->walk([](vector::PrintOp) { return WalkResult::interrupt(); }).wasInterrupted())
      add("op '" + op->getName().getStringRef().str() + "' prints in its body, which kernels cannot",
          "print its result after it", op->getLoc());
  }

  /// A tensor.dim of a nonexistent dimension, which verifiers allow because its result is undefined.
  void checkDimension(Operation *op) {
    auto dim = dyn_cast<ShapedDimOpInterface>(op);
    auto type = dim ? dyn_cast<ShapedType>(dim.getShapedValue().getType()) : ShapedType();
    std::optional<int64_t> index = dim ? getConstantIntValue(dim.getDimension()) : std::nullopt;
    if (index && type && type.hasRank() && (*index < 0 || *index >= type.getRank()))
      add("op '" + op->getName().getStringRef().str() + "' queries dimension " + std::to_string(*index) +
              " of a value with " + std::to_string(type.getRank()),
          "dimensions count from 0", op->getLoc());
  }

  /// An integer softmax is not defined, and cannot be lowered.
  void checkSoftmax(Operation *op) {
    auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
    if (softmax && !isa<FloatType>(softmax.getInputOperandType().getElementType()))
      add("op 'linalg.softmax' works on elements that are no floats",
          "convert them first (arith.sitofp), and the result back", op->getLoc());
  }

  /// Kinds of vector.multi_reduction that its element type does not support, such as xor of floats.
  void checkReduction(Operation *op) {
    auto reduction = dyn_cast<vector::MultiDimReductionOp>(op);
    if (!reduction)
      return;
    using Kind = vector::CombiningKind;
    const Kind kind = reduction.getKind();
    Type element = getElementTypeOrSelf(reduction.getType());
    const bool isOfFloats = llvm::is_contained({Kind::MINNUMF, Kind::MAXNUMF, Kind::MINIMUMF, Kind::MAXIMUMF}, kind);
    const bool isOfBoth = kind == Kind::ADD || kind == Kind::MUL;
    if (!isOfBoth && isa<FloatType>(element) != isOfFloats)
      add("op 'vector.multi_reduction' combines elements of type " + textOf(element) + " by " +
              vector::stringifyCombiningKind(kind).str(),
          "the kinds of integers are add, mul, minui, minsi, maxui, maxsi, and, or, xor; those of floats add, mul, "
          "minnumf, maxnumf, minimumf, maximumf",
          op->getLoc());
  }

  /// vector.insert of a value that is neither a vector nor an element.
  void checkInsertion(Operation *op) {
    auto insert = dyn_cast<vector::InsertOp>(op);
    if (!insert)
      return;
    Type stored = insert.getValueToStore().getType();
    if (!isa<VectorType>(stored) && stored != insert.getDestVectorType().getElementType())
      add("op 'vector.insert' inserts a value of type " + textOf(stored), "give a vector, or an element of it",
          op->getLoc());
  }

  /// vector.outerproduct by a value that is neither a vector nor an element.
  void checkOuterProduct(Operation *op) {
    auto product = dyn_cast<vector::OuterProductOp>(op);
    if (!product)
      return;
    Type right = product.getRhs().getType();
    if (!isa<VectorType>(right) && right != product.getOperandVectorTypeLHS().getElementType())
      add("op 'vector.outerproduct' multiplies by a value of type " + textOf(right),
          "give a vector, or an element of it", op->getLoc());
  }

  /// tosa.resize between images of other counts or channels, which its verifier does not compare.
  void checkResize(Operation *op) {
    auto resize = dyn_cast<tosa::ResizeOp>(op);
    if (!resize)
      return;
    auto input = dyn_cast<RankedTensorType>(resize.getInput().getType());
    auto result = dyn_cast<RankedTensorType>(resize.getType());
    if (!input || !result || input.getRank() != 4 || result.getRank() != 4)
      return;
    for (auto [dim, what] : {std::pair(0, "images"), std::pair(3, "channels")})
      if (!input.isDynamicDim(dim) && !result.isDynamicDim(dim) && input.getDimSize(dim) != result.getDimSize(dim))
        add("op 'tosa.resize' makes " + std::to_string(result.getDimSize(dim)) + " " + what + " of " +
                std::to_string(input.getDimSize(dim)),
            "it changes heights and widths alone", op->getLoc());
  }

  /// An exchange between ranks without a use is removed. If all ranks execute it, that changes nothing; if only some
  /// do, the others wait for these.
  void checkExchange(Operation *op) {
    if (!isa_and_present<shard::ShardDialect>(op->getDialect()) || op->getNumOperands() == 0 ||
        isa<shard::ShardOp, shard::ShardingOp>(op) || !op->use_empty())
      return;
    if (isa<shard::SendOp>(op) || !isa_and_present<FunctionOpInterface>(op->getParentOp()))
      add("the result of '" + op->getName().getStringRef().str() + "' has no use, so the exchange would be removed",
          "use it, or return it", op->getLoc());
  }

  /// Ops that verifiers allow but that cannot be lowered: casts of buffers to other element types, clones of another
  /// type, and, in kernels, atomic products.
  void checkBuffers(Operation *op) {
    const std::string name = "op '" + op->getName().getStringRef().str() + "'";
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) && isa<BaseMemRefType>(op->getResult(0).getType())) {
      // Upstream shows the memory as the other type, which is right for integers of the width of an index only.
      auto isWide = [](Type type) { return getElementTypeOrSelf(type).isInteger(64); };
      if (!isHostCode || (!isWide(op->getOperand(0).getType()) && !isWide(op->getResult(0).getType())))
        add(name + " casts a buffer", "cast the elements that are loaded", op->getLoc());
    }
    auto clone = dyn_cast<bufferization::CloneOp>(op);
    if (clone && !memref::CastOp::areCastCompatible(clone.getInput().getType(), clone.getOutput().getType()))
      add(name + " makes a buffer of another type", "a clone has the shape and the elements of its operand",
          op->getLoc());
    auto update = dyn_cast<memref::AtomicRMWOp>(op);
    if (update && !isHostCode && !onHost &&
        llvm::is_contained({arith::AtomicRMWKind::mulf, arith::AtomicRMWKind::muli}, update.getKind()))
      add(name + " multiplies, for which kernels have no atomic instruction",
          "in kernels, write memref.generic_atomic_rmw on integers", op->getLoc());
  }

  /// Vectors without LLVM loads and stores, and those with more dimensions than their buffer: MLIR's verifiers allow
  /// both, but they cannot be lowered.
  void checkVectorRank(Operation *op) {
    if (!isa<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp, vector::MaskedStoreOp, vector::ScatterOp,
             vector::CompressStoreOp, vector::ExpandLoadOp, affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(
            op))
      return;
    int64_t rank = 0, bufferRank = 0;
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
      if (auto vector = dyn_cast<VectorType>(type))
        rank = std::max(rank, vector.getRank());
      else if (auto buffer = dyn_cast<MemRefType>(type))
        bufferRank = isa<VectorType>(buffer.getElementType()) ? rank : buffer.getRank();
    }
    const std::string what =
        "op '" + op->getName().getStringRef().str() + "' accesses a vector of rank " + std::to_string(rank);
    if (rank > 1)
      add(what, "write vector.transfer_read or transfer_write, which take every rank", op->getLoc());
    else if (rank > bufferRank)
      add(what + " in a buffer of rank " + std::to_string(bufferRank),
          "the buffer needs at least as many dimensions as the vector", op->getLoc());
  }

  /// Folds erase a loop whose constant step is not positive. The verifier of scf.parallel refuses it.
  void checkSteps(Operation *op) {
    SmallVector<OpFoldResult> steps;
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && !loop.getUnsignedCmp())
      steps.push_back(loop.getStep());
    else if (auto loop = dyn_cast<scf::ForallOp>(op))
      steps = loop.getMixedStep();
    for (OpFoldResult each : steps)
      if (std::optional<int64_t> step = getConstantIntValue(each); step && *step < 1)
        add("op '" + op->getName().getStringRef().str() + "' has the step " + std::to_string(*step),
            "a step must be above 0", op->getLoc());
  }

  /// A map or set that divides by a constant below 1 has no meaning, and MLIR's folds make poison of the result.
  void checkDivisors(Operation *op) {
    if (!isa_and_present<affine::AffineDialect, linalg::LinalgDialect>(op->getDialect()))
      return;
    std::optional<int64_t> wrong;
    auto look = [&](AffineExpr whole) {
      whole.walk([&](AffineExpr part) {
        if (!llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv, AffineExprKind::CeilDiv},
                                part.getKind()))
          return;
        auto divisor = dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS());
        if (divisor && divisor.getValue() < 1)
          wrong = divisor.getValue();
      });
    };
    for (NamedAttribute named : op->getAttrs())
      named.getValue().walk([&](Attribute attribute) {
        if (auto map = dyn_cast<AffineMapAttr>(attribute))
          llvm::for_each(map.getValue().getResults(), look);
        else if (auto set = dyn_cast<IntegerSetAttr>(attribute))
          llvm::for_each(set.getValue().getConstraints(), look);
      });
    if (wrong)
      add("op '" + op->getName().getStringRef().str() + "' divides by " + std::to_string(*wrong) + " in an affine map",
          "floordiv, ceildiv and mod need a divisor above 0", op->getLoc());
  }

  /// An unranked tensor that is only passed to print helpers.
  static bool isForHelpers(Operation *op) {
    return isa<tensor::CastOp>(op) && llvm::all_of(op->getUsers(), [](Operation *user) {
             auto call = dyn_cast<func::CallOp>(user);
             return call && sched::isRuntimeHelper(call.getCallee());
           });
  }

  void checkType(Operation *op, Type type, llvm::StringRef role) {
    std::string reason = isHostCode ? reasonAgainstOnHost(type) : reasonAgainst(type);
    if (reason.empty())
      reason = sizeProblem(type);
    if (reason.empty() || (isa<UnrankedTensorType>(type) && isForHelpers(op)))
      return;
    std::string text;
    llvm::raw_string_ostream(text) << "'" << op->getName() << "' " << role << " a value of type " << type;
    add(text, reason, op->getLoc());
  }

  void checkTypes(Operation *op) {
    for (Type type : op->getResultTypes())
      checkType(op, type, "makes");
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          checkType(op, type, "takes");
  }

  void checkConstants(Operation *op) {
    AttrTypeWalker walker;
    walker.addWalk([&](DenseResourceElementsAttr attr) {
      llvm::StringRef key = attr.getRawHandle().getKey();
      if (attr.getRawHandle().getBlob())
        return checkSize(op, attr);
      if (key == "__elided__")
        add("a constant's weights are elided (dense_resource<__elided__>): the file was printed without them",
            "export again without elision (no --mlir-elide-elementsattrs-if-larger, no "
            "--mlir-elide-resource-strings-if-larger; "
            "in torch-mlir, print with enable_debug_info=False, large_elements_limit=None)",
            op->getLoc());
      else
        add(("the resource '" + key + "' has no bytes in the file").str(),
            "the section {-# dialect_resources #-} at the end is missing or cut off; export again", op->getLoc());
    });
    walker.walk(op->getAttrDictionary());
  }

  void checkSize(Operation *op, DenseResourceElementsAttr attr) {
    ShapedType type = attr.getType();
    Type element = type.getElementType();
    if (!type.hasStaticShape() || !element.isIntOrIndexOrFloat())
      return;
    int64_t bits = element.isIndex() ? 64 : element.isInteger(1) ? 8 : element.getIntOrFloatBitWidth();
    const std::optional<int64_t> elements = mica::checkedElements(type.getShape());
    const std::optional<int64_t> allBits = elements ? mica::checkedMul(*elements, bits) : std::nullopt;
    if (!allBits)
      return; // its type is rejected
    int64_t expected = *allBits / 8 + (*allBits % 8 != 0);
    int64_t actual = attr.getRawHandle().getBlob()->getData().size();
    if (actual == expected)
      return;
    std::string text;
    llvm::raw_string_ostream(text) << "the resource '" << attr.getRawHandle().getKey() << "' holds " << actual
                                   << " bytes, but " << type << " needs " << expected;
    add(text, "the file is damaged or edited: export again", op->getLoc());
  }

  bool isUsed(FunctionOpInterface function) {
    if (!uses)
      uses.emplace(getOperation());
    return uses->isUsed(function);
  }

  void checkFunction(FunctionOpInterface function) {
    // An unused declaration is ignored.
    if (!isHostCode && function.isExternal() && !sched::isRuntimeHelper(function.getName()) && isUsed(function))
      add(("function '@" + function.getName() + "' has no body").str(),
          "calls out of the program go to the runtime's helpers (printMemrefF32, printI64, rtclock, ...; "
          "docs/BufferPrograms.md lists them) and to libraries that are linked; give the function, remove it, or link "
          "a library "
          "that has it: --link=lib.so",
          function.getLoc());
    // Arguments of entries must be buffers or fit into a register of the C calling convention.
    auto type = dyn_cast<FunctionType>(function.getFunctionType());
    bool isEntry = SymbolTable::getSymbolVisibility(function) == SymbolTable::Visibility::Public;
    if (!isHostCode && isEntry && type &&
        llvm::any_of(llvm::concat<const Type>(type.getInputs(), type.getResults()), llvm::IsaPred<VectorType>))
      add(("function '@" + function.getName() + "' takes or returns a vector").str(),
          "users call functions on tensors, buffers and scalars; pass a tensor, or make the function private",
          function.getLoc());
    if (!isHostCode && !function.isExternal() &&
        llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<UnrankedMemRefType>))
      add(("function '@" + function.getName() + "' takes a buffer of unknown rank").str(),
          "give ranked buffers (memref<?x?xf32>); only the runtime's helpers take others", function.getLoc());
    // A function's name becomes part of a symbol of the program, where '@' starts a version and control characters are
    // lost.
    if (llvm::any_of(function.getName(), [](unsigned char c) { return c == '@' || c < 0x20 || c == 0x7f; })) {
      std::string name;
      llvm::raw_string_ostream os(name);
      os.write_escaped(function.getName());
      add("the function's name \"" + name + "\" holds '@' or a control character", "give it another name",
          function.getLoc());
    }
  }

  /// Calls are inlined, so the call graph must have no cycle, and not too many paths.
  void checkCalls() {
    llvm::DenseMap<Operation *, llvm::SmallVector<std::pair<func::CallOp, Operation *>>> calls;
    SymbolTableCollection symbols;
    llvm::MapVector<Operation *, uint64_t> ops; ///< of each function; once visited, including those of its calls
    getOperation().walk([&](Operation *op) {
      auto function = op->getParentOfType<func::FuncOp>();
      if (!function || function->hasAttr(sched::kHostOpAttr) || llvm::is_contained(hostFunctions, function.getName()))
        return;
      ++ops[function];
      if (auto call = dyn_cast<func::CallOp>(op))
        if (Operation *callee = symbols.lookupNearestSymbolFrom(call, call.getCalleeAttr()))
          calls[function].push_back({call, callee});
    });
    const uint64_t written = std::accumulate(ops.begin(), ops.end(), uint64_t(0),
                                             [](uint64_t sum, const auto &entry) { return sum + entry.second; });
    llvm::DenseSet<Operation *> done, active;
    bool isCyclic = false;
    std::function<void(Operation *)> visit = [&](Operation *function) {
      active.insert(function);
      for (auto [call, callee] : calls.lookup(function)) {
        if (active.contains(callee)) {
          isCyclic = true;
          add(("function '@" + call.getCallee() + "' calls itself").str(), "write the recursion as a loop (scf.while)",
              call.getLoc());
        } else if (!done.contains(callee)) {
          visit(callee);
        }
        ops[function] = llvm::SaturatingAdd(ops[function], ops.lookup(callee));
      }
      active.erase(function);
      done.insert(function);
    };
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (!done.contains(function))
        visit(function);
    for (func::FuncOp function : functions)
      if (function.isPublic() && !isCyclic && ops.lookup(function) > std::max<uint64_t>(mostInlinedOps, 4 * written))
        add(("the calls of '@" + function.getName() + "', inlined, make " + Twine(ops.lookup(function)) +
             " ops out of the " + Twine(written) + " of the program")
                .str(),
            ("the limit is " + Twine(mostInlinedOps) + "; call a function in a loop (scf.for) instead of many times")
                .str(),
            function.getLoc());
  }

  void report() {
    // A failure without an error would say nothing.
    const size_t most = std::max<size_t>(1, limit);
    for (auto &[key, problem] : problems) {
      size_t shown = 0;
      for (Location place : problem.places) {
        if (shown++ == most)
          break;
        InFlightDiagnostic diagnostic = mlir::emitError(place) << problem.what;
        if (shown == 1)
          diagnostic << "; " << problem.advice;
        if (shown == most && problem.places.size() > most)
          diagnostic << " (and " << problem.places.size() - most << " more of this kind)";
      }
    }
    if (!problems.empty())
      signalPassFailure();
  }

  /// Declarations and globals may belong to host functions; unused ones are ignored.
  bool standsInHostFunction(Operation *op) {
    if (hostFunctions.empty() && !holdsHostOps)
      return false;
    while (op->getParentOp() != getOperation())
      op = op->getParentOp();
    if (op->hasAttr(sched::kHostOpAttr))
      return true;
    auto function = dyn_cast<FunctionOpInterface>(op);
    return !function || function.isExternal() || llvm::is_contained(hostFunctions, function.getName());
  }

  llvm::MapVector<std::string, Problem, llvm::StringMap<unsigned>> problems;
  std::optional<SymbolUses> uses; ///< computed on demand
  bool isHostCode = false;        ///< of the current operation
  bool holdsHostOps = false;      ///< of the program
};
} // namespace
