//===- ContractionPlan.cpp - selecting the config of a contraction on a GPU -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The table of strategies; see ContractionPlan.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/ContractionPlan.h"

#include "mica/Support/Checked.h"

#include "passes/Codegen/GPU/Factors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mica;
using namespace mica::device;

/// With fewer results or steps along a loop, tiling is not worthwhile.
static constexpr int64_t kSmallSide = 16;
/// Bytes of the rows of a step: two rows cover all banks of workgroup memory.
static constexpr int64_t kStepBytes = 64;
/// Elements that are copied one by one, with addresses computed by divisions, must be reused at least this often.
static constexpr int64_t kUses = 32;
/// Number of blocks for a large device: smaller tiles are preferred over fewer blocks.
static constexpr int64_t kManyBlocks = 132;

static int64_t bytesOf(Type type) { return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() / 8 : 0; }

/// Whether the body adds the product of both factors to the accumulator.
static bool isMultiplyAdd(const Contraction &product) {
  auto factors = factorsOf(product.op);
  return factors && (*factors == std::pair(product.lhsFactor, product.rhsFactor) ||
                     *factors == std::pair(product.rhsFactor, product.lhsFactor));
}

std::optional<MmaShape> mica::device::mmaShapeOf(const Contraction &product, const Device &device, std::string &why) {
  Type a = product.inputType(product.lhs), b = product.inputType(product.rhs), sum = product.sumType();
  auto text = [](Type type) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    return name;
  };
  auto isUnsigned = [](Value factor) { return llvm::any_of(factor.getUsers(), llvm::IsaPred<arith::ExtUIOp>); };
  std::optional<MmaShape> shape;
  if (a != b)
    why = "inputs of " + text(a) + " and " + text(b) + " are of two types";
  else if (!isMultiplyAdd(product))
    why = "the operation sums something else than products of its inputs";
  else if ((a.isF16() || a.isBF16()) && sum.isF32())
    shape = MmaShape{16, 8, 16, 2, true};
  else if (isUnsigned(product.lhsFactor) || isUnsigned(product.rhsFactor))
    why = "what is multiplied is unsigned";
  else if (a.isInteger(8) && sum.isInteger(32))
    shape = MmaShape{16, 8, 32, 4, false};
  else if (a.isF64() && sum.isF64())
    shape = MmaShape{8, 8, 4, 1, false};
  else if (device.allowTf32 && a.isF32() && sum.isF32())
    shape = MmaShape{16, 8, 8, 1, true, true};
  else
    why = "they have no product of " + text(a) + " that is summed in " + text(sum) + " with all its digits" +
          (a.isF32() && sum.isF32() ? "; the switch allow-tf32 has inputs rounded to tf32" : "");
  if (shape && device.computeCapability < 80) {
    why = "the device is sm_" + std::to_string(device.computeCapability) + ", and their code is for sm_80 and later";
    return std::nullopt;
  }
  return shape;
}

namespace {
/// Tile sizes, larger ones reuse more memory; m x n of a block and of a warp or thread.
struct TileChoice {
  int64_t m, n, partM, partN;

  /// The number of blocks for a result of m x n, `others` times.
  int64_t blocks(int64_t rows, int64_t columns, int64_t others) const {
    return llvm::divideCeil(rows, m) * llvm::divideCeil(columns, n) * others;
  }
};
} // namespace

