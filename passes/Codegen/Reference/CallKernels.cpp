//===- CallKernels.cpp - converting kernels and task lists to functions -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// In this order: kernels move out of their modules and become functions; task lists become functions that call them;
// dispatches, submits and the other ops of host functions become calls and allocations; last, every function is
// renamed, so that no user's function conflicts with one of the C library.
//
//   mica_sched.task_list @l(%x: memref<?xf32>, %n: index) {     func.func private @mica_plain_list_l(%x: index, ..) {
//     %0 = mica_sched.task @k(%x) scalars(%n)               ->    %b = <buffer of ?xf32 at %x, %n elements>
//   }                                                             call @mica_plain_k_k(%b) : (memref<?xf32>) -> ()
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/MicaSched/IR/KernelArguments.h"
#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Schedule/TaskLists.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

namespace mica {
#define GEN_PASS_DEF_CALLKERNELS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

bool mica::hasLoweredHost(ModuleOp program) {
  return llvm::any_of(program.getOps<LLVM::LLVMFuncOp>(),
                      [](LLVM::LLVMFuncOp function) { return function.getName().starts_with("mica_entry_"); });
}

namespace {

/// A kernel as a function: its bindings first, then scalars, followed by scratch memory, part and parts.
struct KernelFunction {
  func::FuncOp function;
  sched::KernelSignature signature;
};

class CallKernels : public mica::impl::CallKernelsBase<CallKernels> {
public:
  void runOnOperation() override {
    ModuleOp program = getOperation();
    if (hasLoweredHost(program)) {
      // Signatures of lowered entries need no lowering.
      for (auto function : llvm::make_early_inc_range(program.getOps<func::FuncOp>()))
        if (function.isExternal() && function->hasAttr(sched::kEntryAttr))
          function.erase();
      return;
    }
    kernels.clear();
    lists.clear();
    if (failed(moveKernels(program)) || failed(makeLists(program)) || failed(convertHost(program)) ||
        failed(nameFunctions(program)))
      signalPassFailure();
  }

private:
  LogicalResult moveKernels(ModuleOp program);
  LogicalResult makeLists(ModuleOp program);
  void makeTask(OpBuilder &builder, Location loc, const TaskListInfo &list, const TaskListInfo::Task &task,
                ArrayRef<Value> addresses, ValueRange scalars);
  LogicalResult convertHost(ModuleOp program);
  LogicalResult convertDispatch(sched::DispatchOp op);
  LogicalResult convertSubmit(sched::SubmitOp op);
  LogicalResult nameFunctions(ModuleOp program);
  void callKernel(OpBuilder &builder, Location loc, const KernelFunction &kernel, SmallVector<Value> operands);

  llvm::StringMap<KernelFunction> kernels; ///< by the name of the kernel
  llvm::StringMap<func::FuncOp> lists;
};

} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult CallKernels::moveKernels(ModuleOp program) {
  SmallVector<ModuleOp> modules;
  for (auto module : program.getOps<ModuleOp>())
    if (sched::isKernelModule(module))
      modules.push_back(module);
  for (ModuleOp module : modules) {
    std::optional<sched::KernelSignature> signature = sched::kernelSignature(module);
    auto function = dyn_cast_or_null<func::FuncOp>(sched::kernelFunction(module).getOperation());
    if (!signature || !function)
      return module.emitError() << "kernel '" << module.getName().value_or("") << "' has no function on buffers";
    std::string name = module.getName().value_or("").str();
    // The program holds its code for a GPU from now on.
    if (Attribute container = module->getAttr(gpu::GPUDialect::getContainerModuleAttrName()))
      program->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), container);
    // A kernel may have its own globals and helpers: the kernel's name becomes their prefix.
    for (Operation &op : *module.getBody()) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      if (!symbol)
        continue;
      auto fresh = StringAttr::get(&getContext(), kPlainPrefix + name + "_" + symbol.getName());
      if (failed(SymbolTable::replaceAllSymbolUses(&op, fresh, module)))
        return module.emitError() << "uses of '" << symbol.getName() << "' cannot be renamed";
      symbol.setName(fresh);
      if (isa<FunctionOpInterface>(op))
        symbol.setVisibility(SymbolTable::Visibility::Private);
    }
    // They may use each other, so they move when all have their names.
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<SymbolOpInterface>(op))
        op.moveBefore(module);
    for (StringRef attribute :
         {sched::kGridAttr, sched::kScratchBytesAttr, sched::kStrategyAttr, sched::kComputedPositionsAttr})
      function->removeAttr(attribute);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (StringRef attribute : {sched::kAccessAttr, sched::kSizeAttr})
        function.removeArgAttr(i, attribute);
    kernels[name] = {function, std::move(*signature)};
  }
  for (ModuleOp module : modules)
    module->setAttr("plain_moved", UnitAttr::get(&getContext()));
  return success();
}

