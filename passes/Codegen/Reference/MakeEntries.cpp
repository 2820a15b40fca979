//===- MakeEntries.cpp - creating the entries that the runtime calls --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Everything here is emitted in the LLVM dialect:
//
//   mica_entry_<name>(api, ctx, args, dims): remembers api and ctx, makes a descriptor of each argument, calls the
//     function's C wrapper (_mlir_ciface_<function>), copies each result to the memory the runtime gives for it
//   _mlir_memref_to_llvm_alloc and aligned_alloc: memory of the invocation; free: nothing
//   helpers that print: call through the pointers that the runtime fills
//   mica_plain_constant, mica_plain_assert, mica_plain_report: see mica-reference-call-runtime
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/MicaSched/IR/Signatures.h"
#include "mica/ABI/Helpers.h"
#include "mica/ABI/Memory.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Schedule/HostFunctions.h"
#include "passes/Schedule/RuntimeHelpers.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

namespace mica {
#define GEN_PASS_DEF_MAKEENTRIES
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {

/// Positions in mica_host_api_v1.
enum class Service { Version, Alloc, Result, Constant, Submit, Wait, Fail, Report };

class MakeEntries : public mica::impl::MakeEntriesBase<MakeEntries> {
public:
  using MakeEntriesBase::MakeEntriesBase;

  void runOnOperation() override {
    program = getOperation();
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (auto function : program.getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(kPlainEntryAttr)) {
        if (!function.getName().starts_with("_mlir_ciface_"))
          functions.push_back(function);
        else
          function->removeAttr(kPlainEntryAttr); // the wrapper was made with the function's attributes
      }
    // The functions without kernels, in a snapshot.
    if (failed(inlineHostFunctions(program)))
      return signalPassFailure();
    if (functions.empty())
      return; // phase lowered: the entries exist
    MLIRContext *context = &getContext();
    LLVMTypeConverter types(context);
    converter = &types;
    pointer = LLVM::LLVMPointerType::get(context);
    i1 = IntegerType::get(context, 1);
    i8 = IntegerType::get(context, 8);
    i32 = IntegerType::get(context, 32);
    i64 = IntegerType::get(context, 64);
    nothing = LLVM::LLVMVoidType::get(context);
    OpBuilder builder = OpBuilder::atBlockBegin(program.getBody());
    for (auto [name, type] : {std::pair(kApi, pointer), std::pair(kCtx, pointer), std::pair(kStatus, i32)})
      makeGlobal(builder, name, type);
    leaveAfterFailures();
    makeServices();
    for (LLVM::LLVMFuncOp function : functions) {
      if (function->hasAttr(sched::kHostOpAttr)) {
        makeHostOp(function);
        continue;
      }
      function.setLinkage(LLVM::Linkage::Internal);
      if (failed(makeEntry(function)))
        return signalPassFailure();
    }
    connectHelpers(program);
  }

private:
  static constexpr StringLiteral kApi = "mica_plain_api", kCtx = "mica_plain_ctx", kStatus = "mica_plain_status";

  /// One per thread, because contexts may run at once; one for all parts of a program.
  void makeGlobal(OpBuilder &builder, StringRef name, Type type) {
    if (program.lookupSymbol(name))
      return;
    Location loc = program.getLoc();
    auto global =
        LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/false, LLVM::Linkage::LinkonceODR, name, Attribute(),
                               /*alignment=*/0, /*addrSpace=*/0, /*dsoLocal=*/false, /*thread_local_=*/true);
    global.setVisibility_(LLVM::Visibility::Hidden);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&global.getInitializerRegion());
    LLVM::ReturnOp::create(builder, loc, LLVM::ZeroOp::create(builder, loc, type));
  }
  Value global(OpBuilder &builder, Location loc, StringRef name) {
    return LLVM::AddressOfOp::create(builder, loc, pointer, name);
  }
  Value number(OpBuilder &builder, Location loc, Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
  }
  /// The address of element `index` of an array of `element`.
  Value slot(OpBuilder &builder, Location loc, Type element, Value base, int32_t index) {
    return LLVM::GEPOp::create(builder, loc, pointer, element, base, ArrayRef<LLVM::GEPArg>{index});
  }
  /// Stack memory for a value of `type`.
  Value local(OpBuilder &builder, Location loc, Type type, int64_t count = 1) {
    return LLVM::AllocaOp::create(builder, loc, pointer, type, number(builder, loc, i64, count));
  }

