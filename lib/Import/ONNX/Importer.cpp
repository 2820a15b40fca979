//===- Importer.cpp - a model as a function -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Importer.h; the elements of tensors are read in Constants.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Importer.h"
#include "lib/Import/ONNX/SmallTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

const Tensor *Scope::find(llvm::StringRef name) const {
  for (const Scope *scope = this; scope; scope = scope->parent)
    if (auto found = scope->values.find(name); found != scope->values.end())
      return &found->second;
    else if (scope->function)
      return nullptr;
  return nullptr;
}

bool Scope::isBlocked(llvm::StringRef name) const {
  for (const Scope *scope = this; scope; scope = scope->parent)
    if (scope->blocked.contains(name))
      return true;
  return false;
}

Importer::Importer(const ::onnx::ModelProto &model, std::string folder, ModuleOp module, const Listing &listing)
    : model(model), folder(std::move(folder)), listing(listing), module(module) {
  for (const ::onnx::FunctionProto &function : model.functions())
    functions[function.domain() + ":" + function.name()] = &function;
}

int64_t Importer::opsetOf(llvm::StringRef domain) const {
  const bool isDefault = domain.empty() || domain == "ai.onnx";
  for (const auto &opset : model.opset_import())
    if (domain == opset.domain() || (isDefault && (opset.domain().empty() || opset.domain() == "ai.onnx")))
      return opset.version();
  return isDefault ? 1 : 0;
}

Type Importer::elementType(int32_t dataType, bool &isUnsigned) const {
  MLIRContext *context = module.getContext();
  isUnsigned = false;
  auto integer = [&](unsigned width, bool isUnsignedOne) -> Type {
    isUnsigned = isUnsignedOne;
    return IntegerType::get(context, width);
  };
  switch (dataType) {
  case ::onnx::TensorProto::FLOAT:
    return Float32Type::get(context);
  case ::onnx::TensorProto::DOUBLE:
    return Float64Type::get(context);
  case ::onnx::TensorProto::FLOAT16:
    return Float16Type::get(context);
  case ::onnx::TensorProto::BFLOAT16:
    return BFloat16Type::get(context);
  case kFloat8E4M3FN:
    return Float8E4M3FNType::get(context);
  case kFloat8E5M2:
    return Float8E5M2Type::get(context);
  case kFloat8E4M3FNUZ:
  case kFloat8E5M2FNUZ:
  case kFloat4E2M1:
    return Float32Type::get(context);
  case kInt2:
  case kInt4:
    return integer(4, false);
  case kUint2:
  case kUint4:
    return integer(4, true);
  case ::onnx::TensorProto::INT8:
    return integer(8, false);
  case ::onnx::TensorProto::INT16:
    return integer(16, false);
  case ::onnx::TensorProto::INT32:
    return integer(32, false);
  case ::onnx::TensorProto::INT64:
    return integer(64, false);
  case ::onnx::TensorProto::UINT8:
    return integer(8, true);
  case ::onnx::TensorProto::UINT16:
    return integer(16, true);
  case ::onnx::TensorProto::UINT32:
    return integer(32, true);
  case ::onnx::TensorProto::UINT64:
    return integer(64, true);
  case ::onnx::TensorProto::BOOL:
    return integer(1, false);
  default:
    return Type();
  }
}

RankedTensorType Importer::tensorType(const ::onnx::TypeProto &type, bool &isUnsigned) const {
  isUnsigned = false;
  if (!type.has_tensor_type() || !type.tensor_type().has_shape())
    return {};
  Type element = elementType(type.tensor_type().elem_type(), isUnsigned);
  constexpr int kMostDims = 32;
  if (!element || type.tensor_type().shape().dim_size() > kMostDims)
    return {};
  Ints shape;
  for (const auto &dim : type.tensor_type().shape().dim())
    shape.push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value() : ShapedType::kDynamic);
  return RankedTensorType::get(shape, element);
}