/// The largest tile that the result fills and that gives enough blocks; the smallest if there is none. Appends to
/// `reason`.
static TileChoice chooseTile(const Contraction &product, ArrayRef<TileChoice> choices, std::string &reason) {
  int64_t m = product.size(Axis::M), n = product.size(Axis::N), others = 1;
  const bool isKnown = !ShapedType::isDynamic(m) && !ShapedType::isDynamic(n);
  for (unsigned d : product.batch)
    others *= ShapedType::isDynamic(product.sizes[d]) ? 1 : std::max<int64_t>(product.sizes[d], 1);
  if (!isKnown)
    reason = "the size of the result is known at run time only";
  for (const TileChoice &choice : choices.drop_back()) {
    if (!isKnown) {
      if (choice.m <= 64)
        return choice;
      continue;
    }
    const int64_t blocks = choice.blocks(m, n, others);
    const bool fills = m >= choice.m && n >= choice.n;
    if (fills && (choice.m <= 64 || blocks >= kManyBlocks)) {
      reason = llvm::formatv("the largest tile that the result fills with enough blocks: {0}", blocks);
      return choice;
    }
  }
  if (isKnown)
    reason = llvm::formatv("the smallest tile, in {0} blocks: the result does not fill larger ones",
                           choices.back().blocks(m, n, others));
  return choices.back();
}

/// Sets the largest number of stages that fit, at most `most`, and appends to the reason. False if not even one fits.
static bool chooseStages(const Contraction &product, ContractionPlan &plan, const Device &device, int64_t most) {
  const int64_t step = plan.m * plan.k * bytesOf(product.inputType(product.lhs)) +
                       plan.n * plan.k * bytesOf(product.inputType(product.rhs));
  if (int64_t k = product.size(Axis::K); !ShapedType::isDynamic(k))
    most = std::min<int64_t>(most, llvm::divideCeil(k, plan.k));
  plan.stages = std::min<int64_t>(most, device.workgroupBytes / step);
  plan.reason += llvm::formatv("; {0} stages of {1} bytes, at most {2} bytes of workgroup memory", plan.stages, step,
                               device.workgroupBytes);
  return plan.stages > 0;
}

static std::string tooMuchMemory(const Device &device) {
  return llvm::formatv("a step needs more than the {0} bytes of workgroup memory that a block may have",
                       device.workgroupBytes);
}

static std::optional<ContractionPlan> planTensorCores(const Contraction &product, const Device &device,
                                                      std::string &why) {
  std::optional<MmaShape> shape = mmaShapeOf(product, device, why);
  if (!shape)
    return std::nullopt;
  ContractionPlan plan;
  plan.strategy = ContractionPlan::Strategy::TensorCores;
  static constexpr TileChoice kTiles[] = {{128, 128, 64, 64}, {64, 64, 32, 32}, {32, 32, 16, 16}};
  static constexpr TileChoice kDoubles[] = {{64, 64, 32, 32}, {32, 32, 16, 16}};
  TileChoice tile = chooseTile(product, product.sumType().isF64() ? ArrayRef(kDoubles) : ArrayRef(kTiles), plan.reason);
  plan.m = tile.m;
  plan.n = tile.n;
  plan.warpM = tile.partM;
  plan.warpN = tile.partN;
  plan.k = kStepBytes / bytesOf(product.inputType(product.lhs));
  plan.tf32 = shape->isTf32;
  if (!chooseStages(product, plan, device, 4)) {
    why = tooMuchMemory(device);
    return std::nullopt;
  }
  return plan;
}

/// Whether an input is copied in whole chunks (TileMemory::isAsync).
static bool isCopiedInChunks(const Contraction &product, unsigned number) {
  OpOperand &operand = product.input(number);
  Access access =
      accessOf(product, cast<MemRefType>(operand.get().getType()), product.op.getMatchingIndexingMap(&operand));
  const int64_t chunk = kChunkBytes / bytesOf(product.inputType(number));
  return access.liesSideBySide(product, access.columnAxis(product, number), chunk);
}

