//===- Entry.cpp - the function of a program that is run ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Entry.h. A memref is passed to a function in the LLVM dialect as upstream's conversion does it: allocated
// pointer, aligned pointer, offset, sizes, strides.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Entry.h"

#include "lib/Bisect/OpenMPLoops.h"
#include "lib/Bisect/RaiseBranches.h"
#include "mica/Artifact/ComplexEntry.h"
#include "mica/Compare/InputSpec.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Support/Text.h"

#include "mlir/Conversion/ShapeToStandard/ShapeToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Shape/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

static constexpr llvm::StringLiteral kCaller = "mica_bisect_entry";

static Error noEntry(ModuleOp program, const std::string &name) {
  std::vector<std::string> names;
  for (auto function : program.getOps<func::FuncOp>())
    if (!function.isExternal())
      names.push_back(function.getName().str());
  if (!name.empty())
    return {ErrorCode::NotFound, "the program has no function '" + name + "' with a body",
            names.empty() ? "bisect the program in an earlier form, with a func.func" : "it has: " + joinNames(names)};
  return {ErrorCode::InvalidInput,
          names.empty() ? "the program has no func.func with a body"
                        : "the program has several functions and no main: " + joinNames(names),
          names.empty() ? "bisect the program in an earlier form" : "--entry=NAME chooses one"};
}

/// Functions with a body that nothing in the program refers to.
static SmallVector<func::FuncOp> unusedFunctions(ModuleOp program) {
  SmallVector<func::FuncOp> unused;
  for (auto function : program.getOps<func::FuncOp>())
    if (!function.isExternal() && SymbolTable::symbolKnownUseEmpty(function, program))
      unused.push_back(function);
  return unused;
}

/// `name`, or main; else the only function that others do not call, or the only one of these that is public.
static Result<func::FuncOp> findFunction(ModuleOp program, const std::string &name) {
  if (auto function = program.lookupSymbol<func::FuncOp>(name.empty() ? "main" : name);
      function && !function.isExternal())
    return function;
  SmallVector<func::FuncOp> candidates = unusedFunctions(program);
  if (candidates.size() > 1)
    llvm::erase_if(candidates, [](func::FuncOp function) { return !function.isPublic(); });
  if (candidates.size() != 1 || !name.empty())
    return noEntry(program, name);
  return candidates.front();
}

SmallVector<Type, 2> bisect::inputTypes(Type type) {
  auto complex = dyn_cast<ComplexType>(getElementTypeOrSelf(type));
  if (!complex)
    return {type};
  Type part = complex.getElementType();
  if (auto shaped = dyn_cast<ShapedType>(type))
    part = shaped.clone(part);
  return {part, part};
}

/// The dialects of what is added to a program, which may use none of them.
static void loadDialects(MLIRContext &context) {
  context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, complex::ComplexDialect, scf::SCFDialect,
                      func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect, memref::MemRefDialect,
                      tensor::TensorDialect>();
}

/// A loop over all elements of `inputs` and `outputs`, which have one shape: `compute` gives those of the outputs.
static linalg::GenericOp makeLoop(OpBuilder &builder, Location loc, TypeRange results, ValueRange inputs,
                                  ValueRange outputs,
                                  llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> compute) {
  const int64_t rank = cast<ShapedType>(outputs.front().getType()).getRank();
  const SmallVector<AffineMap> maps(inputs.size() + outputs.size(), builder.getMultiDimIdentityMap(rank));
  const SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, loc, results, inputs, outputs, maps, loops,
      [&](OpBuilder &b, Location at, ValueRange elements) { linalg::YieldOp::create(b, at, compute(b, elements)); });
}

