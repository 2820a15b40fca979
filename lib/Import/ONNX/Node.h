//===- Node.h - one node of an ONNX graph, and what builds ops for it -----------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A builder function of an operator (OpTable.h) gets a Node: its inputs as values, its attributes, and functions that
// build the usual patterns. ONNX's unsigned integers are signless here; Tensor::isUnsigned says how they are read.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_NODE_H
#define MICA_IMPORT_ONNX_NODE_H

#include "lib/Import/ONNX/Model.h"

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mica::importer {

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;
using Ints = llvm::SmallVector<int64_t>;

/// A value of a graph: a tensor, or a sequence of tensors whose length is known.
struct Tensor {
  mlir::Value value;
  bool isUnsigned = false;
  mlir::Type small; ///< set: the type whose elements the value's wider ones carry (SmallTypes.h)
  /// Of an integer or i1 tensor of rank 0 or 1: its elements, as constants or values of type index, where the graph
  /// computes them of constants and of sizes.
  std::optional<Sizes> elements;
  std::shared_ptr<std::vector<Tensor>> sequence; ///< set: a sequence; `value` is null

  mlir::RankedTensorType type() const { return llvm::cast<mlir::RankedTensorType>(value.getType()); }
  int64_t rank() const { return type().getRank(); }
  mlir::Type element() const { return type().getElementType(); }
};

class Importer;
class Scope;

/// Computes an element of its operands' elements.
using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

class Node {
public:
  Node(const ::onnx::NodeProto &proto, Importer &importer, Scope &scope, mlir::OpBuilder &builder, mlir::Location loc,
       int64_t opset)
      : proto(proto), importer(importer), scope(scope), b(builder), loc(loc), opset(opset) {}

  const ::onnx::NodeProto &proto;
  Importer &importer;
  Scope &scope;
  mlir::OpBuilder &b;
  mlir::Location loc;
  const int64_t opset; ///< version of the operator set of the node's domain

  //===--------------------------------------------------------------------------------------------------------===//
  // Inputs, outputs, attributes
  //===--------------------------------------------------------------------------------------------------------===//

  unsigned inputCount() const { return proto.input_size(); }
  unsigned outputCount() const { return proto.output_size(); }
  /// Whether input `i` is given; an empty name leaves an optional one out.
  bool has(unsigned i) const { return i < inputCount() && !proto.input(i).empty(); }
  bool wants(unsigned i) const { return i < outputCount() && !proto.output(i).empty(); }
  const Tensor &operand(unsigned i) const { return operands[i]; }
  mlir::Value in(unsigned i) const { return operands[i].value; }
  int64_t rank(unsigned i) const { return operands[i].rank(); }
  mlir::Type element(unsigned i) const { return operands[i].element(); }
  bool isUnsigned(unsigned i) const { return operands[i].isUnsigned; }
  mlir::Type small(unsigned i) const { return operands[i].small; }
  mlir::Value result(unsigned i) const { return results[i].value; }
  bool isResultUnsigned(unsigned i) const { return results[i].isUnsigned; }
  void set(unsigned i, mlir::Value value, bool isUnsigned = false) {
    if (results.size() <= i)
      results.resize(i + 1);
    results[i].value = value;
    results[i].isUnsigned = isUnsigned;
  }
  void set(unsigned i, Tensor tensor) {
    if (results.size() <= i)
      results.resize(i + 1);
    results[i] = std::move(tensor);
  }

  const ::onnx::AttributeProto *attribute(llvm::StringRef name) const;
  bool hasAttribute(llvm::StringRef name) const { return attribute(name); }
  int64_t integer(llvm::StringRef name, int64_t fallback = 0) const;
  double real(llvm::StringRef name, double fallback = 0) const;
  std::string text(llvm::StringRef name, llvm::StringRef fallback = "") const;
  Ints integers(llvm::StringRef name, Ints fallback = {}) const;
  llvm::SmallVector<double> reals(llvm::StringRef name) const;
  std::vector<std::string> texts(llvm::StringRef name) const;

  /// The node has no form in Mica, or is not valid: `reason`, and what the user can do instead.
  mlir::LogicalResult refuse(const llvm::Twine &reason, const llvm::Twine &workaround = "");
  bool isRefused() const { return refused; }

  /// `axis`, which counts from the end if it is negative, within [0, rank); refuses where it is not. With `inclusive`
  /// the rank itself is allowed.
  std::optional<int64_t> axisOf(int64_t axis, int64_t rank, bool inclusive = false);
  /// The same of each, sorted; refuses duplicates.
  std::optional<Ints> axesOf(llvm::ArrayRef<int64_t> axes, int64_t rank);

  /// The elements of input `i`, an integer tensor of rank 0 or 1 with a static size: constants, or values of type index
  /// that are read at run time. Refuses other inputs.
  std::optional<Sizes> elementsOf(unsigned i);
  /// The same where all are constants; refuses where they are not: `what` is only known at run time.
  std::optional<Ints> constantsOf(unsigned i, const llvm::Twine &what);
  /// Whether constantsOf(i) has all elements.
  bool areConstant(unsigned i) const;
  /// The type that the model declares of an output; null where it does not.
  mlir::RankedTensorType declaredType(unsigned i) const;
  /// The elements of input `i` as floats where they are constants.
  std::optional<llvm::SmallVector<double>> realsOf(unsigned i) const;

  //===--------------------------------------------------------------------------------------------------------===//
  // Scalars and sizes
  //===--------------------------------------------------------------------------------------------------------===//

  mlir::OpFoldResult index(int64_t value) const { return b.getIndexAttr(value); }
  mlir::Value indexValue(mlir::OpFoldResult size);
  /// A scalar of the element type.
  mlir::Value scalar(mlir::Type type, double value);
  mlir::OpFoldResult sizeOf(mlir::Value tensor, int64_t dim);
  Sizes sizesOf(mlir::Value tensor);
  /// Sums, products, ... of sizes, folded where constants are known.
  mlir::OpFoldResult plus(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult minus(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult times(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult dividedBy(mlir::OpFoldResult a, mlir::OpFoldResult c); ///< rounded toward zero
  mlir::OpFoldResult ceilDividedBy(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult smallest(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult largest(mlir::OpFoldResult a, mlir::OpFoldResult c);
  mlir::OpFoldResult product(llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// `a < 0 ? a + size : a`
  mlir::OpFoldResult fromEnd(mlir::OpFoldResult a, mlir::OpFoldResult size);

  //===--------------------------------------------------------------------------------------------------------===//
  // Tensors
  //===--------------------------------------------------------------------------------------------------------===//

  mlir::RankedTensorType tensorType(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element) const;
  /// A constant tensor of rank 0, or with all elements equal.
  mlir::Value constant(mlir::Type element, double value, llvm::ArrayRef<int64_t> shape = {});
  mlir::Value integerConstant(llvm::ArrayRef<int64_t> values, llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value empty(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element);
  mlir::Value filled(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Value scalar);
  mlir::Value reshaped(mlir::Value value, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// With dimensions of size 1 in front.
  mlir::Value withRank(mlir::Value value, int64_t rank);
  mlir::Value unsqueezed(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  mlir::Value squeezed(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::Value transposed(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  mlir::Value sliced(mlir::Value value, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                     llvm::ArrayRef<mlir::OpFoldResult> sizes, llvm::ArrayRef<mlir::OpFoldResult> strides);
  /// One position of a dimension, which is dropped.
  mlir::Value at(mlir::Value value, int64_t dim, mlir::OpFoldResult position);
  mlir::Value concatenated(llvm::ArrayRef<mlir::Value> values, int64_t axis);
  mlir::Value cast(mlir::Value value, mlir::Type element, bool fromUnsigned = false, bool toUnsigned = false);
  /// Flips the top bit, so that the order of unsigned integers, or of booleans, becomes that of signed ones.
  mlir::Value flippedTopBit(mlir::Value value);
  /// With the static sizes of `type`, where the value's own are dynamic.
  mlir::Value refined(mlir::Value value, mlir::RankedTensorType type);

  /// Brings values to equal rank by dimensions of size 1 in front.
  llvm::SmallVector<mlir::Value> aligned(mlir::ValueRange values);
  /// The sizes of values of equal rank that are broadcast to each other. Refuses values that do not match.
  std::optional<Sizes> broadcastSizes(llvm::ArrayRef<mlir::Value> values);
  /// Elementwise, with NumPy's broadcasting. Floats of fewer than 32 bits are f32 in the body.
  mlir::Value elementwise(mlir::ValueRange values, mlir::Type element, Body body);
  /// Each element is computed of its indices, which are of type index.
  mlir::Value generated(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element, Body body);
  /// A linalg.generic: `maps` of the inputs and the result over `iterators`.
  mlir::Value generic(mlir::ValueRange inputs, mlir::Value init, llvm::ArrayRef<mlir::AffineMap> maps,
                      llvm::ArrayRef<mlir::utils::IteratorType> iterators, Body body);
  mlir::Value reduced(ReduceKind kind, mlir::Value value, llvm::ArrayRef<int64_t> dims, bool keepDims);

  /// A `mica` op whose result type is inferred. Where the operands do not fit, the node is refused; the value is
  /// then the first operand.
  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    mlir::OperationState state(loc, Op::getOperationName());
    Op::build(b, state, mlir::Type(placeholder()), std::forward<Args>(args)...);
    return finish<Op>(state);
  }
  template <typename Op> mlir::Value finish(mlir::OperationState &state) {
    llvm::SmallVector<mlir::Type> types;
    if (mlir::failed(Op::inferReturnTypes(b.getContext(), loc, state.operands,
                                          state.attributes.getDictionary(b.getContext()), state.getRawProperties(), {},
                                          types)) ||
        types.empty()) {
      refuseOperands(state);
      return state.operands.front();
    }
    state.types.assign(types.begin(), types.end());
    return b.create(state)->getResult(0);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) { return binary<AddOp>(x, y); }
  mlir::Value sub(mlir::Value x, mlir::Value y) { return binary<SubOp>(x, y); }
  mlir::Value mul(mlir::Value x, mlir::Value y) { return binary<MulOp>(x, y); }
  mlir::Value div(mlir::Value x, mlir::Value y) { return binary<DivOp>(x, y); }
  /// A binary `mica` op on operands that are brought to equal rank.
  template <typename Op> mlir::Value binary(mlir::Value x, mlir::Value y) {
    llvm::SmallVector<mlir::Value> both = aligned({x, y});
    return make<Op>(both[0], both[1]);
  }
  template <typename Op> mlir::Value unary(mlir::Value x) { return Op::create(b, loc, x.getType(), x); }
  /// A mica.if on a tensor of rank 0, whose branches are cast to `type`.
  mlir::Value either(mlir::Value condition, mlir::RankedTensorType type, llvm::function_ref<mlir::Value()> then,
                     llvm::function_ref<mlir::Value()> otherwise);
  mlir::Value compare(Comparison predicate, mlir::Value x, mlir::Value y);
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);

private:
  friend class Importer;
  /// Refuses the node because the op that `state` describes does not take its operands.
  void refuseOperands(const mlir::OperationState &state);
  /// Whether a tensor of the type can exist; refuses the node where not.
  bool isOfPossibleSize(mlir::RankedTensorType type);
  mlir::RankedTensorType placeholder() const { return mlir::RankedTensorType::get({}, b.getF32Type()); }
  mlir::OpFoldResult combined(mlir::OpFoldResult a, mlir::OpFoldResult c,
                              llvm::function_ref<std::optional<int64_t>(int64_t, int64_t)> fold,
                              llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> build);

  std::vector<Tensor> operands, results;
  bool refused = false;
};

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_NODE_H