static std::optional<ContractionPlan> planTiles(const Contraction &product, const Device &device, std::string &why) {
  ContractionPlan plan;
  plan.strategy = ContractionPlan::Strategy::WorkgroupTiles;
  if (device.computeCapability < 80) {
    why = "the device is sm_" + std::to_string(device.computeCapability) +
          ", and the copies are asynchronous, for sm_80 and later";
    return std::nullopt;
  }
  int64_t widest = 0, narrowest = 8;
  for (unsigned input : {product.lhs, product.rhs}) {
    Type type = product.inputType(input);
    const int64_t bytes = bytesOf(type);
    if (bytes < 1 || bytes > 8 || (bytes == 1 && isa<FloatType>(type)) || type.isIndex()) {
      why = "elements of less than a byte, of 8-bit floats or of no fixed size are not copied to workgroup memory";
      return std::nullopt;
    }
    widest = std::max(widest, bytes);
    narrowest = std::min(narrowest, bytes);
  }
  Type sum = product.sumType();
  if (!sum.isIntOrFloat() || sum.getIntOrFloatBitWidth() < 8) {
    why = "sums are neither integers nor floats of whole bytes";
    return std::nullopt;
  }
  static constexpr TileChoice kTiles[] = {{128, 128, 8, 8}, {64, 64, 4, 4}, {32, 32, 4, 4}};
  static constexpr TileChoice kWide[] = {{64, 64, 4, 4}, {32, 32, 4, 4}};
  TileChoice tile =
      chooseTile(product, std::max(widest, bytesOf(sum)) > 4 ? ArrayRef(kWide) : ArrayRef(kTiles), plan.reason);
  plan.m = tile.m;
  plan.n = tile.n;
  plan.threadM = tile.partM;
  plan.threadN = tile.partN;
  plan.k = kStepBytes / widest;
  // A chunk of the narrower input must fit into a row of one step.
  plan.k = std::max(plan.k, kChunkBytes / narrowest);
  const int64_t depth = product.size(Axis::K);
  if (!isMultiplyAdd(product) && (ShapedType::isDynamic(depth) || depth % plan.k != 0)) {
    why = "zeros beyond the end of the sums are not neutral in what is summed";
    return std::nullopt;
  }
  if (product.hasWindows())
    for (auto [input, axis] : {std::pair(product.lhs, Axis::N), std::pair(product.rhs, Axis::M)}) {
      const int64_t uses = product.size(axis);
      if (uses < kUses && !ShapedType::isDynamic(uses) && !isCopiedInChunks(product, input)) {
        why = llvm::formatv("an input is copied element by element, and each of them is used {0} times only", uses);
        return std::nullopt;
      }
    }
  if (!chooseStages(product, plan, device, 2)) {
    why = tooMuchMemory(device);
    return std::nullopt;
  }
  return plan;
}

/// Why no strategy supports `product`; empty if one may.
static std::string whyNone(const Contraction &product) {
  for (unsigned loop : llvm::drop_begin(product.k))
    if (ShapedType::isDynamic(product.sizes[loop]))
      return "a loop that sums has a size known at run time only, and lies within another one: every element of a tile "
             "would take "
             "divisions by it";
  return {};
}

std::optional<ContractionPlan> mica::device::planContraction(const Contraction &product, const Device &device,
                                                             SmallVector<RejectedStrategy> &rejected, bool &isSmall) {
  isSmall = false;
  for (Axis axis : {Axis::M, Axis::N, Axis::K})
    isSmall |= !ShapedType::isDynamic(product.size(axis)) && product.size(axis) < kSmallSide;
  if (isSmall)
    return std::nullopt;
  using Plan = std::optional<ContractionPlan> (*)(const Contraction &, const Device &, std::string &);
  static constexpr std::pair<ContractionPlan::Strategy, Plan> kTable[] = {
      {ContractionPlan::Strategy::TensorCores, planTensorCores},
      {ContractionPlan::Strategy::WorkgroupTiles, planTiles},
  };
  const std::string none = whyNone(product);
  for (auto [strategy, attempt] : kTable) {
    std::string why = none;
    if (std::optional<ContractionPlan> plan; none.empty() && (plan = attempt(product, device, why)))
      return plan;
    rejected.push_back({strategy, why});
  }
  return std::nullopt;
}