/// `value` with elements of the integer type of `type`: scalars and tensors.
static Value convertInteger(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  auto convert = [&](OpBuilder &b, Value number, Type to) -> Value {
    return to.getIntOrFloatBitWidth() < number.getType().getIntOrFloatBitWidth()
               ? arith::TruncIOp::create(b, loc, to, number).getResult()
               : arith::ExtSIOp::create(b, loc, to, number).getResult();
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return convert(builder, value, type);
  Value empty =
      tensor::EmptyOp::create(builder, loc, tensor::getMixedSizes(builder, loc, value), tensor.getElementType());
  return makeLoop(builder, loc, type, value, empty,
                  [&](OpBuilder &b, ValueRange elements) {
                    return SmallVector<Value>{convert(b, elements[0], tensor.getElementType())};
                  })
      .getResult(0);
}

/// `type`, of integers that have a width of files of numbers.
static Type widened(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || !integer.isSignless() || integer.getWidth() > 64 || compiler::specOf(integer))
    return type;
  Type wide = IntegerType::get(type.getContext(), std::max<unsigned>(llvm::PowerOf2Ceil(integer.getWidth()), 8));
  if (type == integer)
    return wide;
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(wide)) : type;
}

void bisect::hostLowered(ModuleOp program, std::string &name, std::vector<std::string> &notes) {
  auto hasBody = [](auto function) { return !function.isExternal(); };
  if (llvm::any_of(program.getOps<func::FuncOp>(), hasBody))
    return;
  const SmallVector<LLVM::LLVMFuncOp> all =
      llvm::to_vector(llvm::make_filter_range(program.getOps<LLVM::LLVMFuncOp>(), hasBody));
  auto isNamed = [&](LLVM::LLVMFuncOp each) { return each.getName() == (name.empty() ? "main" : name); };
  const auto *found = llvm::find_if(all, isNamed);
  LLVM::LLVMFuncOp function = found != all.end() ? *found : name.empty() && all.size() == 1 ? all.front() : nullptr;
  auto isNumber = [](Type type) { return isa<FloatType, IntegerType>(type); };
  if (!function || !llvm::all_of(function.getArgumentTypes(), isNumber) ||
      !llvm::all_of(function.getResultTypes(), isNumber))
    return; // findEntry says what there is
  loadDialects(*program.getContext());
  name = function.getName().str() + "_of_llvm";
  while (program.lookupSymbol(name))
    name += "_";
  OpBuilder builder = OpBuilder::atBlockEnd(program.getBody());
  const Location loc = function.getLoc();
  auto caller = func::FuncOp::create(builder, loc, name,
                                     builder.getFunctionType(function.getArgumentTypes(), function.getResultTypes()));
  builder.setInsertionPointToStart(caller.addEntryBlock());
  auto call = LLVM::CallOp::create(builder, loc, function, caller.getArguments());
  func::ReturnOp::create(builder, loc, call.getResults());
  notes.push_back("'" + name + "' is added to the program and run: it calls '" + function.getName().str() +
                  "', a function of the LLVM dialect");
}

void bisect::widenIntegers(ModuleOp program, std::string &name, std::vector<std::string> &notes) {
  Result<func::FuncOp> found = findFunction(program, name);
  if (!found)
    return; // findEntry says why
  func::FuncOp function = *found;
  const auto arguments = llvm::map_to_vector(function.getArgumentTypes(), widened);
  const auto results = llvm::map_to_vector(function.getResultTypes(), widened);
  if (llvm::equal(arguments, function.getArgumentTypes()) && llvm::equal(results, function.getResultTypes()))
    return;
  loadDialects(*program.getContext());
  const std::string callee = function.getName().str();
  name = callee + "_of_wide_integers";
  while (program.lookupSymbol(name))
    name += "_";
  OpBuilder builder = OpBuilder::atBlockEnd(program.getBody());
  const Location loc = function.getLoc();
  auto caller = func::FuncOp::create(builder, loc, name, builder.getFunctionType(arguments, results));
  builder.setInsertionPointToStart(caller.addEntryBlock());
  SmallVector<Value> given, gives;
  for (auto [argument, type] : llvm::zip_equal(caller.getArguments(), function.getArgumentTypes()))
    given.push_back(convertInteger(builder, loc, argument, type));
  auto call = func::CallOp::create(builder, loc, function, given);
  for (auto [result, type] : llvm::zip_equal(call.getResults(), results))
    gives.push_back(convertInteger(builder, loc, result, type));
  func::ReturnOp::create(builder, loc, gives);
  notes.push_back("'" + name + "' is added to the program and run: it calls '" + callee +
                  "', whose integers have a width that inputs cannot have, with the lowest bits of wider ones");
}

