//===- Tables.cpp - tables of the simulator's kernels -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Tables.h"

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <cstddef>

using namespace mlir;
using namespace mica;
using namespace mica::sim;

Tables::Tables(ModuleOp module) : module(module), pointer(LLVM::LLVMPointerType::get(module.getContext())) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    for (StringRef attr : {kLaunchAttr, kUniformAttr, kLaneAttr, kPointAttr, kServiceAttr, kHostServiceAttr})
      if (function->hasAttr(attr))
        markers[function.getName()] = function->getDiscardableAttrDictionary();
}

Value Tables::offset(OpBuilder &builder, Location loc, Value base, int64_t bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

LLVM::GlobalOp Tables::makeGlobal(StringRef name, Type type, Attribute value,
                                  llvm::function_ref<Value(OpBuilder &)> init) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Location loc = module.getLoc();
  auto global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name, value);
  if (init) {
    builder.createBlock(&global.getInitializerRegion());
    LLVM::ReturnOp::create(builder, loc, init(builder));
  }
  return global;
}

LLVM::GlobalOp Tables::textGlobal(StringRef text) {
  LLVM::GlobalOp &known = texts[text];
  if (!known) {
    std::string bytes = text.str();
    bytes.push_back('\0');
    Builder builder(module.getContext());
    known = makeGlobal("mica_sim_text_" + std::to_string(texts.size()),
                       LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()), builder.getStringAttr(bytes));
  }
  return known;
}

Value Tables::text(OpBuilder &builder, Location loc, StringRef text) {
  return LLVM::AddressOfOp::create(builder, loc, textGlobal(text));
}

int64_t Tables::argumentBytes(Type type) {
  DataLayout layout = DataLayout::closest(module);
  return llvm::alignTo(layout.getTypeSize(type).getFixedValue(), 16);
}

unsigned Tables::slotAlignment(Type type) {
  constexpr unsigned kSlot = 16;
  return DataLayout::closest(module).getTypeABIAlignment(type) > kSlot ? kSlot : 0;
}

Value Tables::callService(OpBuilder &builder, Location loc, size_t position, ArrayRef<Type> results,
                          ValueRange operands) {
  auto slot = module.lookupSymbol<LLVM::GlobalOp>(MICA_SIM_API_SYMBOL);
  if (!slot) {
    slot = makeGlobal(MICA_SIM_API_SYMBOL, pointer, Attribute(),
                      [&](OpBuilder &at) { return LLVM::ZeroOp::create(at, loc, pointer).getResult(); });
    slot.setConstant(false);
    // Each kernel has one; the program needs only one of them.
    slot.setLinkage(LLVM::Linkage::Weak);
  }
  Value table = LLVM::LoadOp::create(builder, loc, pointer, LLVM::AddressOfOp::create(builder, loc, slot));
  SmallVector<Value> all{
      LLVM::LoadOp::create(builder, loc, pointer, offset(builder, loc, table, static_cast<int64_t>(position)))};
  llvm::append_range(all, operands);
  Type result = results.empty() ? LLVM::LLVMVoidType::get(builder.getContext()) : results[0];
  auto type = LLVM::LLVMFunctionType::get(result, SmallVector<Type>(operands.getTypes()));
  auto call = LLVM::CallOp::create(builder, loc, type, all);
  return results.empty() ? Value() : call.getResult();
}

LLVM::LLVMFuncOp Tables::declareService(ArrayRef<Attribute> service, ArrayRef<Type> operands, Type result) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Attribute value = builder.getArrayAttr(service);
  Type type = LLVM::LLVMFunctionType::get(result, operands);
  LLVM::LLVMFuncOp &known = services[{value, type}];
  if (!known) {
    std::string name = "mica_sim_check_" + std::to_string(services.size());
    known = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
    known->setAttr(kServiceAttr, value);
    markers[name] = known->getDiscardableAttrDictionary();
  }
  return known;
}

LLVM::LLVMFuncOp Tables::declarePoint(ArrayRef<int32_t> info, ValueRange operands) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  std::string name;
  do
    name = "mica_sim_wait_" + std::to_string(waits++);
  while (module.lookupSymbol(name));
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(none, SmallVector<Type>(operands.getTypes()));
  auto point = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  point->setAttr(kPointAttr, builder.getDenseI32ArrayAttr(info));
  markers[name] = point->getDiscardableAttrDictionary();
  return point;
}

