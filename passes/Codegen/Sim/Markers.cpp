//===- Markers.cpp - markers in the simulator's kernels ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Markers.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mica;

static constexpr llvm::StringLiteral kSitePrefix = "mica.site:";

/// The start position of `loc`: the innermost of a call site, the first known one of a fused location.
static FileLineColLoc positionOf(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location part) {
    if (auto file = dyn_cast<FileLineColLoc>(part)) {
      found = file;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

Location sim::nameSite(Operation *op) {
  if (auto named = dyn_cast<NameLoc>(op->getLoc()); named && named.getName().getValue().starts_with(kSitePrefix))
    return named;
  std::string text = (kSitePrefix + op->getName().getStringRef()).str();
  if (FileLineColLoc at = positionOf(op->getLoc()))
    text += (" at " + llvm::sys::path::filename(at.getFilename().getValue()) + ":" + Twine(at.getLine()) + ":" +
             Twine(at.getColumn()))
                .str();
  return NameLoc::get(StringAttr::get(op->getContext(), text), op->getLoc());
}

std::string sim::siteText(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    if (!named || !named.getName().getValue().starts_with(kSitePrefix))
      return WalkResult::advance();
    text = named.getName().getValue().drop_front(kSitePrefix.size()).str();
    return WalkResult::interrupt();
  });
  if (!text.empty())
    return text;
  if (FileLineColLoc at = positionOf(loc))
    return ("an operation at " + llvm::sys::path::filename(at.getFilename().getValue()) + ":" + Twine(at.getLine()) +
            ":" + Twine(at.getColumn()))
        .str();
  return "an operation";
}

int32_t sim::siteOf(Operation *kernel, StringRef text) {
  SmallVector<Attribute> sites;
  if (auto known = kernel->getAttrOfType<ArrayAttr>(kSitesAttr))
    llvm::append_range(sites, known);
  for (auto [i, site] : llvm::enumerate(sites))
    if (cast<StringAttr>(site).getValue() == text)
      return static_cast<int32_t>(i);
  Builder builder(kernel->getContext());
  sites.push_back(builder.getStringAttr(text));
  kernel->setAttr(kSitesAttr, builder.getArrayAttr(sites));
  return static_cast<int32_t>(sites.size()) - 1;
}

func::FuncOp sim::Markers::declare(StringRef name, FunctionType type, StringRef attr, Attribute value, bool shared) {
  std::string symbol = ("mica_sim_" + name).str();
  if (shared) {
    if (auto known = module.lookupSymbol<func::FuncOp>(symbol))
      return known;
  } else {
    do
      symbol = ("mica_sim_" + name + "_" + Twine(next++)).str();
    while (module.lookupSymbol(symbol));
  }
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function = func::FuncOp::create(builder, module.getLoc(), symbol, type);
  function.setPrivate();
  function->setAttr(attr, value);
  return function;
}

Value sim::Markers::uniform(OpBuilder &builder, Location loc, mica_sim_uniform field) {
  auto type = builder.getFunctionType({}, {builder.getIndexType()});
  auto function =
      declare("uniform_" + std::to_string(field), type, kUniformAttr, builder.getI32IntegerAttr(field), true);
  return func::CallOp::create(builder, loc, function, ValueRange()).getResult(0);
}

Value sim::Markers::lane(OpBuilder &builder, Location loc, int32_t field) {
  auto type = builder.getFunctionType({}, {builder.getIndexType()});
  auto function = declare("lane_" + std::to_string(field), type, kLaneAttr, builder.getI32IntegerAttr(field), true);
  return func::CallOp::create(builder, loc, function, ValueRange()).getResult(0);
}

ResultRange sim::Markers::point(OpBuilder &builder, Location loc, mica_sim_point_kind kind, int32_t site,
                                ArrayRef<int32_t> imm, TypeRange results, ValueRange operands) {
  SmallVector<int32_t> all{int32_t(kind), site};
  all.append(imm.begin(), imm.end());
  all.resize(6, 0);
  auto type = builder.getFunctionType(operands.getTypes(), results);
  auto function = declare("point", type, kPointAttr, builder.getDenseI32ArrayAttr(all), false);
  return func::CallOp::create(builder, loc, function, operands).getResults();
}

void sim::Markers::service(OpBuilder &builder, Location loc, StringRef name, ArrayRef<Attribute> constants,
                           ValueRange operands) {
  SmallVector<Attribute> all{builder.getStringAttr(name)};
  all.append(constants.begin(), constants.end());
  auto type = builder.getFunctionType(operands.getTypes(), {});
  auto function = declare(name, type, kServiceAttr, builder.getArrayAttr(all), false);
  func::CallOp::create(builder, loc, function, operands);
}