Result<std::vector<artifact::TensorSpec>> bisect::inputSpecs(const Entry &entry) {
  std::vector<artifact::TensorSpec> specs;
  for (auto [i, argument] : llvm::enumerate(entry.arguments))
    for (Type type : inputTypes(argument)) {
      const std::optional<artifact::TensorSpec> spec = compiler::specOf(type);
      if (!spec) {
        std::string text;
        llvm::raw_string_ostream(text) << argument;
        return Error{ErrorCode::Unsupported, "argument " + std::to_string(i) + " of '" + entry.name + "' is " + text,
                     "give a main without arguments that calls it"};
      }
      specs.push_back(*spec);
    }
  return specs;
}

/// What mica-run takes or gives for values of these types, which inputSpecs has.
static std::vector<artifact::TensorSpec> callerSpecs(TypeRange types) {
  std::vector<artifact::TensorSpec> specs;
  for (Type type : types) {
    if (const std::optional<artifact::TensorSpec> whole = compiler::specOf(type)) {
      specs.push_back(*whole);
      continue;
    }
    for (Type part : inputTypes(type))
      specs.push_back(compiler::specOf(part).value_or(artifact::TensorSpec()));
  }
  return specs;
}

std::vector<HostTensor> bisect::joinParts(std::vector<HostTensor> tensors, TypeRange types) {
  return artifact::joinTensors(std::move(tensors), callerSpecs(types));
}

Result<Entry> bisect::findEntry(ModuleOp program, const std::string &name, const std::vector<std::string> &inputs,
                                std::vector<std::string> &notes) {
  MICA_ASSIGN_OR_RETURN(func::FuncOp function, findFunction(program, name));
  Entry entry{function.getName().str(),
              llvm::to_vector(function.getArgumentTypes()),
              llvm::to_vector(function.getResultTypes()),
              {}};
  if (const Result<std::vector<artifact::TensorSpec>> known = inputSpecs(entry); !known)
    return known.error();
  const std::vector<artifact::TensorSpec> specs = callerSpecs(entry.arguments);
  if (inputs.size() > specs.size())
    return Error{
        ErrorCode::InvalidInput,
        "'" + entry.name + "' takes " + std::to_string(specs.size()) + " inputs, but --input is given " +
            std::to_string(inputs.size()) + " times",
        specs.size() == entry.arguments.size()
            ? "give one --input for each argument"
            : "give one --input for each argument, and two, the real and the imaginary part, for a complex one "
              "of a type that .npy files have not"};
  for (auto [i, spec] : llvm::enumerate(specs)) {
    HostTensor tensor;
    if (i < inputs.size()) {
      MICA_ASSIGN_OR_RETURN(const InputSpec input, parseInputSpec(inputs[i]));
      MICA_ASSIGN_OR_RETURN(tensor, makeInput(input, spec, i));
    } else {
      MICA_RETURN_IF_ERROR(checkDefaultInput(spec, i));
      std::string note;
      tensor = makeDefaultInput(spec, i, note);
      notes.push_back(note);
    }
    for (HostTensor &part : artifact::splitTensors({std::move(tensor)}))
      entry.inputs.push_back(std::move(part));
    if (i < inputs.size())
      entry.given = entry.inputs.size();
  }
  return entry;
}

namespace {

/// Writes the function that calls the entry.
class Caller {
public:
  Caller(ModuleOp state, const Entry &entry) : state(state), entry(entry), builder(state.getBodyRegion()) {
    builder.setInsertionPointToEnd(state.getBody());
  }

