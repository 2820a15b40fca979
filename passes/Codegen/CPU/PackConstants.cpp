//===- PackConstants.cpp - storing constant operands of contractions as panels ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The last pass of phase schedule for the CPU: kernels and the lists that call them change together, so every later
// state of a kernel has the same arguments.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/PartsAttr.h"
#include "passes/Codegen/CPU/Passes.h"
#include "passes/Codegen/CPU/StoredPanels.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Tensor/ConstantNames.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/SHA256.h"

#include <map>

#define DEBUG_TYPE "mica-cpu-pack-constants"

namespace mica {
#define GEN_PASS_DEF_CPUPACKCONSTANTSPASS
#include "passes/Codegen/CPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::cpu;

/// The elements of `value` in memory; nothing if they are not in a resource with one whole number of bytes each.
static std::optional<ArrayRef<char>> elementsOf(ElementsAttr value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  const AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  std::optional<int64_t> bytes = sched::bufferBytes(value.getShapedType());
  if (!blob || !bytes || static_cast<int64_t>(blob->getData().size()) != *bytes)
    return std::nullopt;
  return blob->getData();
}

namespace {
/// The change of one kernel.
struct Packing {
  unsigned position = 0; ///< of the kernel's buffer
  int64_t columns = 1;
  SmallVector<int64_t> sources;
  MemRefType type; ///< of the panels
};

struct CPUPackConstantsPass : mica::impl::CPUPackConstantsPassBase<CPUPackConstantsPass> {
  using CPUPackConstantsPassBase::CPUPackConstantsPassBase;

  void runOnOperation() override {
    llvm::MapVector<StringAttr, SmallVector<sched::TaskOp>> tasksOf;
    llvm::DenseSet<StringAttr> otherUses;
    getOperation()->walk([&](Operation *op) {
      if (auto task = dyn_cast<sched::TaskOp>(op))
        tasksOf[task.getKernelAttr().getAttr()].push_back(task);
      else if (sched::isKernelModule(op))
        return WalkResult::skip();
      else if (auto uses = SymbolTable::getSymbolUses(op); uses && !isa<ModuleOp, sched::TaskListOp, func::FuncOp>(op))
        for (SymbolTable::SymbolUse use : *uses)
          otherUses.insert(use.getSymbolRef().getRootReference());
      return WalkResult::advance();
    });
    for (ModuleOp kernel : getOperation().getOps<ModuleOp>())
      if (sched::isKernelModule(kernel))
        if (auto found = tasksOf.find(kernel.getNameAttr());
            found != tasksOf.end() && !otherUses.contains(kernel.getNameAttr()))
          pack(kernel, found->second);
  }

private:
  void pack(ModuleOp kernel, ArrayRef<sched::TaskOp> tasks);
  std::optional<Packing> changeKernel(func::FuncOp function, ArrayRef<sched::TaskOp> tasks);
  bool isPackable(unsigned position, ArrayRef<sched::TaskOp> tasks);
  DenseResourceElementsAttr panelsOf(sched::ConstantOp constant, const Packing &packing);

