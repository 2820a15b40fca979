//===- CallRuntime.cpp - converting constants and assertions to calls -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   mica_sched.constant v  ->  llvm.call @mica_plain_constant(number of v), a buffer at the address it gives
//   cf.assert %c, "text"   ->  llvm.call @mica_plain_assert(%c, address of "text")
//   mica_check.failed      ->  llvm.call @mica_plain_report(address of the text, address of the values, number, flags)
//
// Print helpers are declared as in the runtime; MakeEntries.cpp connects them. Those that vector.print calls, too, are
// functions of the LLVM dialect from here on: the conversion of vector.print declares them there.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/LaunchAttr.h"
#include "mica/ABI/Host.h"
#include "passes/Codegen/Reference/FailedChecks.h"
#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Schedule/TaskLists.h"
#include "passes/Tensor/ArgumentNames.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"

namespace mica {
#define GEN_PASS_DEF_CALLRUNTIME
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

LLVM::LLVMFuncOp mica::plainService(ModuleOp program, StringRef name, Type result, ArrayRef<Type> arguments) {
  std::string symbol = (kPlainPrefix + name).str();
  if (auto function = program.lookupSymbol<LLVM::LLVMFuncOp>(symbol))
    return function;
  OpBuilder builder(program.getBodyRegion());
  return LLVM::LLVMFuncOp::create(builder, program.getLoc(), symbol, LLVM::LLVMFunctionType::get(result, arguments));
}

LLVM::GlobalOp mica::makeMessage(ModuleOp program, Location loc, StringRef name, StringRef text) {
  std::string symbol = (kPlainPrefix + name).str(), ended = text.str();
  while (program.lookupSymbol(symbol)) // defined by an earlier pass
    symbol += "_";
  ended.push_back('\0');
  OpBuilder top(program.getBodyRegion());
  return LLVM::GlobalOp::create(top, loc, LLVM::LLVMArrayType::get(top.getI8Type(), ended.size()), /*isConstant=*/true,
                                LLVM::Linkage::Internal, symbol, top.getStringAttr(ended));
}

namespace {

class CallRuntime : public mica::impl::CallRuntimeBase<CallRuntime> {
public:
  void runOnOperation() override {
    if (hasLoweredHost(getOperation()))
      return;
    program = getOperation();
    SmallVector<sched::ConstantOp> constants;
    SmallVector<cf::AssertOp> asserts;
    SmallVector<check::FailedOp> failed;
    program.walk([&](sched::ConstantOp op) { constants.push_back(op); });
    program.walk([&](cf::AssertOp op) { asserts.push_back(op); });
    program.walk([&](check::FailedOp op) { failed.push_back(op); });
    llvm::DenseMap<Attribute, int64_t> numbers;
    SmallVector<Attribute> numbered;
    for (auto [number, value] : llvm::enumerate(collectConstants(program))) {
      numbers[value] = number;
      numbered.push_back(value);
    }
    // Constants are represented by their numbers from here on.
    if (!numbered.empty()) // none on a second run
      program->setAttr(sched::kConstantsAttr, ArrayAttr::get(&getContext(), numbered));
    for (sched::ConstantOp op : constants)
      convertConstant(op, numbers.lookup(op.getValueAttr()));
    for (auto [number, op] : llvm::enumerate(asserts))
      convertAssert(op, number);
    for (auto [number, op] : llvm::enumerate(failed))
      convertFailed(op, number);
    if (program.walk([](vector::PrintOp) { return WalkResult::interrupt(); }).wasInterrupted())
      for (auto function : llvm::make_early_inc_range(program.getOps<func::FuncOp>()))
        convertPrinter(function);
    // The manifest has it by now, and it would be wrong on an LLVM function.
    for (auto function : program.getOps<func::FuncOp>()) {
      keepAttributes(function);
      // Helpers take buffer descriptors by pointer.
      if (function.isExternal() && sched::isRuntimeHelper(function.getName()) &&
          llvm::any_of(function.getArgumentTypes(), [](Type type) { return isa<BaseMemRefType, TensorType>(type); }))
        function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), UnitAttr::get(&getContext()));
      for (unsigned result = 0; result < function.getNumResults(); ++result)
        for (StringRef name : {sched::kUpdatesAttr, kUnsignedAttr})
          function.removeResultAttr(result, StringAttr::get(&getContext(), name));
      for (unsigned argument = 0; argument < function.getNumArguments(); ++argument)
        function.removeArgAttr(argument, kUnsignedAttr);
    }
  }

private:
  /// An entry's signature also has the names of its arguments and results, and which results are updated arguments.
  static void keepAttributes(func::FuncOp function) {
    auto entry = function->getAttrOfType<ArrayAttr>(kPlainEntryAttr);
    if (!entry || entry.size() == 4 || function.isExternal())
      return;
    nameArguments(function);
    Builder builder(function.getContext());
    // The attributes that callers use.
    auto seen = [&](DictionaryAttr given) -> Attribute {
      NamedAttrList kept;
      for (StringRef name : {kNameAttr, kUnsignedAttr, kImaginaryAttr, sched::kUpdatesAttr})
        if (Attribute value = given ? given.get(name) : Attribute())
          kept.set(name, value);
      return kept.getDictionary(function.getContext());
    };
    SmallVector<Attribute> arguments, results;
    for (unsigned argument = 0; argument < function.getNumArguments(); ++argument)
      arguments.push_back(seen(function.getArgAttrDict(argument)));
    for (unsigned result = 0; result < function.getNumResults(); ++result)
      results.push_back(seen(function.getResultAttrDict(result)));
    function->setAttr(kPlainEntryAttr, builder.getArrayAttr({entry[0], entry[1], builder.getArrayAttr(arguments),
                                                             builder.getArrayAttr(results)}));
  }