/// Whether XORing the chunk numbers of a row of `size` elements, with `chunk` elements per chunk, with 0 to 7 permutes
/// them.
static bool isSwizzled(int64_t size, int64_t chunk) {
  const int64_t pieces = size / chunk;
  return size % chunk == 0 && (pieces % 8 == 0 || llvm::isPowerOf2_64(pieces));
}

LogicalResult mica::device::verifyPlan(const ContractionPlan &plan, const Contraction &product) {
  const auto error = [&] { return product.op.emitOpError() << "'" << codegen::kLoweringConfigAttr << "': "; };
  int64_t bytes = 0;
  for (auto [input, side] : {std::pair(product.lhs, plan.m), std::pair(product.rhs, plan.n)}) {
    Type type = product.inputType(input);
    bytes = mica::saturatingAdd(bytes, mica::saturatingMul(mica::saturatingMul(side, plan.k), bytesOf(type)));
    const int64_t chunk = std::max<int64_t>(kChunkBytes / std::max<int64_t>(bytesOf(type), 1), 1);
    if (!isSwizzled(side, chunk) || !isSwizzled(plan.k, chunk))
      return error() << "(C8) a tile of " << side << " x " << plan.k << ", expected " << chunk << ", " << 2 * chunk
                     << ", " << 4 * chunk << " or multiples of " << 8 * chunk << ": inputs of " << type
                     << " are copied in swizzled pieces of " << kChunkBytes << " bytes";
  }
  Device device;
  device.allowTf32 = plan.tf32;
  std::string why;
  if (plan.strategy == ContractionPlan::Strategy::TensorCores) {
    std::optional<MmaShape> shape = mmaShapeOf(product, device, why);
    if (!shape)
      return error() << "(C6) strategy = tensor_cores: " << why;
    if (plan.tf32 != shape->isTf32)
      return error() << "(C6) tf32 with inputs of " << product.inputType(product.lhs) << ", expected f32";
    if (plan.k % shape->k != 0)
      return error() << "(C4) " << plan.k << " steps of " << product.inputType(product.lhs)
                     << " with tensor_cores, expected a multiple of " << shape->k;
  }
  if (mica::saturatingMul(bytes, plan.stages) > device.workgroupBytes)
    return error() << "(C5) " << plan.stages << " stages of " << bytes << " bytes, expected at most "
                   << device.workgroupBytes << " bytes of workgroup memory: "
                   << (bytes > device.workgroupBytes ? std::string("a smaller tile")
                                                     : std::to_string(device.workgroupBytes / bytes) + " or fewer");
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Attribute
//===------------------------------------------------------------------------------------------------------------===//

int64_t ContractionPlan::threads() const {
  return strategy == Strategy::TensorCores ? 32 * (m / warpM) * (n / warpN) : (m / threadM) * (n / threadN);
}

codegen::GpuContractionConfigAttr ContractionPlan::toAttr(MLIRContext *context) const {
  const bool isWarps = strategy == Strategy::TensorCores;
  return codegen::GpuContractionConfigAttr::get(context, strategy, group, {m, n, k},
                                                {isWarps ? warpM : threadM, isWarps ? warpN : threadN}, stages, tf32,
                                                reason.empty() ? StringAttr() : StringAttr::get(context, reason));
}

std::optional<ContractionPlan> ContractionPlan::of(Operation *op) {
  const auto config = codegen::loweringConfigOf<codegen::GpuContractionConfigAttr>(op);
  if (!config)
    return std::nullopt;
  ContractionPlan plan;
  plan.strategy = config.getStrategy();
  plan.group = config.getGroup();
  plan.m = config.getTile()[0];
  plan.n = config.getTile()[1];
  plan.k = config.getTile()[2];
  const bool isWarps = plan.strategy == Strategy::TensorCores;
  (isWarps ? plan.warpM : plan.threadM) = config.getPart()[0];
  (isWarps ? plan.warpN : plan.threadN) = config.getPart()[1];
  plan.stages = config.getStages();
  plan.tf32 = config.getTf32();
  return plan;
}