  /// api->service(ctx, arguments...)
  Value call(OpBuilder &builder, Location loc, Service service, Type result, ArrayRef<Value> arguments) {
    // The table up to Fail, which each runtime has; up to Report only where that is called (ProgramHeader.cpp).
    SmallVector<Type> fields(std::max<size_t>(7, size_t(service) + 1), pointer);
    fields.front() = i32;
    auto table = LLVM::LLVMStructType::getLiteral(&getContext(), fields);
    Value api = LLVM::LoadOp::create(builder, loc, pointer, global(builder, loc, kApi));
    Value field = LLVM::GEPOp::create(builder, loc, pointer, table, api,
                                      ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(service)});
    SmallVector<Value> operands{LLVM::LoadOp::create(builder, loc, pointer, field),
                                LLVM::LoadOp::create(builder, loc, pointer, global(builder, loc, kCtx))};
    llvm::append_range(operands, arguments);
    SmallVector<Type> types =
        llvm::map_to_vector(ArrayRef<Value>(operands).drop_front(), [](Value operand) { return operand.getType(); });
    return LLVM::CallOp::create(builder, loc, LLVM::LLVMFunctionType::get(result, types), operands).getResult();
  }

  /// Gives the function `name` of the program a body, emitted by `fill`; does nothing if there is no such function.
  void define(StringRef name, function_ref<void(OpBuilder &, Block &)> fill) {
    auto function = program.lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (!function || !function.isExternal())
      return;
    function.setLinkage(LLVM::Linkage::Internal);
    OpBuilder builder(&getContext());
    Block *block = function.addEntryBlock(builder);
    builder.setInsertionPointToEnd(block);
    fill(builder, *block);
  }
  void makeHostOp(LLVM::LLVMFuncOp function);
  void storeContext(OpBuilder &builder, Location loc, Block &block);
  void makeServices();
  void leaveAfterFailures();
  LogicalResult makeEntry(LLVM::LLVMFuncOp function);
  /// `type` converted to the LLVM dialect.
  Type converted(Type type);
  LogicalResult checkTypes(LLVM::LLVMFuncOp function, StringRef name, FunctionType type);
  SmallVector<Value> loadArguments(OpBuilder &builder, Location loc, FunctionType type, Block *block);
  Value makeDescriptor(OpBuilder &builder, Location loc, ShapedType shaped, Value memory, Value dims, int32_t &nextDim);
  Value callWrapper(OpBuilder &builder, Location loc, LLVM::LLVMFuncOp wrapper, FunctionType type,
                    SmallVector<Value> operands);
  LogicalResult returnResults(OpBuilder &builder, LLVM::LLVMFuncOp function, FunctionType type, Value returned,
                              Block *block, Block *leave);
  LogicalResult storeResult(OpBuilder &builder, LLVM::LLVMFuncOp function, Type result, Value value, Value elements,
                            Value memory);
  void makeSignature(ArrayAttr entry, Location loc);

  ModuleOp program;
  LLVMTypeConverter *converter = nullptr; ///< of this run
  Type pointer, i1, i8, i32, i64, nothing;
};

} // namespace

