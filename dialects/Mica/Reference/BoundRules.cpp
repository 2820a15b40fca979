//===- BoundRules.cpp - bound rules of operations ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Elementwise ops and linalg's regions are handled elsewhere; ops that are not listed here are evaluated on perturbed
// operands.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Bounds.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Contraction.h"
#include "dialects/Mica/Reference/EvalLLVMOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace mica::reference {

namespace {
using Kind = BoundRule::Kind;

/// Only operand `k` contains moved elements.
constexpr uint32_t only(unsigned k) { return 1u << k; }

llvm::StringMap<BoundRule> makeTable() {
  llvm::StringMap<BoundRule> table;
  auto add = [&](BoundRule rule, std::initializer_list<StringRef> names) {
    for (StringRef name : names)
      table[name] = rule;
  };
  const BoundRule move{Kind::Move}, self{Kind::Self};
  auto moveOf = [](uint32_t data) {
    BoundRule rule{Kind::Move};
    rule.data = data;
    return rule;
  };
  add(move, {"tensor.splat",
             "tensor.from_elements",
             "tensor.concat",
             "tensor.expand_shape",
             "tensor.collapse_shape",
             "tensor.cast",
             "sparse_tensor.convert",
             "vector.from_elements",
             "vector.to_elements",
             "vector.shuffle",
             "vector.interleave",
             "vector.deinterleave",
             "vector.transpose",
             "vector.shape_cast",
             "vector.broadcast",
             "vector.extract_strided_slice",
             "vector.insert_strided_slice",
             "mica.transpose",
             "mica.reshape",
             "mica.concat",
             "mica.split",
             "mica.tile",
             "mica.flip",
             "tosa.concat",
             "tosa.reverse",
             "tosa.transpose",
             "linalg.transpose",
             "linalg.broadcast",
             "linalg.copy"});
  // The elements of the first operand are moved; the other operands are positions or sizes.
  add(moveOf(only(0)),
      {"tensor.extract", "tensor.extract_slice", "tensor.gather", "tensor.reshape", "vector.extract", "mica.gather",
       "mica.embedding", "mica.slice", "mica.broadcast", "tosa.gather", "tosa.slice", "tosa.tile", "tosa.reshape",
       "memref.load", "affine.load", "affine.vector_load", "vector.load"});
  add(moveOf(only(0) | only(1)),
      {"tensor.insert", "tensor.insert_slice", "tensor.scatter", "vector.insert", "memref.store", "affine.store",
       "affine.vector_store", "vector.store", "vector.transfer_write", "mica.cache_update"});
  // Ops with elements that do not come from operands.
  BoundRule fill = moveOf(only(0));
  fill.fills = true;
  add(fill, {"mica.pad", "tensor.pad"});
  fill.data = only(0) | only(1);
  add(fill, {"linalg.unpack"});
  add(moveOf(only(0) | only(2)), {"tosa.scatter", "tosa.pad"});
  // The memory first; the stored value, or the pass-through value of masked lanes, last.
  add(moveOf(only(0) | BoundRule::kLast), {"vector.maskedload", "vector.maskedstore", "vector.expandload",
                                           "vector.compressstore", "vector.gather", "vector.scatter"});
  // Control flow, and ops on whole buffers: loads and stores transfer bounds. Sizes, views and constants have none.
  add(self, {"func.call",
             "func.call_indirect",
             "func.constant",
             "async.call",
             "async.await",
             "async.await_all",
             "async.create_group",
             "async.add_to_group",
             "scf.for",
             "scf.while",
             "scf.if",
             "scf.index_switch",
             "scf.execute_region",
             "scf.parallel",
             "scf.forall",
             "affine.for",
             "affine.if",
             "affine.parallel",
             "mica.if",
             "mica.while",
             "tosa.cond_if",
             "tosa.while_loop",
             "memref.alloca_scope",
             "vector.mask",
             "memref.generic_atomic_rmw",
             "memref.atomic_rmw",
             "memref.alloc",
             "memref.alloca",
             "memref.realloc",
             "memref.dealloc",
             "memref.global",
             "memref.get_global",
             "memref.copy",
             "memref.subview",
             "memref.view",
             "memref.extract_aligned_pointer_as_index",
             "vector.type_cast",
             "memref.reinterpret_cast",
             "memref.expand_shape",
             "memref.collapse_shape",
             "memref.reshape",
             "memref.transpose",
             "memref.extract_strided_metadata",
             "memref.cast",
             "memref.memory_space_cast",
             "memref.assume_alignment",
             "memref.distinct_objects",
             "memref.dim",
             "memref.rank",
             "memref.prefetch",
             "bufferization.to_tensor",
             "bufferization.to_buffer",
             "bufferization.clone",
             "bufferization.materialize_in_destination",
             "bufferization.dealloc_tensor",
             "bufferization.dealloc",
             "ub.poison",
             "arith.constant",
             "mica.constant",
             "tosa.const",
             "tosa.const_shape",
             "tensor.empty",
             "tensor.dim",
             "tensor.rank",
             "tensor.generate",
             "cf.assert",
             "mica.iota",
             "ml_program.global_store",
             "tosa.variable_read",
             "tosa.variable_write",
             "bufferization.alloc_tensor",
             "ml_program.global_load",
             "ml_program.global_load_const",
             "index.constant",
             "index.bool.constant",
             "index.sizeof",
             "vector.step",
             "vector.constant_mask",
             "vector.create_mask",
             "vector.print"});
  auto linear = [](unsigned factors) {
    BoundRule rule{Kind::Linear};
    rule.factors = factors;
    return rule;
  };
  add(linear(2), {"mica.matmul", "mica.conv1d", "mica.conv2d", "mica.conv2d_transpose", "tosa.matmul", "tosa.conv2d",
                  "tosa.conv3d", "tosa.depthwise_conv2d", "tosa.transpose_conv2d"});
  add(linear(1), {"mica.cumsum", "tosa.reduce_sum"});
  BoundRule average = linear(1);
  average.averages = true;
  add(average, {"mica.avg_pool", "tosa.avg_pool2d"});
  BoundRule turns;
  turns.inner = 16;
  add(turns, {"tosa.fft2d", "tosa.rfft2d"});
  BoundRule product;
  product.products = true;
  add(product, {"tosa.reduce_product"});
  add({Kind::Select}, {"mica.max_pool", "tosa.max_pool2d", "tosa.reduce_max", "tosa.reduce_min", "mica.sort",
                       "mica.top_k", "mica.argmax", "mica.argmin", "tosa.argmax", "mica.one_hot"});
  return table;
}
} // namespace