LogicalResult Importer::checkModel() {
  const Location start = listing.start(*module.getContext());
  if (!model.has_graph())
    return emitError(start) << "the model has no graph";
  if (model.opset_import_size() == 0)
    return emitError(start) << "the model names no operator set: opset_import is empty";
  constexpr int64_t kOldestOpset = 1, kNewestOpset = 26;
  if (const int64_t opset = opsetOf(""); opset < kOldestOpset || opset > kNewestOpset) {
    InFlightDiagnostic error = emitError(start) << "operator set " << opset << " is not supported: " << kOldestOpset
                                                << " to " << kNewestOpset << " are";
    error.attachNote() << "export the model with opset_version=" << kNewestOpset << ", or convert it: "
                       << "onnx.version_converter.convert_version(model, " << kNewestOpset << ")";
    return error;
  }
  return success();
}

LogicalResult Importer::declare(const ::onnx::GraphProto &graph, Scope &scope, OpBuilder &builder) {
  bool isUnsigned = false;
  for (const auto *list : {&graph.value_info(), &graph.output()})
    for (const ::onnx::ValueInfoProto &value : *list)
      if (RankedTensorType type = tensorType(value.type(), isUnsigned))
        scope.declared[value.name()] = type;
  bool failed = false;
  for (const ::onnx::TensorProto &tensor : graph.initializer()) {
    FailureOr<Tensor> constant = constantOf(tensor, builder, listing.at(&tensor, tensor.name(), *module.getContext()));
    failed |= mlir::failed(constant);
    if (succeeded(constant))
      scope.define(tensor.name(), *constant);
    else
      scope.block(tensor.name());
  }
  if (graph.sparse_initializer_size()) {
    failed = true;
    emitError(listing.start(*module.getContext()))
        << "initializer '" << printable(graph.sparse_initializer(0).values().name())
        << "' is sparse, which is not supported"
        << "; store it as a dense tensor";
    for (const auto &sparse : graph.sparse_initializer())
      scope.block(sparse.values().name());
  }
  return failure(failed);
}

FailureOr<Tensor> Importer::findInput(llvm::StringRef name, Scope &scope, Location loc) {
  if (const Tensor *found = scope.find(name))
    return *found;
  return failure();
}

LogicalResult Importer::callFunction(const ::onnx::FunctionProto &function, Node &node) {
  if (llvm::is_contained(calls, &function))
    return node.refuse("the function calls itself");
  if (node.inputCount() > static_cast<unsigned>(function.input_size()) ||
      node.outputCount() > static_cast<unsigned>(function.output_size()))
    return node.refuse("the function has " + llvm::Twine(function.input_size()) + " inputs and " +
                       llvm::Twine(function.output_size()) + " outputs");
  Scope body(&node.scope);
  body.function = &function;
  body.caller = &node.proto;
  for (unsigned i = 0; i < node.inputCount(); ++i)
    if (node.has(i))
      body.define(function.input(i), node.operand(i));
  calls.push_back(&function);
  const LogicalResult built = buildList(function.node(), body, node.b);
  calls.pop_back();
  if (failed(built)) {
    node.refused = true;
    return failure();
  }
  for (unsigned i = 0; i < node.outputCount(); ++i)
    if (const Tensor *result = body.find(function.output(i)))
      node.set(i, *result);
    else
      return node.refuse("the function does not make its output '" + function.output(i) + "'");
  return success();
}

/// Defines the results, with the static sizes that the model declares.
LogicalResult Importer::finishNode(Node &node, Scope &scope, OpBuilder &builder) {
  for (unsigned i = 0; i < node.outputCount(); ++i) {
    if (!node.wants(i))
      continue;
    const std::string &name = node.proto.output(i);
    if (i >= node.results.size() || (!node.results[i].value && !node.results[i].sequence))
      return node.refuse("output '" + name + "' is not supported");
    Tensor &result = node.results[i];
    if (auto declared = scope.declared.find(name); declared != scope.declared.end() && result.value) {
      if (declared->second.getElementType() != result.element())
        return node.refuse("output '" + name + "' has an element type other than the one that the model declares");
      result.value = node.refined(result.value, declared->second);
    }
    scope.define(name, std::move(result));
  }
  return success();
}