/// Calls `kernel` once for all its work partitions; `operands` are its buffers and scalars.
void CallKernels::callKernel(OpBuilder &builder, Location loc, const KernelFunction &kernel,
                             SmallVector<Value> operands) {
  func::FuncOp function = kernel.function;
  bool isParts = false;
  for (Type type : function.getArgumentTypes().drop_front(operands.size())) {
    if (auto scratch = dyn_cast<MemRefType>(type)) {
      operands.push_back(allocate(builder, loc, scratch, {}));
      continue;
    }
    operands.push_back(arith::ConstantIndexOp::create(builder, loc, isParts ? 1 : 0)); // part 0 of parts 1
    isParts = true;
  }
  func::CallOp::create(builder, loc, function, operands);
}

//===------------------------------------------------------------------------------------------------------------===//
// Task lists
//===------------------------------------------------------------------------------------------------------------===//

void CallKernels::makeTask(OpBuilder &builder, Location loc, const TaskListInfo &list, const TaskListInfo::Task &task,
                           ArrayRef<Value> addresses, ValueRange scalars) {
  const KernelFunction &kernel = kernels[task.kernel];
  SmallVector<Value> operands;
  ArrayRef<int64_t> passed = task.scalars;
  for (auto [position, binding] : llvm::zip_equal(task.buffers, kernel.signature.bindings)) {
    SmallVector<Value> sizes;
    for (int64_t count = binding.type.getNumDynamicDims(); count > 0; --count) {
      sizes.push_back(scalars[passed.front()]);
      passed = passed.drop_front();
    }
    Value pointer = pointerTo(builder, loc, addresses[position], list.buffers[position].offset);
    operands.push_back(bufferAt(builder, loc, binding.type, pointer, sizes));
  }
  for (auto [position, type] : llvm::zip_equal(passed, kernel.signature.scalars)) {
    Value scalar = scalars[position];
    operands.push_back(type.isIndex() ? scalar : arith::IndexCastOp::create(builder, loc, type, scalar).getResult());
  }
  callKernel(builder, loc, kernel, std::move(operands));
}