/// Whether a buffer is loaded from, or stored to, a buffer of buffers.
static bool movesBuffer(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, affine::AffineLoadOp, affine::AffineStoreOp>(op) &&
         isa<BaseMemRefType>(op->getNumResults() ? op->getResult(0).getType() : op->getOperand(0).getType());
}

BoundRule boundRule(Operation *op) {
  static const llvm::StringMap<BoundRule> table = makeTable();
  BoundRule rule;
  if (movesBuffer(op)) {
    rule.kind = Kind::Self;
  } else if (auto it = table.find(op->getName().getStringRef()); it != table.end()) {
    rule = it->second;
  } else if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    rule.kind = Kind::Move;
    rule.data = only(0) | only(read.getPaddingMutable().getOperandNumber());
  } else if (auto pack = dyn_cast<linalg::PackOp>(op)) {
    rule.kind = Kind::Move;
    // The destination, too, of which no element is kept.
    rule.data = only(0) | only(1) | (pack.getPaddingValue() ? only(2) : 0);
  } else if (auto scatter = dyn_cast<ScatterOp>(op)) {
    const ScatterKind kind = scatter.getKind();
    rule.kind = kind == ScatterKind::Update ? Kind::Move : kind == ScatterKind::Add ? Kind::Linear : Kind::Compute;
    rule.data = only(0) | only(2);
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    const ReduceKind kind = reduce.getKind();
    rule.averages = kind == ReduceKind::Mean;
    rule.kind = kind == ReduceKind::Sum || kind == ReduceKind::Mean ? Kind::Linear
                : kind == ReduceKind::Prod                          ? Kind::Compute
                                                                    : Kind::Select;
    rule.products = kind == ReduceKind::Prod;
  } else if (auto reduce = dyn_cast<vector::ReductionOp>(op)) {
    rule.kind = reduce.getKind() == vector::CombiningKind::ADD   ? Kind::Linear
                : reduce.getKind() == vector::CombiningKind::MUL ? Kind::Compute
                                                                 : Kind::Select;
    rule.products = reduce.getKind() == vector::CombiningKind::MUL;
  } else if (auto reduce = dyn_cast<vector::MultiDimReductionOp>(op)) {
    rule.kind = reduce.getKind() == vector::CombiningKind::ADD   ? Kind::Linear
                : reduce.getKind() == vector::CombiningKind::MUL ? Kind::Compute
                                                                 : Kind::Select;
    rule.products = reduce.getKind() == vector::CombiningKind::MUL;
  } else if (auto contract = dyn_cast<vector::ContractionOp>(op)) {
    rule.kind = contract.getKind() == vector::CombiningKind::ADD ? Kind::Linear : Kind::Compute;
    rule.factors = 2;
  } else if (auto product = dyn_cast<vector::OuterProductOp>(op)) {
    rule.kind = product.getKind() == vector::CombiningKind::ADD ? Kind::Linear : Kind::Compute;
    rule.factors = 2;
  } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    const bool isProduct = linalgOp.getNumReductionLoops() != 0 && matchMultiplyAccumulate(linalgOp);
    rule.kind = isProduct ? Kind::Linear : Kind::Self; // otherwise the body is evaluated with bounds
    rule.factors = 2;
  } else if (isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect())) {
    rule.kind = isPureOnNumbers(op) ? Kind::Compute : Kind::Self;
  } else if (op->getNumRegions() != 0 ||
             llvm::is_contained({"gpu", "nvgpu", "nvvm"}, op->getName().getDialectNamespace())) {
    rule.kind = Kind::Self;
  }
  return rule;
}

} // namespace mica::reference