  std::map<std::pair<const void *, std::vector<int64_t>>, DenseResourceElementsAttr> packed;
  int64_t storedBytes = 0; ///< of all panels so far
};
} // namespace

/// Whether buffer `position` is a constant of at least `minBytes` in each of `tasks`, and panels of all of them may be
/// stored.
bool CPUPackConstantsPass::isPackable(unsigned position, ArrayRef<sched::TaskOp> tasks) {
  int64_t bytes = 0;
  llvm::DenseSet<Attribute> values;
  for (sched::TaskOp task : tasks) {
    auto constant = task.getBuffers()[position].getDefiningOp<sched::ConstantOp>();
    std::optional<ArrayRef<char>> elements = constant ? elementsOf(constant.getValue()) : std::nullopt;
    if (!elements || static_cast<int64_t>(elements->size()) < minBytes)
      return false;
    if (values.insert(constant.getValue()).second)
      bytes += elements->size();
  }
  return storedBytes + bytes <= maxBytes;
}

/// Changes `function`, a copy, to read panels of a constant; nothing if there is no such constant.
std::optional<Packing> CPUPackConstantsPass::changeKernel(func::FuncOp function, ArrayRef<sched::TaskOp> tasks) {
  linalg::LinalgOp root = findContraction(function);
  if (!root || !function.getBody().hasOneBlock() || root->getParentOp() != function)
    return std::nullopt;
  // Attributes of users and of other passes are for the loops as they are.
  if (function
          .walk([](linalg::LinalgOp op) {
            return op->getDiscardableAttrs().empty() ? WalkResult::advance() : WalkResult::interrupt();
          })
          .wasInterrupted())
    return std::nullopt;

  IRRewriter rewriter(&getContext());
  linalg::GenericOp op = generalizeContraction(rewriter, root);
  if (!op)
    return std::nullopt;
  // Loops and operands are the same if sums are wider, the lanes are not.
  OwningOpRef<func::FuncOp> promoted(function.clone());
  promoteAccumulators(*promoted);
  linalg::LinalgOp wide = findContraction(*promoted);
  if (!wide || wide.getNumLoops() != op.getNumLoops() || wide->getNumOperands() != op->getNumOperands())
    return std::nullopt;
  std::optional<PanelLayout> layout =
      planPanels(wide, CpuTarget{vectorBits, l1Bytes, l2Bytes, int8DotBits, int16PairBits}, [&](OpOperand &operand) {
        BlockArgument argument = onlyReadArgument(op->getOpOperand(operand.getOperandNumber()));
        return argument && isPackable(argument.getArgNumber(), tasks);
      });
  if (!layout)
    return std::nullopt;
  OpOperand &operand = op->getOpOperand(layout->operand);
  AffineMap map = op.getMatchingIndexingMap(&operand);
  BlockArgument argument = onlyReadArgument(operand);
  Packing packing{argument.getArgNumber(), layout->columns, panelSources(map, *layout), {}};
  const Location loc = op.getLoc();
  if (failed(readPanels(rewriter, op, *layout))) {
    remark::missed(loc, remark::RemarkOpts::name("not-stored-as-panels").category("contraction"))
        << remark::add("a constant operand is packed or read with strides at each call")
        << remark::reason("an op of the kernel, which uses the result, does not allow its columns to be split");
    return std::nullopt;
  }
  packing.type = cast<MemRefType>(argument.getType());
  remark::passed(loc, remark::RemarkOpts::name("stored-as-panels").category("contraction"))
      << remark::add("argument {0} is stored as panels of {1} columns: {2}", packing.position, packing.columns,
                     packing.type)
      << remark::metric("Strategy", "constant stored as panels");
  return packing;
}

void CPUPackConstantsPass::pack(ModuleOp kernel, ArrayRef<sched::TaskOp> tasks) {
  auto function = dyn_cast_or_null<func::FuncOp>(sched::kernelFunction(kernel).getOperation());
  if (!function || function.isExternal())
    return;
  // Rewritten as a copy, which takes the place of the function if every op allowed it.
  OwningOpRef<func::FuncOp> copy(function.clone());
  std::optional<Packing> packing = changeKernel(*copy, tasks);
  if (!packing)
    return;
  LDBG() << kernel.getName().value_or("") << ": argument " << packing->position << " as " << packing->type;
  function.getBody().takeBody(copy->getBody());
  function.setType(copy->getFunctionType());

  // Kernels with equal hashes have equal arguments.
  OpBuilder b(&getContext());
  if (auto before = kernel->getAttrOfType<StringAttr>(sched::kHashAttr)) {
    llvm::SHA256 hash;
    hash.update(before.getValue());
    hash.update("panels of " + std::to_string(packing->columns) + " in argument " + std::to_string(packing->position));
    kernel->setAttr(sched::kHashAttr, b.getStringAttr(llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 16)));
  }
  for (sched::TaskOp task : tasks) {
    OpOperand &buffer = task.getBuffersMutable()[packing->position];
    auto constant = buffer.get().getDefiningOp<sched::ConstantOp>();
    b.setInsertionPointAfter(constant);
    auto made = sched::ConstantOp::create(b, constant.getLoc(), packing->type, panelsOf(constant, *packing));
    made->setDiscardableAttrs(constant->getDiscardableAttrDictionary());
    buffer.set(made);
    if (constant->use_empty())
      constant.erase();
  }
}

/// The panels of `constant` as a resource, which is named by its bytes as all weights are. Of a constant of which each
/// rank has a part, the panels of one part stand after those of another.
DenseResourceElementsAttr CPUPackConstantsPass::panelsOf(sched::ConstantOp constant, const Packing &packing) {
  ElementsAttr value = constant.getValue();
  ShapedType type = value.getShapedType();
  const bool isSplit = constant->hasAttr(sched::kPartsAttr);
  const int64_t parts = isSplit ? type.getDimSize(0) : 1;
  std::vector<int64_t> key(packing.sources.begin(), packing.sources.end());
  key.push_back(packing.columns);
  key.push_back(isSplit ? parts : 0);
  DenseResourceElementsAttr &known = packed[{value.getAsOpaquePointer(), key}];
  if (known)
    return known;
  ArrayRef<char> elements = *elementsOf(value);
  const size_t partBytes = elements.size() / parts;
  std::vector<char> bytes;
  for (int64_t part = 0; part < parts; ++part) {
    const std::vector<char> panels =
        panelBytes(elements.slice(part * partBytes, partBytes), type.getShape().drop_front(isSplit ? 1 : 0),
                   *sched::elementBytes(type.getElementType()), packing.sources, packing.columns);
    bytes.insert(bytes.end(), panels.begin(), panels.end());
  }
  storedBytes += bytes.size();
  SmallVector<int64_t> shape(packing.type.getShape());
  if (isSplit)
    shape.insert(shape.begin(), parts);
  return known = constantResource(RankedTensorType::get(shape, packing.type.getElementType()), std::move(bytes));
}