LogicalResult Importer::buildNode(const ::onnx::NodeProto &proto, Scope &scope, OpBuilder &builder) {
  const Location loc = listing.at(&proto, nameOf(proto), *module.getContext());
  const std::string domain = proto.domain() == "ai.onnx" ? "" : proto.domain();
  Node node(proto, *this, scope, builder, loc, opsetOf(domain));
  const std::string key = domain.empty() ? proto.op_type() : domain + ":" + proto.op_type();
  // What depends on a refused node is not looked at.
  for (const std::string &input : proto.input())
    if (!input.empty() && !scope.find(input) && scope.isBlocked(input))
      return failure();
  for (const std::string &input : proto.input()) {
    FailureOr<Tensor> tensor = input.empty() ? FailureOr<Tensor>(Tensor()) : findInput(input, scope, loc);
    if (failed(tensor))
      return node.refuse("input '" + input + "' is made by no node before it",
                         "correct the model: onnx.checker.check_model(model)");
    node.operands.push_back(std::move(*tensor));
  }
  if (failed(checkSmallOperands(node)))
    return failure();
  if (auto function = functions.find(domain + ":" + proto.op_type()); function != functions.end())
    return succeeded(callFunction(*function->second, node)) ? finishNode(node, scope, builder) : failure();
  const OpRow *row = table.find(key);
  if (!row) {
    llvm::StringRef reason = table.refusal(key);
    if (!reason.empty())
      return node.refuse(reason);
    return node.refuse("this operator is not supported" + (domain.empty() ? "" : " (domain " + domain + ")"),
                       "replace it by operators of docs/ONNX.md, or give the model a function for it");
  }
  for (unsigned i = 0; i < std::max(row->fewestInputs, node.inputCount()); ++i) {
    if (i < row->fewestInputs && !node.has(i))
      return node.refuse("input " + llvm::Twine(i) + " is missing",
                         "correct the model: onnx.checker.check_model(model)");
    if (i >= row->mostInputs)
      return node.refuse("has more than " + llvm::Twine(row->mostInputs) + " inputs");
    if (node.has(i) && node.operand(i).sequence && !row->takesSequences)
      return node.refuse("input '" + proto.input(i) + "' is a sequence");
  }
  if (failed(row->build(node)) || node.isRefused()) {
    node.refused = true;
    return failure();
  }
  if (keepsSmallElements(proto.op_type()) && !node.operands.empty() && !node.results.empty())
    node.results.front().small = node.operands.front().small;
  return finishNode(node, scope, builder);
}

LogicalResult Importer::buildList(const google::protobuf::RepeatedPtrField<::onnx::NodeProto> &nodes, Scope &scope,
                                  OpBuilder &builder) {
  bool isComplete = true;
  for (const ::onnx::NodeProto &proto : nodes)
    if (failed(buildNode(proto, scope, builder))) {
      isComplete = false;
      for (const std::string &output : proto.output())
        scope.block(output);
    }
  return success(isComplete);
}

LogicalResult Importer::buildNodes(const ::onnx::GraphProto &graph, Scope &scope, OpBuilder &builder) {
  const bool isDeclared = succeeded(declare(graph, scope, builder));
  return success(succeeded(buildList(graph.node(), scope, builder)) && isDeclared);
}

FailureOr<std::vector<Tensor>> Importer::outputsOf(const ::onnx::GraphProto &graph, Scope &scope, OpBuilder &builder,
                                                   Location loc) {
  std::vector<Tensor> outputs;
  for (const ::onnx::ValueInfoProto &value : graph.output()) {
    const Location at = listing.at(&value, value.name(), *module.getContext());
    const Tensor *found = scope.find(value.name());
    if (!found) {
      if (!scope.isBlocked(value.name()))
        emitError(at) << "output '" << printable(value.name()) << "' is made by no node";
      return failure();
    }
    outputs.push_back(*found);
  }
  return outputs;
}

/// Ops that nothing uses: shapes that were known after all.
void Importer::eraseUnused(func::FuncOp function) {
  // From the end, and ops of a region before the one that has it: users come before what they use.
  function.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != function && isOpTriviallyDead(op))
      op->erase();
  });
}

