//===- Importer.h - a model as a function ---------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Walks through a graph in its order and calls the builder function of each node. A node that cannot be built is
// reported, and the walk goes on with the nodes that do not depend on it, so that one import names all of them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_IMPORTER_H
#define MICA_IMPORT_ONNX_IMPORTER_H

#include "lib/Import/ONNX/Listing.h"
#include "lib/Import/ONNX/OpTable.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace mica::importer {

/// The values of a graph by name; those of the graphs around it can be used too.
class Scope {
public:
  explicit Scope(Scope *parent = nullptr) : parent(parent), depth(parent ? parent->depth + 1 : 0) {}

  const Tensor *find(llvm::StringRef name) const;
  bool isBlocked(llvm::StringRef name) const;
  void define(llvm::StringRef name, Tensor tensor) { values[name] = std::move(tensor); }
  /// A value that a refused node would have made.
  void block(llvm::StringRef name) { blocked.insert(name); }

  Scope *const parent;
  const int depth;
  llvm::StringMap<mlir::RankedTensorType> declared; ///< types by name, of value_info
  /// Of the body of a function: the attributes of the node that calls it.
  const ::onnx::NodeProto *caller = nullptr;
  const ::onnx::FunctionProto *function = nullptr;

private:
  llvm::StringMap<Tensor> values;
  llvm::StringSet<> blocked;
};

class Importer {
public:
  Importer(const ::onnx::ModelProto &model, std::string folder, mlir::ModuleOp module, const Listing &listing);

  /// Adds the function "main_graph". Reports every node that cannot be built.
  mlir::LogicalResult run();

  /// Builds the nodes of a graph at the builder's place. Failure: something was reported.
  mlir::LogicalResult buildNodes(const ::onnx::GraphProto &graph, Scope &scope, mlir::OpBuilder &builder);
  /// The outputs of a graph whose nodes are built.
  mlir::FailureOr<std::vector<Tensor>> outputsOf(const ::onnx::GraphProto &graph, Scope &scope,
                                                 mlir::OpBuilder &builder, mlir::Location loc);
  /// A tensor of the file as a constant. Reports a tensor that cannot be read.
  mlir::FailureOr<Tensor> constantOf(const ::onnx::TensorProto &tensor, mlir::OpBuilder &builder, mlir::Location loc);
  /// Initializers and declared types of a graph.
  mlir::LogicalResult declare(const ::onnx::GraphProto &graph, Scope &scope, mlir::OpBuilder &builder);
  /// The element type of `dataType`, null where it has none, and whether it is unsigned. Of a small type (SmallTypes.h)
  /// the one that carries it.
  mlir::Type elementType(int32_t dataType, bool &isUnsigned) const;
  /// Null for sequences and the like, and where the rank is not given.
  mlir::RankedTensorType tensorType(const ::onnx::TypeProto &type, bool &isUnsigned) const;
  int64_t opsetOf(llvm::StringRef domain) const;

  const ::onnx::ModelProto &model;
  const std::string folder; ///< of the file, for external data
  const Listing &listing;

private:
  mlir::LogicalResult buildNode(const ::onnx::NodeProto &proto, Scope &scope, mlir::OpBuilder &builder);
  mlir::LogicalResult callFunction(const ::onnx::FunctionProto &function, Node &node);
  mlir::LogicalResult buildList(const google::protobuf::RepeatedPtrField<::onnx::NodeProto> &nodes, Scope &scope,
                                mlir::OpBuilder &builder);
  mlir::FailureOr<Tensor> findInput(llvm::StringRef name, Scope &scope, mlir::Location loc);
  mlir::LogicalResult finishNode(Node &node, Scope &scope, mlir::OpBuilder &builder);
  mlir::LogicalResult checkModel();
  void eraseUnused(mlir::func::FuncOp function);

  mutable mlir::ModuleOp module;
  OpTable table;
  llvm::StringMap<const ::onnx::FunctionProto *> functions;
  llvm::SmallVector<const ::onnx::FunctionProto *> calls; ///< those being built, against recursion
};

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_IMPORTER_H