void MakeEntries::makeServices() {
  Location loc = program.getLoc();
  define("_mlir_memref_to_llvm_alloc", [&](OpBuilder &builder, Block &block) {
    LLVM::ReturnOp::create(builder, loc, call(builder, loc, Service::Alloc, pointer, {block.getArgument(0)}));
  });
  define("_mlir_memref_to_llvm_aligned_alloc", [&](OpBuilder &builder, Block &block) {
    // Arguments: alignment, size. The runtime aligns by 64, more than any element needs.
    LLVM::ReturnOp::create(builder, loc, call(builder, loc, Service::Alloc, pointer, {block.getArgument(1)}));
  });
  define("_mlir_memref_to_llvm_free",
         [&](OpBuilder &builder, Block &) { LLVM::ReturnOp::create(builder, loc, ValueRange()); });
  define("mica_plain_constant", [&](OpBuilder &builder, Block &block) {
    LLVM::ReturnOp::create(builder, loc, call(builder, loc, Service::Constant, pointer, {block.getArgument(0)}));
  });
  define("mica_plain_assert", [&](OpBuilder &builder, Block &block) {
    Region *region = block.getParent();
    Block *broken = builder.createBlock(region, region->end()), *rest = builder.createBlock(region, region->end());
    builder.setInsertionPointToEnd(&block);
    LLVM::CondBrOp::create(builder, loc, block.getArgument(0), rest, broken);
    builder.setInsertionPointToEnd(broken);
    call(builder, loc, Service::Fail, i32, {block.getArgument(1)});
    LLVM::StoreOp::create(builder, loc, number(builder, loc, i32, 1), global(builder, loc, kStatus));
    LLVM::BrOp::create(builder, loc, rest);
    builder.setInsertionPointToEnd(rest);
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  });
  define("mica_plain_report", [&](OpBuilder &builder, Block &block) {
    call(builder, loc, Service::Report, i32, llvm::to_vector_of<Value>(block.getArguments()));
    LLVM::StoreOp::create(builder, loc, number(builder, loc, i32, 1), global(builder, loc, kStatus));
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  });
}

/// Whether the function returns behind a failed check.
static bool isReport(StringRef name) { return name == "mica_plain_assert" || name == "mica_plain_report"; }

/// Returns from a function after a failed assertion, and from its callers: the following code may access memory out of
/// bounds.
void MakeEntries::leaveAfterFailures() {
  for (auto function : program.getOps<LLVM::LLVMFuncOp>()) {
    SmallVector<LLVM::CallOp> calls;
    bool isCoroutine = false;
    function.walk([&](Operation *op) {
      isCoroutine |= op->getName().getStringRef().starts_with("llvm.intr.coro");
      auto call = dyn_cast<LLVM::CallOp>(op);
      if (!call || !call.getCallee())
        return;
      auto callee = program.lookupSymbol<LLVM::LLVMFuncOp>(*call.getCallee());
      if (callee && (!callee.isExternal() || isReport(callee.getName())))
        calls.push_back(call);
    });
    if (calls.empty() || isCoroutine)
      continue;
    Location loc = function.getLoc();
    Block *leave = nullptr;
    for (LLVM::CallOp call : calls) {
      OpBuilder builder(&getContext());
      if (!leave) {
        leave = builder.createBlock(&function.getBody(), function.getBody().end());
        SmallVector<Value> zeros;
        for (Type type : function.getResultTypes())
          if (type != nothing)
            zeros.push_back(LLVM::ZeroOp::create(builder, loc, type));
        LLVM::ReturnOp::create(builder, loc, zeros);
      }
      Block *block = call->getBlock(), *rest = block->splitBlock(std::next(call->getIterator()));
      builder.setInsertionPointToEnd(block);
      Value status = LLVM::LoadOp::create(builder, loc, i32, global(builder, loc, kStatus));
      Value isRight = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status, number(builder, loc, i32, 0));
      LLVM::CondBrOp::create(builder, loc, isRight, rest, leave);
    }
  }
}

/// A function without a body that has the entry's signature, under a unique name.
void MakeEntries::makeSignature(ArrayAttr entry, Location loc) {
  OpBuilder builder = OpBuilder::atBlockEnd(program.getBody());
  auto signature =
      func::FuncOp::create(builder, loc, (kPlainPrefix + "signature_" + cast<StringAttr>(entry[0]).getValue()).str(),
                           cast<FunctionType>(cast<TypeAttr>(entry[1]).getValue()));
  signature.setPrivate();
  signature->setAttr(sched::kEntryAttr, builder.getUnitAttr());
  signature->setAttr(kPlainEntryAttr, builder.getArrayAttr({entry[0], entry[1]}));
  if (entry.size() == 4) {
    signature.setAllArgAttrs(cast<ArrayAttr>(entry[2]));
    signature.setAllResultAttrs(cast<ArrayAttr>(entry[3]));
  }
}

