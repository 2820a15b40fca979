//===- Listing.h - a model as text ----------------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An ONNX file has no lines that an error could show. The listing has one per input, initializer, node and output, in
// the order of the file: "%y = Conv(%x, %w) {pads = [1, 1, 1, 1]}  // conv1". Locations point into it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_LISTING_H
#define MICA_IMPORT_ONNX_LISTING_H

#include "lib/Import/ONNX/Model.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mica::importer {

class Listing {
public:
  /// `file`: as given by the user.
  Listing(const ::onnx::ModelProto &model, std::string file);

  const std::string &text() const { return lines; }
  /// The location of a part of the model, with the name that it has there. `part`: a NodeProto, ValueInfoProto or
  /// TensorProto of the model; of others, the file alone.
  mlir::Location at(const void *part, llvm::StringRef name, mlir::MLIRContext &context) const;
  mlir::Location start(mlir::MLIRContext &context) const;

private:
  void addGraph(const ::onnx::GraphProto &graph, int depth);
  void addNode(const ::onnx::NodeProto &node, int depth);
  void addFunction(const ::onnx::FunctionProto &function);
  void mark(const void *part, size_t lineBegin);

  std::string file, lines;
  unsigned line = 1;
  llvm::DenseMap<const void *, std::pair<unsigned, unsigned>> positions;
};

/// A text of the model as it may be printed: control characters become '?', and what is long is cut off.
std::string printable(llvm::StringRef text);

/// What a node is called: its name, or that of its first output.
std::string nameOf(const ::onnx::NodeProto &node);

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_LISTING_H