LogicalResult CallKernels::makeLists(ModuleOp program) {
  std::vector<TaskListInfo> infos = collectTaskLists(program);
  std::vector<ElementsAttr> constants = collectConstants(program);
  SmallVector<sched::TaskListOp> ops(program.getOps<sched::TaskListOp>());
  Type index = IndexType::get(&getContext());
  for (auto [info, op] : llvm::zip_equal(infos, ops)) {
    Location loc = op.getLoc();
    OpBuilder builder(op);
    auto function =
        func::FuncOp::create(builder, loc, (kPlainPrefix + "list_" + info.name).str(),
                             builder.getFunctionType(SmallVector<Type>(info.parameters + info.scalars, index), {}));
    function.setPrivate();
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToStart(block);
    ValueRange scalars = ValueRange(block->getArguments()).drop_front(info.parameters);
    auto bytes = [&](int64_t size) { return MemRefType::get({size}, builder.getI8Type()); };
    Value arena;
    if (info.arenaBytes > 0)
      arena = addressOf(builder, loc, allocate(builder, loc, bytes(info.arenaBytes), {}));
    SmallVector<Value> addresses;
    llvm::DenseMap<int64_t, Value> dynamics; // a view of a dynamic buffer shares its memory
    for (const TaskListInfo::Buffer &buffer : info.buffers) {
      switch (buffer.kind) {
      case TaskListInfo::BufferKind::Parameter:
        addresses.push_back(block->getArgument(buffer.index));
        break;
      case TaskListInfo::BufferKind::Arena:
        addresses.push_back(arena);
        break;
      case TaskListInfo::BufferKind::Constant: {
        auto value = cast<ElementsAttr>(constants[buffer.index]);
        auto type = MemRefType::get(value.getShapedType().getShape(), value.getElementType());
        addresses.push_back(addressOf(builder, loc, sched::ConstantOp::create(builder, loc, type, value)));
        break;
      }
      case TaskListInfo::BufferKind::Dynamic: {
        Value &memory = dynamics[buffer.sizeScalar];
        if (!memory)
          memory =
              addressOf(builder, loc, allocate(builder, loc, bytes(ShapedType::kDynamic), scalars[buffer.sizeScalar]));
        addresses.push_back(memory);
      }
      }
    }
    for (const TaskListInfo::Task &task : info.tasks)
      makeTask(builder, loc, info, task, addresses, scalars);
    func::ReturnOp::create(builder, loc);
    lists[info.name] = function;
  }
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Host functions
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult CallKernels::convertDispatch(sched::DispatchOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  const KernelFunction &kernel = kernels[op.getKernel()];
  SmallVector<Value> operands, outputs;
  ValueRange inputs = op.getInputs();
  unsigned nextResult = 0;
  for (const sched::KernelSignature::Binding &binding : kernel.signature.bindings) {
    Value input;
    if (binding.access != sched::Access::Write) {
      input = bufferization::ToBufferOp::create(builder, loc, binding.type, inputs.front(), /*read_only=*/true);
      inputs = inputs.drop_front();
      if (binding.access == sched::Access::Read) {
        operands.push_back(input);
        continue;
      }
    }
    Value output = allocate(builder, loc, binding.type, op.getResultSizes(nextResult++));
    if (input)
      memref::CopyOp::create(builder, loc, input, output);
    operands.push_back(output);
    outputs.push_back(output);
  }
  llvm::append_range(operands, op.getScalars());
  callKernel(builder, loc, kernel, std::move(operands));
  for (auto [result, output] : llvm::zip_equal(op.getResults(), outputs))
    result.replaceAllUsesWith(bufferization::ToTensorOp::create(builder, loc, result.getType(), output,
                                                                /*restrict=*/true, /*writable=*/true));
  op.erase();
  return success();
}

LogicalResult CallKernels::convertSubmit(sched::SubmitOp op) {
  OpBuilder builder(op);
  SmallVector<Value> operands;
  for (Value buffer : op.getBuffers())
    operands.push_back(addressOf(builder, op.getLoc(), buffer));
  llvm::append_range(operands, op.getScalars());
  func::CallOp::create(builder, op.getLoc(), lists[op.getList()], operands);
  op.erase();
  return success();
}

/// Calls of functions for ops that no kernel takes pass buffers: bufferization knows no tensors that a function
/// without a body returns.
static void callOnBuffers(ModuleOp program) {
  auto bufferOf = [](Type type) -> Type {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? MemRefType::get(tensor.getShape(), tensor.getElementType()) : type;
  };
  llvm::StringSet<> names;
  for (auto function : program.getOps<func::FuncOp>())
    if (function.isExternal() && function->hasAttr(sched::kHostOpAttr)) {
      names.insert(function.getName());
      function.setFunctionType(FunctionType::get(function.getContext(),
                                                 llvm::map_to_vector(function.getArgumentTypes(), bufferOf),
                                                 llvm::map_to_vector(function.getResultTypes(), bufferOf)));
    }
  SmallVector<func::CallOp> calls;
  program.walk([&](func::CallOp call) {
    if (names.contains(call.getCallee()))
      calls.push_back(call);
  });
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    Location loc = call.getLoc();
    auto operands = llvm::map_to_vector(call.getOperands(), [&](Value operand) -> Value {
      Type type = bufferOf(operand.getType());
      return type == operand.getType()
                 ? operand
                 : bufferization::ToBufferOp::create(builder, loc, type, operand, /*read_only=*/true).getResult();
    });
    auto made = func::CallOp::create(builder, loc, call.getCallee(),
                                     llvm::map_to_vector(call.getResultTypes(), bufferOf), operands);
    for (auto [result, value] : llvm::zip_equal(call.getResults(), made.getResults())) {
      Value returned = value;
      if (value.getType() != result.getType())
        returned = bufferization::ToTensorOp::create(builder, loc, result.getType(), value, /*restrict=*/true,
                                                     /*writable=*/true);
      result.replaceAllUsesWith(returned);
    }
    call.erase();
  }
}