  /// A declaration of what vector.print calls.
  void convertPrinter(func::FuncOp function) {
    Builder types(&getContext());
    const Type argument = llvm::StringSwitch<Type>(function.getName())
                              .Cases({"printI64", "printU64"}, types.getI64Type())
                              .Case("printF32", types.getF32Type())
                              .Case("printF64", types.getF64Type())
                              .Cases({"printF16", "printBF16"}, types.getI16Type())
                              .Cases({"printOpen", "printClose", "printComma", "printNewline"}, types.getNoneType())
                              .Default(Type());
    const FunctionType type = function.getFunctionType();
    const bool isSame =
        isa_and_present<NoneType>(argument) ? type.getNumInputs() == 0 : type.getInputs() == ArrayRef<Type>(argument);
    if (!argument || !function.isExternal() || !isSame || type.getNumResults() != 0)
      return;
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(function, program);
    if (!uses || !llvm::all_of(*uses, [](const auto &use) { return isa<func::CallOp>(use.getUser()); }))
      return;
    OpBuilder builder(function);
    auto made =
        LLVM::LLVMFuncOp::create(builder, function.getLoc(), function.getName(),
                                 LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), type.getInputs()));
    for (const SymbolTable::SymbolUse &use : llvm::to_vector(*uses)) {
      auto call = cast<func::CallOp>(use.getUser());
      OpBuilder at(call);
      LLVM::CallOp::create(at, call.getLoc(), made, call.getOperands());
      call.erase();
    }
    function.erase();
  }

  void convertConstant(sched::ConstantOp op, int64_t number) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), i64 = builder.getI64Type();
    Value index = LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(number));
    Value memory =
        LLVM::CallOp::create(builder, loc, plainService(program, "constant", pointer, {i64}), index).getResult();
    op.getBuffer().replaceAllUsesWith(bufferAt(builder, loc, cast<MemRefType>(op.getType()), memory, {}));
    op.erase();
  }

  /// As of programs with kernels: "assertion failed: positive; cf.assert at m.mlir:3:8".
  static std::string assertionText(cf::AssertOp op) {
    std::string text = "assertion failed: " + op.getMsg().str() + "; cf.assert";
    if (SmallVector<StringRef> ids = getOpIds(op); !ids.empty())
      text += " [" + ids.front().str() + "]";
    return text + positionText(op->getLoc()) + callPathText(op->getLoc());
  }

  void convertAssert(cf::AssertOp op, int64_t number) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(&getContext());
    LLVM::GlobalOp message = makeMessage(program, loc, ("message_" + Twine(number)).str(), assertionText(op));
    Value address = LLVM::AddressOfOp::create(builder, loc, message);
    auto callee =
        plainService(program, "assert", LLVM::LLVMVoidType::get(&getContext()), {builder.getI1Type(), pointer});
    LLVM::CallOp::create(builder, loc, callee, ValueRange{op.getArg(), address});
    op.erase();
  }

  /// Executed at most once, so that the values do not fill the stack.
  void convertFailed(check::FailedOp op, int64_t number) {
    // What a snapshot of phase lowered tells the runtime about loops and floats is no failure.
    if (auto report = op->getAttrOfType<StringAttr>(check::kReportAttr);
        report && (report.getValue() == check::kLoopReport || report.getValue() == check::kFloatReport))
      return op.erase();
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), i64 = builder.getI64Type(), i32 = builder.getI32Type();
    auto report = op->getAttrOfType<StringAttr>(check::kReportAttr);
    const int32_t flags = !report                                     ? 0
                          : report.getValue() == check::kSizesReport  ? MICA_REPORT_SIZES
                          : report.getValue() == check::kAccessReport ? MICA_REPORT_ACCESS
                                                                      : 0;
    LLVM::GlobalOp text = makeMessage(program, loc, ("report_" + Twine(number)).str(), reportedText(op));
    Value count = LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(op.getValues().size()));
    Value memory = LLVM::AllocaOp::create(builder, loc, pointer, i64, count);
    for (auto [index, value] : llvm::enumerate(op.getValues())) {
      Value slot =
          LLVM::GEPOp::create(builder, loc, pointer, i64, memory, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
      LLVM::StoreOp::create(builder, loc, asI64(builder, loc, value), slot);
    }
    auto callee = plainService(program, "report", LLVM::LLVMVoidType::get(&getContext()), {pointer, pointer, i64, i32});
    LLVM::CallOp::create(builder, loc, callee,
                         ValueRange{LLVM::AddressOfOp::create(builder, loc, text), memory, count,
                                    LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(flags))});
    op.erase();
  }

  static Value asI64(OpBuilder &builder, Location loc, Value value) {
    Type i64 = builder.getI64Type();
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, i64, value);
    const unsigned width = value.getType().getIntOrFloatBitWidth();
    if (width == 64)
      return value;
    return width < 64 ? arith::ExtSIOp::create(builder, loc, i64, value).getResult()
                      : arith::TruncIOp::create(builder, loc, i64, value).getResult();
  }

  ModuleOp program;
};

} // namespace