  Result<std::string> call(func::FuncOp function);
  Result<std::string> call(LLVM::LLVMFuncOp function);

private:
  /// A tensor as the buffer it becomes; other types as they are.
  static Type buffered(Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return MemRefType::get(tensor.getShape(), tensor.getElementType());
    return type;
  }
  void begin(TypeRange arguments, TypeRange results) {
    auto function = func::FuncOp::create(builder, state.getLoc(), kCaller, builder.getFunctionType(arguments, results));
    builder.setInsertionPointToStart(function.addEntryBlock());
    callArguments.assign(function.getArguments().begin(), function.getArguments().end());
  }
  Value cast(Value value, Type type) {
    if (value.getType() == type)
      return value;
    if (value.getType().isIndex() || type.isIndex())
      return arith::IndexCastOp::create(builder, state.getLoc(), type, value);
    return UnrealizedConversionCastOp::create(builder, state.getLoc(), type, value).getResult(0);
  }
  Type descriptorOf(MemRefType type) {
    MLIRContext *context = state.getContext();
    Type pointer = LLVM::LLVMPointerType::get(context), i64 = builder.getI64Type();
    SmallVector<Type> members{pointer, pointer, i64};
    if (type.getRank() > 0)
      members.append(2, LLVM::LLVMArrayType::get(i64, type.getRank()));
    return LLVM::LLVMStructType::getLiteral(context, members);
  }
  void expand(Value buffer, SmallVectorImpl<Value> &values) {
    auto type = mlir::cast<MemRefType>(buffer.getType());
    Value descriptor = cast(buffer, descriptorOf(type));
    auto take = [&](ArrayRef<int64_t> at) {
      values.push_back(LLVM::ExtractValueOp::create(builder, state.getLoc(), descriptor, at));
    };
    for (int64_t i : {0, 1, 2})
      take({i});
    for (int64_t part : {3, 4})
      for (int64_t d = 0; d < type.getRank(); ++d)
        take({part, d});
  }
  /// A buffer of `type` with the sizes of `like`.
  Value allocateLike(MemRefType type, Value like) {
    SmallVector<Value> sizes;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.isDynamicDim(d))
        sizes.push_back(memref::DimOp::create(builder, state.getLoc(), like, d));
    return memref::AllocOp::create(builder, state.getLoc(), type, sizes);
  }
  /// A complex number, or a buffer of such ones, of its parts.
  Value combine(Type type, Value real, Value imaginary) {
    auto memref = dyn_cast<MemRefType>(type);
    const Location loc = state.getLoc();
    if (!memref)
      return complex::CreateOp::create(builder, loc, mlir::cast<ComplexType>(type), real, imaginary);
    Value buffer = allocateLike(memref, real);
    makeLoop(builder, loc, TypeRange(), {real, imaginary}, buffer, [&](OpBuilder &b, ValueRange elements) {
      auto element = mlir::cast<ComplexType>(memref.getElementType());
      return SmallVector<Value>{complex::CreateOp::create(b, loc, element, elements[0], elements[1])};
    });
    return buffer;
  }
  static SmallVector<Value> partsOf(OpBuilder &b, Location loc, Value number) {
    return {complex::ReOp::create(b, loc, number), complex::ImOp::create(b, loc, number)};
  }
  void storeParts(Value buffer, ValueRange parts) {
    makeLoop(builder, state.getLoc(), TypeRange(), buffer, parts,
             [&](OpBuilder &b, ValueRange elements) { return partsOf(b, state.getLoc(), elements[0]); });
  }
  /// `value`, or the parts of what is complex.
  SmallVector<Value> split(Value value) {
    const SmallVector<Type, 2> types = inputTypes(value.getType());
    if (types.size() == 1)
      return {value};
    if (!isa<MemRefType>(value.getType()))
      return partsOf(builder, state.getLoc(), value);
    SmallVector<Value> parts;
    for (Type type : types)
      parts.push_back(allocateLike(mlir::cast<MemRefType>(type), value));
    storeParts(value, parts);
    return parts;
  }
  /// Makes the operands of a call those of `types`, where these are of another calling convention of upstream's:
  /// integers of the width that index has there, or a pointer in place of each descriptor.
  void fit(SmallVectorImpl<Value> &operands, ArrayRef<Type> types) {
    if (types.size() == callArguments.size() && types.size() != operands.size()) {
      operands.clear();
      for (auto [argument, type] : llvm::zip_equal(callArguments, types)) {
        auto memref = dyn_cast<MemRefType>(argument.getType());
        Value descriptor = memref ? cast(argument, descriptorOf(memref)) : nullptr;
        operands.push_back(memref ? LLVM::ExtractValueOp::create(builder, state.getLoc(), descriptor, int64_t(1))
                                  : cast(argument, type));
      }
    }
    if (types.size() == operands.size())
      for (auto [operand, type] : llvm::zip_equal(operands, types))
        if (operand.getType().isInteger(64) && type.isInteger(32))
          operand = LLVM::TruncOp::create(builder, state.getLoc(), type, operand);
  }
  Error another() const {
    return {ErrorCode::Unsupported, "'" + entry.name + "' has another signature by now", "give a main that prints"};
  }
  /// Buffers of `types` for the results that are given through arguments.
  FailureOr<SmallVector<Value>> allocateResults(TypeRange types) {
    SmallVector<Value> buffers;
    for (Type type : types) {
      auto memref = dyn_cast<MemRefType>(type);
      if (!memref || !memref.hasStaticShape())
        return failure();
      buffers.push_back(memref::AllocOp::create(builder, state.getLoc(), memref));
    }
    return buffers;
  }