Type MakeEntries::converted(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
    type = MemRefType::get(shaped.getShape(), shaped.getElementType());
  return converter->convertType(type);
}

LogicalResult MakeEntries::checkTypes(LLVM::LLVMFuncOp function, StringRef name, FunctionType type) {
  for (Type passed : llvm::concat<const Type>(type.getInputs(), type.getResults())) {
    auto shaped = dyn_cast<ShapedType>(passed);
    auto memref = dyn_cast<MemRefType>(passed);
    bool isContiguous =
        shaped ? shaped.hasRank() && (!memref || memref.getLayout().isIdentity()) : passed.isIntOrIndexOrFloat();
    if (!isContiguous || !converted(passed))
      return function.emitError()
             << "entry '" << name << "' passes a value of type " << passed
             << "; the reference lowering takes tensors, contiguous memrefs, integers, index and floats";
  }
  return success();
}

/// A descriptor on the stack for the buffer at `memory`, whose sizes are the next of `dims`.
Value MakeEntries::makeDescriptor(OpBuilder &builder, Location loc, ShapedType shaped, Value memory, Value dims,
                                  int32_t &nextDim) {
  auto descriptor = MemRefDescriptor::poison(builder, loc, converted(shaped));
  descriptor.setAllocatedPtr(builder, loc, memory);
  descriptor.setAlignedPtr(builder, loc, memory);
  descriptor.setConstantOffset(builder, loc, 0);
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < shaped.getRank(); ++d)
    sizes.push_back(LLVM::LoadOp::create(builder, loc, i64, slot(builder, loc, i64, dims, nextDim++)));
  Value stride = number(builder, loc, i64, 1);
  for (int64_t d = shaped.getRank() - 1; d >= 0; --d) {
    descriptor.setSize(builder, loc, d, sizes[d]);
    descriptor.setStride(builder, loc, d, stride);
    stride = LLVM::MulOp::create(builder, loc, stride, sizes[d]);
  }
  Value place = local(builder, loc, converted(shaped));
  LLVM::StoreOp::create(builder, loc, Value(descriptor), place);
  return place;
}

/// Creates a descriptor for each buffer; scalars are passed by value.
SmallVector<Value> MakeEntries::loadArguments(OpBuilder &builder, Location loc, FunctionType type, Block *block) {
  SmallVector<Value> operands;
  int32_t nextDim = 0;
  for (auto [i, input] : llvm::enumerate(type.getInputs())) {
    Value memory = LLVM::LoadOp::create(builder, loc, pointer, slot(builder, loc, pointer, block->getArgument(2), i));
    auto shaped = dyn_cast<ShapedType>(input);
    if (!shaped) {
      Type loaded = input.isInteger(1) ? i8 : converted(input);
      Value value = LLVM::LoadOp::create(builder, loc, loaded, memory);
      operands.push_back(input.isInteger(1) ? LLVM::TruncOp::create(builder, loc, i1, value).getResult() : value);
      continue;
    }
    operands.push_back(makeDescriptor(builder, loc, shaped, memory, block->getArgument(3), nextDim));
  }
  return operands;
}

/// The result of `wrapper`: one result directly, several as a structure; a structure is returned through memory. Null
/// if there is none.
Value MakeEntries::callWrapper(OpBuilder &builder, Location loc, LLVM::LLVMFuncOp wrapper, FunctionType type,
                               SmallVector<Value> operands) {
  SmallVector<Type> results = llvm::map_to_vector(type.getResults(), [&](Type each) { return converted(each); });
  Type packed = results.size() == 1 ? results[0] : LLVM::LLVMStructType::getLiteral(&getContext(), results);
  bool isInMemory = !results.empty() && isa<LLVM::LLVMStructType>(packed);
  Value place;
  if (isInMemory) {
    place = local(builder, loc, packed);
    operands.insert(operands.begin(), place);
  }
  auto called = LLVM::CallOp::create(builder, loc, wrapper, operands);
  Value returned;
  if (isInMemory)
    returned = LLVM::LoadOp::create(builder, loc, packed, place);
  else if (!results.empty())
    returned = called.getResult();
  return returned;
}