LogicalResult CallKernels::convertHost(ModuleOp program) {
  callOnBuffers(program);
  SmallVector<Operation *> ops;
  for (auto function : program.getOps<func::FuncOp>())
    function.walk([&](Operation *op) {
      if (isa_and_present<sched::MicaSchedDialect>(op->getDialect()))
        ops.push_back(op);
    });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    if (auto dispatch = dyn_cast<sched::DispatchOp>(op)) {
      if (failed(convertDispatch(dispatch)))
        return failure();
    } else if (auto submit = dyn_cast<sched::SubmitOp>(op)) {
      if (failed(convertSubmit(submit)))
        return failure();
    } else if (isa<sched::WaitOp, sched::ReleaseOp>(op)) {
      op->erase();
    } else if (isa<sched::MarkOp>(op)) {
      op->replaceAllUsesWith(ValueRange(arith::ConstantIndexOp::create(builder, op->getLoc(), 0).getResult()));
      op->erase();
    } else if (auto bytes = dyn_cast<sched::ByteSizeOp>(op)) {
      auto type = cast<MemRefType>(bytes.getType());
      bytes.replaceAllUsesWith(
          bytesOrMost(builder, op->getLoc(), type, bytes.getSizes(), *sched::elementBytes(type.getElementType())));
      op->erase();
    } else if (isa<sched::ResultOp, sched::AllocOp>(op)) {
      Value buffer = op->getResult(0);
      buffer.replaceAllUsesWith(allocate(builder, op->getLoc(), cast<MemRefType>(buffer.getType()), op->getOperands()));
      op->erase();
    } else if (auto view = dyn_cast<sched::ViewOp>(op)) {
      Value pointer =
          pointerTo(builder, op->getLoc(), addressOf(builder, op->getLoc(), view.getSource()), view.getOffset());
      view.getBuffer().replaceAllUsesWith(
          bufferAt(builder, op->getLoc(), cast<MemRefType>(view.getType()), pointer, view.getSizes()));
      op->erase();
    } else if (!isa<sched::ConstantOp, sched::BufferRegionOp>(op)) { // bufferized like upstream's ops
      return op->emitError() << "the reference lowering does not know this op in a host function";
    }
  }
  for (Operation &op : llvm::make_early_inc_range(*program.getBody()))
    if (isa<sched::TaskListOp>(op) || op.hasAttr("plain_moved"))
      op.erase();
  return success();
}

LogicalResult CallKernels::nameFunctions(ModuleOp program) {
  OpBuilder builder(&getContext());
  SmallVector<func::FuncOp> functions(program.getOps<func::FuncOp>());
  bool areMarked = llvm::any_of(functions, [](func::FuncOp function) { return function->hasAttr(sched::kEntryAttr); });
  for (func::FuncOp function : functions) {
    if (function.isExternal() || function.getName().starts_with(kPlainPrefix))
      continue;
    bool isEntry = areMarked ? function->hasAttr(sched::kEntryAttr) : function.isPublic();
    StringAttr name = function.getNameAttr();
    auto fresh = builder.getStringAttr(kPlainPrefix + name.getValue());
    if (failed(SymbolTable::replaceAllSymbolUses(function, fresh, program)))
      return function.emitError() << "uses of '" << name.getValue() << "' cannot be renamed";
    function.setName(fresh);
    function.setPrivate();
    function->removeAttr(sched::kEntryAttr);
    if (!isEntry)
      continue;
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), builder.getUnitAttr());
    function->setAttr(kPlainEntryAttr, builder.getArrayAttr({name, TypeAttr::get(function.getFunctionType())}));
    // The caller's inputs must not be modified.
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (isa<TensorType>(type))
        function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName, builder.getBoolAttr(false));
  }
  return success();
}