  ModuleOp state;
  const Entry &entry;
  OpBuilder builder;
  SmallVector<Value> callArguments;
};

/// Whether numbers of type `given` are ones of type `now`: a tensor may be a buffer by now. A pass that packs i4 into
/// bytes leaves other numbers.
bool hasNumbersOf(Type now, Type given) {
  auto shaped = dyn_cast<ShapedType>(now), before = dyn_cast<ShapedType>(given);
  if (!shaped || !before)
    return now == given || (now.isIntOrIndex() && given.isIntOrIndex() && (now.isIndex() || given.isIndex()));
  if (shaped.getElementType() != before.getElementType())
    return false;
  return !shaped.hasRank() || !before.hasRank() || succeeded(verifyCompatibleShape(shaped, before));
}

Result<std::string> Caller::call(func::FuncOp function) {
  if (function.getNumArguments() == entry.arguments.size() && function.getNumResults() == entry.results.size()) {
    const bool isSame = llvm::all_of_zip(function.getArgumentTypes(), entry.arguments, hasNumbersOf) &&
                        llvm::all_of_zip(function.getResultTypes(), entry.results, hasNumbersOf);
    return isSame ? Result<std::string>(entry.name) : another();
  }
  if (function.getNumArguments() != entry.arguments.size() + entry.results.size() || function.getNumResults() != 0)
    return another();
  ArrayRef<Type> given = function.getArgumentTypes();
  SmallVector<Type> results = llvm::to_vector(given.drop_front(entry.arguments.size()));
  begin(given.take_front(entry.arguments.size()), results);
  FailureOr<SmallVector<Value>> buffers = allocateResults(results);
  if (failed(buffers))
    return another();
  SmallVector<Value> operands = callArguments;
  operands.append(*buffers);
  func::CallOp::create(builder, state.getLoc(), function, operands);
  func::ReturnOp::create(builder, state.getLoc(), *buffers);
  return kCaller.str();
}