/// Copies `value`, a `result` of `elements` elements, to `memory`.
LogicalResult MakeEntries::storeResult(OpBuilder &builder, LLVM::LLVMFuncOp function, Type result, Value value,
                                       Value elements, Value memory) {
  Location loc = function.getLoc();
  auto shaped = dyn_cast<ShapedType>(result);
  if (!shaped) {
    if (result.isInteger(1))
      value = LLVM::ZExtOp::create(builder, loc, i8, value);
    LLVM::StoreOp::create(builder, loc, value, memory);
    return success();
  }
  std::optional<int64_t> bytes = sched::elementBytes(shaped.getElementType());
  if (!bytes)
    return function.emitError() << "elements of " << result << " have no fixed size";
  Value count = LLVM::MulOp::create(builder, loc, elements, number(builder, loc, i64, *bytes));
  Value from = MemRefDescriptor(value).alignedPtr(builder, loc);
  Value offset = MemRefDescriptor(value).offset(builder, loc);
  from = LLVM::GEPOp::create(builder, loc, pointer, converter->convertType(shaped.getElementType()), from, offset);
  LLVM::MemcpyOp::create(builder, loc, memory, from, count, /*isVolatile=*/false);
  return success();
}

/// Requests memory for each result and copies it there; branches to `leave` on failure.
LogicalResult MakeEntries::returnResults(OpBuilder &builder, LLVM::LLVMFuncOp function, FunctionType type,
                                         Value returned, Block *block, Block *leave) {
  Location loc = function.getLoc();
  Block *current = block;
  for (auto [i, result] : llvm::enumerate(type.getResults())) {
    Value value = type.getNumResults() == 1
                      ? returned
                      : LLVM::ExtractValueOp::create(builder, loc, returned, SmallVector<int64_t>{int64_t(i)}).getRes();
    auto shaped = dyn_cast<ShapedType>(result);
    int64_t rank = shaped ? shaped.getRank() : 0;
    Value sizes = local(builder, loc, i64, std::max<int64_t>(rank, 1)), elements = number(builder, loc, i64, 1);
    for (int64_t d = 0; d < rank; ++d) {
      Value size = MemRefDescriptor(value).size(builder, loc, d);
      LLVM::StoreOp::create(builder, loc, size, slot(builder, loc, i64, sizes, d));
      elements = LLVM::MulOp::create(builder, loc, elements, size);
    }
    Value memory = call(builder, loc, Service::Result, pointer,
                        {number(builder, loc, i64, i), sizes, number(builder, loc, i64, rank)});
    Block *rest = builder.createBlock(leave);
    OpBuilder before = OpBuilder::atBlockEnd(current);
    Value none = LLVM::ZeroOp::create(before, loc, pointer);
    LLVM::CondBrOp::create(before, loc, LLVM::ICmpOp::create(before, loc, LLVM::ICmpPredicate::eq, memory, none), leave,
                           ValueRange(), rest, ValueRange());
    builder.setInsertionPointToEnd(rest);
    current = rest;
    if (failed(storeResult(builder, function, result, value, elements, memory)))
      return failure();
  }
  return success();
}

/// Notes for the calling thread which context it works for: the first two arguments of `block`.
void MakeEntries::storeContext(OpBuilder &builder, Location loc, Block &block) {
  LLVM::StoreOp::create(builder, loc, block.getArgument(0), global(builder, loc, kApi));
  LLVM::StoreOp::create(builder, loc, block.getArgument(1), global(builder, loc, kCtx));
  LLVM::StoreOp::create(builder, loc, number(builder, loc, i32, 0), global(builder, loc, kStatus));
  if (!program.lookupSymbol(kPlainStackLimit))
    return;
  auto limit = program.lookupSymbol<LLVM::LLVMFuncOp>(MICA_HELPER_STACK_LIMIT);
  Value lowest = LLVM::CallOp::create(builder, loc, limit, ValueRange()).getResult();
  LLVM::StoreOp::create(builder, loc, lowest, global(builder, loc, kPlainStackLimit));
}