LogicalResult Importer::run() {
  if (failed(checkModel()))
    return failure();
  const ::onnx::GraphProto &graph = model.graph();
  MLIRContext *context = module.getContext();
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(module.getBody());

  llvm::StringSet<> initialized;
  for (const ::onnx::TensorProto &tensor : graph.initializer())
    initialized.insert(tensor.name());
  bool isValid = true;
  llvm::SmallVector<Type> types;
  llvm::SmallVector<const ::onnx::ValueInfoProto *> inputs;
  std::vector<bool> areUnsigned;
  llvm::SmallVector<Type> smallTypes;
  for (const ::onnx::ValueInfoProto &value : graph.input()) {
    if (initialized.contains(value.name()))
      continue;
    bool isUnsigned = false;
    RankedTensorType type = tensorType(value.type(), isUnsigned);
    if (!type) {
      const auto &given = value.type();
      InFlightDiagnostic error =
          emitError(listing.at(&value, value.name(), *context))
          << "input '" << printable(value.name()) << "' "
          << (given.has_sequence_type()   ? "is a sequence: inputs of a program are tensors"
              : given.has_optional_type() ? "is optional: inputs of a program are tensors"
              : !given.has_tensor_type()  ? "is no tensor: inputs of a program are tensors"
              : given.tensor_type().elem_type() == ::onnx::TensorProto::STRING
                  ? "holds strings: tensors of a program hold numbers"
              : !given.tensor_type().has_shape() ? "has no shape: its number of dimensions must be known"
                                                 : "has an element type that is not supported");
      if (given.has_tensor_type() && !given.tensor_type().has_shape())
        error.attachNote() << "set it in the model, with names for dynamic sizes: "
                              "onnx.helper.make_tensor_value_info(name, type, ['N', 3])";
      isValid = false;
      continue;
    }
    types.push_back(type);
    inputs.push_back(&value);
    areUnsigned.push_back(isUnsigned);
    smallTypes.push_back(smallTypeOf(value.type().tensor_type().elem_type(), *context));
  }
  const Location start = listing.start(*context);
  auto function = func::FuncOp::create(builder, start, "main_graph", builder.getFunctionType(types, {}));
  Block *entry = function.addEntryBlock();
  Scope scope;
  for (auto [argument, value, isUnsigned, small] : llvm::zip(entry->getArguments(), inputs, areUnsigned, smallTypes)) {
    argument.setLoc(listing.at(value, value->name(), *context));
    function.setArgAttr(argument.getArgNumber(), kNameAttr, StringAttr::get(context, value->name()));
    if (isUnsigned)
      function.setArgAttr(argument.getArgNumber(), kUnsignedAttr, UnitAttr::get(context));
    Tensor tensor;
    tensor.value = argument;
    tensor.isUnsigned = isUnsigned;
    tensor.small = small;
    scope.define(value->name(), std::move(tensor));
  }
  for (const ::onnx::ValueInfoProto &value : graph.input())
    if (!scope.find(value.name()) && !initialized.contains(value.name()))
      scope.block(value.name());
  builder.setInsertionPointToEnd(entry);
  isValid &= succeeded(buildNodes(graph, scope, builder));
  FailureOr<std::vector<Tensor>> outputs = outputsOf(graph, scope, builder, start);
  if (failed(outputs) || !isValid)
    return failure();
  llvm::SmallVector<Value> results;
  for (auto [value, output] : llvm::zip(graph.output(), *outputs)) {
    if (!output.value) {
      emitError(listing.at(&value, value.name(), *context))
          << "output '" << printable(value.name()) << "' is a sequence: results of a program are tensors";
      return failure();
    }
    if (auto declared = scope.declared.find(value.name()); declared != scope.declared.end())
      results.push_back(
          Node(::onnx::NodeProto(), *this, scope, builder, start, 0).refined(output.value, declared->second));
    else
      results.push_back(output.value);
  }
  func::ReturnOp::create(builder, start, results);
  llvm::SmallVector<Type> resultTypes(ValueRange(results).getTypes());
  function.setFunctionType(builder.getFunctionType(types, resultTypes));
  for (auto [index, value] : llvm::enumerate(graph.output())) {
    function.setResultAttr(index, kNameAttr, StringAttr::get(context, value.name()));
    if ((*outputs)[index].isUnsigned)
      function.setResultAttr(index, kUnsignedAttr, UnitAttr::get(context));
  }
  eraseUnused(function);
  return success();
}