Liveness &Tables::livenessOf(LLVM::LLVMFuncOp function) {
  if (livenessOwner != function.getOperation()) {
    liveness = std::make_unique<Liveness>(function);
    livenessOwner = function;
  }
  return *liveness;
}

LLVM::GlobalOp Tables::addressTable(StringRef name, ArrayRef<std::string> symbols) {
  auto type = LLVM::LLVMArrayType::get(pointer, symbols.size());
  return makeGlobal(name, type, Attribute(), [&](OpBuilder &builder) {
    Location loc = module.getLoc();
    Value table = LLVM::UndefOp::create(builder, loc, type);
    for (auto [i, symbol] : llvm::enumerate(symbols)) {
      Value address = LLVM::AddressOfOp::create(builder, loc, pointer, symbol);
      table = LLVM::InsertValueOp::create(builder, loc, table, address, ArrayRef<int64_t>{int64_t(i)});
    }
    return table;
  });
}

void Tables::makeKernel(LLVM::LLVMFuncOp function, ArrayRef<std::string> regions, ArrayRef<int32_t> points,
                        int64_t frameBytes) {
  Builder attributes(module.getContext());
  Location loc = module.getLoc();
  std::string name = function.getName().str();
  Type i32 = attributes.getI32Type(), i64 = attributes.getI64Type();
  LLVM::GlobalOp regionTable = addressTable(name + "_regions", regions);
  auto numbers = RankedTensorType::get({int64_t(points.size())}, i32);
  LLVM::GlobalOp pointTable = makeGlobal(name + "_points", LLVM::LLVMArrayType::get(i32, points.size()),
                                         DenseElementsAttr::get(numbers, points));
  SmallVector<std::string> sites;
  if (auto known = function->getAttrOfType<ArrayAttr>(kSitesAttr))
    for (Attribute site : known)
      sites.push_back(textGlobal(cast<StringAttr>(site).getValue()).getName().str());
  LLVM::GlobalOp siteTable = addressTable(name + "_sites", sites);
  LLVM::GlobalOp title = textGlobal(function->getAttrOfType<StringAttr>(kKernelAttr).getValue());
  auto attribute = [&](StringRef which, int64_t otherwise) {
    auto number = function->getAttrOfType<IntegerAttr>(which);
    return number ? number.getInt() : otherwise;
  };
  const std::pair<Type, int64_t> fields[] = {
      {pointer, 0},
      {i32, int64_t(regions.size())},
      {i32, int64_t(sites.size())},
      {pointer, 0},
      {pointer, 0},
      {pointer, 0},
      {i64, frameBytes},
      {i64, attribute(kWorkgroupBytesAttr, 0)},
      {i32, attribute(kChecksAttr, 0)},
      {i32, attribute(kGranuleAttr, 4)},
      {i32, attribute(kFlagsAttr, 0)},
      {i32, 0},
  };
  static_assert(offsetof(mica_sim_kernel_v1, reserved) == 68 && sizeof(mica_sim_kernel_v1) == 72,
                "the fields above are those of mica_sim_kernel_v1");
  LLVM::GlobalOp pointers[] = {title, {}, {}, regionTable, pointTable, siteTable};
  SmallVector<Type> types = llvm::map_to_vector(fields, [](auto &field) { return field.first; });
  auto type = LLVM::LLVMStructType::getLiteral(module.getContext(), types);
  makeGlobal(name + "_kernel", type, Attribute(), [&](OpBuilder &builder) {
    Value made = LLVM::UndefOp::create(builder, loc, type);
    for (auto [i, field] : llvm::enumerate(fields)) {
      Value value = field.first == pointer ? LLVM::AddressOfOp::create(builder, loc, pointers[i]).getResult()
                                           : number(builder, loc, field.first, field.second);
      made = LLVM::InsertValueOp::create(builder, loc, made, value, ArrayRef<int64_t>{int64_t(i)});
    }
    return made;
  });
}