Result<std::string> Caller::call(LLVM::LLVMFuncOp function) {
  const SmallVector<Type> results = llvm::map_to_vector(entry.results, buffered);
  SmallVector<Type> taken, given;
  for (Type argument : entry.arguments)
    llvm::append_range(taken, inputTypes(buffered(argument)));
  for (Type result : results)
    llvm::append_range(given, inputTypes(result));
  begin(taken, given);
  const SmallVector<Value> inputs = std::exchange(callArguments, {});
  SmallVector<std::pair<Value, SmallVector<Value>>> combined;
  for (size_t next = 0; Type argument : entry.arguments) {
    const size_t parts = inputTypes(argument).size();
    callArguments.push_back(parts == 1 ? inputs[next] : combine(buffered(argument), inputs[next], inputs[next + 1]));
    if (parts > 1 && isa<BaseMemRefType>(argument))
      combined.push_back({callArguments.back(), {inputs[next], inputs[next + 1]}});
    next += parts;
  }
  LLVM::LLVMFunctionType type = function.getFunctionType();
  SmallVector<Value> operands, buffers;
  for (Value argument : callArguments) {
    if (isa<MemRefType>(argument.getType()))
      expand(argument, operands);
    else if (operands.size() < type.getNumParams())
      operands.push_back(cast(argument, type.getParamType(operands.size())));
  }
  const bool givesByArguments = operands.size() < type.getNumParams();
  if (givesByArguments) {
    FailureOr<SmallVector<Value>> allocated = allocateResults(results);
    if (failed(allocated))
      return another();
    buffers = *allocated;
    for (Value buffer : buffers)
      expand(buffer, operands);
  }
  if (!givesByArguments)
    fit(operands, type.getParams());
  if (!llvm::equal(ValueRange(operands).getTypes(), type.getParams()))
    return another();
  auto call = LLVM::CallOp::create(builder, state.getLoc(), function, operands);
  if (!givesByArguments && results.size() == 1)
    buffers.push_back(cast(call.getResult(), results.front()));
  for (size_t i = 0; !givesByArguments && results.size() > 1 && i < results.size(); ++i)
    buffers.push_back(
        cast(LLVM::ExtractValueOp::create(builder, state.getLoc(), call.getResult(), int64_t(i)), results[i]));
  for (const auto &[buffer, parts] : combined)
    storeParts(buffer, parts);
  SmallVector<Value> numbers;
  for (Value buffer : buffers)
    llvm::append_range(numbers, split(buffer));
  func::ReturnOp::create(builder, state.getLoc(), numbers);
  return kCaller.str();
}

} // namespace

/// Writes ops of the shape dialect as ones that the evaluator and the reference lowering take, by upstream's passes.
/// What these do not take stays.
static void writeShapes(ModuleOp state) {
  auto isOfShape = [](Operation *op) {
    return isa_and_present<shape::ShapeDialect>(op->getDialect()) ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (!state.walk(isOfShape).wasInterrupted())
    return;
  ScopedDiagnosticHandler quiet(state.getContext(), [](Diagnostic &) { return success(); });
  PassManager manager(state.getContext());
  manager.addNestedPass<func::FuncOp>(createShapeToShapeLoweringPass());
  manager.addNestedPass<func::FuncOp>(createConvertShapeConstraintsPass());
  manager.addPass(createConvertShapeToStandardPass());
  (void)manager.run(state);
}

Result<std::string> bisect::makeCallable(ModuleOp state, const Entry &entry) {
  loadDialects(*state.getContext());
  writeShapes(state);
  sequenceOpenMP(state);
  raiseBranches(state);
  Operation *symbol = SymbolTable::lookupSymbolIn(state, entry.name);
  if (auto function = dyn_cast_or_null<func::FuncOp>(symbol); function && !function.isExternal())
    return Caller(state, entry).call(function);
  if (auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(symbol); function && !function.isExternal())
    return Caller(state, entry).call(function);
  return Error{ErrorCode::Unsupported, "there is no function '" + entry.name + "' any more",
               "a pipeline that keeps it can be bisected"};
}