/// Gives `function` the name by which host functions call it, and makes the two functions around such calls.
void MakeEntries::makeHostOp(LLVM::LLVMFuncOp function) {
  auto entry = function->getAttrOfType<ArrayAttr>(kPlainEntryAttr);
  function->removeAttr(kPlainEntryAttr);
  const StringAttr old = function.getNameAttr();
  if (auto wrapper = program.lookupSymbol<LLVM::LLVMFuncOp>(("_mlir_ciface_" + old.getValue()).str()))
    wrapper.erase();
  (void)SymbolTable::replaceAllSymbolUses(old, cast<StringAttr>(entry[0]), program);
  function.setName(cast<StringAttr>(entry[0]).getValue());
  function.setLinkage(LLVM::Linkage::Internal);
  SymbolTable::setSymbolVisibility(function, SymbolTable::Visibility::Public); // used from outside
  if (program.lookupSymbol(sched::kHostOpBegin))
    return;
  Location loc = program.getLoc();
  OpBuilder builder(&getContext());
  auto make = [&](StringRef name, Type result, ArrayRef<Type> arguments) {
    builder.setInsertionPointToEnd(program.getBody());
    auto made = LLVM::LLVMFuncOp::create(builder, loc, name, LLVM::LLVMFunctionType::get(result, arguments));
    made->setAttr(sched::kHostOpAttr, builder.getUnitAttr());
    made.setLinkage(LLVM::Linkage::Internal);
    Block *block = made.addEntryBlock(builder);
    builder.setInsertionPointToEnd(block);
    return block;
  };
  storeContext(builder, loc, *make(sched::kHostOpBegin, nothing, {pointer, pointer}));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  make(sched::kHostOpStatus, i32, {});
  LLVM::ReturnOp::create(builder, loc, LLVM::LoadOp::create(builder, loc, i32, global(builder, loc, kStatus)));
}

LogicalResult MakeEntries::makeEntry(LLVM::LLVMFuncOp function) {
  auto entry = function->getAttrOfType<ArrayAttr>(kPlainEntryAttr);
  StringRef name = cast<StringAttr>(entry[0]).getValue();
  auto type = cast<FunctionType>(cast<TypeAttr>(entry[1]).getValue());
  function->removeAttr(kPlainEntryAttr);
  Location loc = function.getLoc();
  if (keepSignatures)
    makeSignature(entry, loc);
  auto wrapper = program.lookupSymbol<LLVM::LLVMFuncOp>(("_mlir_ciface_" + function.getName()).str());
  if (!wrapper)
    return function.emitError() << "entry '" << name << "' has no C wrapper";
  wrapper.setLinkage(LLVM::Linkage::Internal);

  if (failed(checkTypes(function, name, type)))
    return failure();

  OpBuilder builder(function);
  SmallVector<Type> four(4, pointer);
  auto made =
      LLVM::LLVMFuncOp::create(builder, loc, ("mica_entry_" + name).str(), LLVM::LLVMFunctionType::get(i32, four));
  SmallVector<int64_t> signature{sched::hasMemoryApi(program) ? MICA_SIGNATURE_ALLOCATES : 0,
                                 static_cast<int64_t>(type.getNumInputs())};
  for (Type input : type.getInputs())
    sched::appendSignature(signature, input);
  sched::makeSignature(program, loc, MICA_ENTRY_SIGNATURE_PREFIX + name, signature);
  Block *block = made.addEntryBlock(builder);
  Block *leave = builder.createBlock(&made.getBody(), made.getBody().end());
  LLVM::ReturnOp::create(builder, loc, number(builder, loc, i32, 1));
  builder.setInsertionPointToEnd(block);
  storeContext(builder, loc, *block);
  Value returned = callWrapper(builder, loc, wrapper, type, loadArguments(builder, loc, type, block));
  Value status = LLVM::LoadOp::create(builder, loc, i32, global(builder, loc, kStatus));
  Value isRight = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status, number(builder, loc, i32, 0));
  Block *rest = builder.createBlock(leave);
  OpBuilder before = OpBuilder::atBlockEnd(block);
  LLVM::CondBrOp::create(before, loc, isRight, rest, leave);
  block = rest;
  builder.setInsertionPointToEnd(block);
  if (failed(returnResults(builder, function, type, returned, block, leave)))
    return failure();
  LLVM::ReturnOp::create(builder, loc, number(builder, loc, i32, 0));
  return success();
}