/// The body of a launch: stores sizes and arguments, calls the runtime, and asserts that its checks found nothing.
void Tables::defineLaunch(LLVM::LLVMFuncOp function, FlatSymbolRefAttr kernel, StringRef site) {
  constexpr unsigned kSizes = 7;
  Location loc = function.getLoc();
  OpBuilder builder(module.getContext());
  Type i8 = builder.getI8Type(), i64 = builder.getI64Type();
  function.setLinkage(LLVM::Linkage::Internal);
  Block *block = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(block);
  ArrayRef<BlockArgument> passed = block->getArguments().drop_front(kSizes);
  int64_t bytes = 0;
  for (Value argument : passed)
    bytes += argumentBytes(argument.getType());
  Value args = LLVM::AllocaOp::create(builder, loc, pointer, i8,
                                      number(builder, loc, i64, std::max<int64_t>(bytes, 16)), /*alignment=*/16);
  Value launch = LLVM::AllocaOp::create(builder, loc, pointer, i8,
                                        number(builder, loc, i64, sizeof(mica_sim_launch_v1)), /*alignment=*/16);
  int64_t at = 0;
  for (Value argument : passed) {
    LLVM::StoreOp::create(builder, loc, argument, offset(builder, loc, args, at), slotAlignment(argument.getType()));
    at += argumentBytes(argument.getType());
  }
  auto set = [&](size_t field, Value value) {
    LLVM::StoreOp::create(builder, loc, value, offset(builder, loc, launch, static_cast<int64_t>(field)));
  };
  set(offsetof(mica_sim_launch_v1, kernel),
      LLVM::AddressOfOp::create(builder, loc, pointer, (kernel.getValue() + "_kernel").str()));
  for (unsigned i = 0; i < kSizes; ++i)
    set(offsetof(mica_sim_launch_v1, grid) + i * sizeof(int64_t), block->getArgument(i));
  set(offsetof(mica_sim_launch_v1, args), args);
  set(offsetof(mica_sim_launch_v1, site), text(builder, loc, site));
  Value message = callService(builder, loc, offsetof(mica_sim_api_v1, launch), {pointer}, launch);
  Value none = LLVM::ZeroOp::create(builder, loc, pointer);
  Value fine = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, message, none);
  std::string symbol = (kPlainPrefix + "assert").str();
  auto assertion = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol);
  if (!assertion) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    assertion = LLVM::LLVMFuncOp::create(
        top, module.getLoc(), symbol,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()), {builder.getI1Type(), pointer}));
  }
  LLVM::CallOp::create(builder, loc, assertion, ValueRange{fine, message});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

LogicalResult Tables::defineHostService(LLVM::LLVMFuncOp function, StringRef name) {
  std::optional<size_t> position = serviceOffset(name);
  if (!position)
    return function.emitError() << "unknown service '" << name << "'";
  Location loc = function.getLoc();
  OpBuilder builder(module.getContext());
  function.setLinkage(LLVM::Linkage::Internal);
  Block *block = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(block);
  // Addresses are 64-bit integers, which are passed like pointers.
  Type result = function.getFunctionType().getReturnType();
  bool gives = !isa<LLVM::LLVMVoidType>(result);
  Value value =
      callService(builder, loc, *position, gives ? ArrayRef<Type>(result) : ArrayRef<Type>(), block->getArguments());
  LLVM::ReturnOp::create(builder, loc, value ? ValueRange(value) : ValueRange());
  return success();
}

static StringRef launchSiteOf(DictionaryAttr marker) {
  auto site = marker.getAs<StringAttr>(kLaunchSiteAttr);
  return site ? site.getValue() : StringRef();
}

LogicalResult Tables::defineHostMarkers() {
  for (auto &entry : markers) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(entry.first());
    if (auto kernel = entry.second.getAs<FlatSymbolRefAttr>(kLaunchAttr))
      defineLaunch(function, kernel, launchSiteOf(entry.second));
    else if (auto name = entry.second.getAs<StringAttr>(kHostServiceAttr);
             name && failed(defineHostService(function, name)))
      return failure();
  }
  return success();
}

void Tables::eraseMarkers() {
  for (auto &entry : markers) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(entry.first());
    if (function.isExternal())
      function.erase();
    else
      for (StringRef attr : {kLaunchAttr, kLaunchSiteAttr, kHostServiceAttr})
        function->removeAttr(attr);
  }
}
