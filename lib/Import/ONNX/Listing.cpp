//===- Listing.cpp - a model as text --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Listing.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Listing.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mica::importer;

std::string mica::importer::printable(llvm::StringRef text) {
  constexpr size_t kMostCharacters = 400;
  std::string result = text.take_front(kMostCharacters).str();
  for (char &c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = '?';
  return result;
}

std::string mica::importer::nameOf(const ::onnx::NodeProto &node) {
  if (!node.name().empty() || node.output_size() == 0)
    return printable(node.name());
  return printable(node.output(0));
}

static const char *typeName(int32_t type) {
  static const char *const names[] = {
      "undefined", "float32",    "uint8",      "int8",         "uint16",         "int16",      "int32",
      "int64",     "string",     "bool",       "float16",      "float64",        "uint32",     "uint64",
      "complex64", "complex128", "bfloat16",   "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
      "uint4",     "int4",       "float4e2m1", "float8e8m0",   "uint2",          "int2"};
  return type >= 0 && type < static_cast<int32_t>(std::size(names)) ? names[type] : "unknown";
}

static std::string typeText(const ::onnx::TypeProto &type) {
  if (type.has_sequence_type())
    return "sequence";
  if (type.has_optional_type())
    return "optional";
  if (!type.has_tensor_type())
    return "other";
  std::string text = typeName(type.tensor_type().elem_type());
  if (!type.tensor_type().has_shape())
    return text;
  text += "[";
  bool isFirst = true;
  for (const auto &dim : type.tensor_type().shape().dim()) {
    text += isFirst ? "" : ",";
    isFirst = false;
    text += dim.has_dim_value()   ? std::to_string(dim.dim_value())
            : dim.has_dim_param() ? printable(dim.dim_param())
                                  : "?";
  }
  return text + "]";
}

static std::string attributeText(const ::onnx::AttributeProto &attribute) {
  std::string text = printable(attribute.name()) + " = ";
  auto list = [&](const auto &values) {
    text += "[";
    int count = 0;
    for (auto value : values) {
      if (count++ == 16) {
        text += ", ...";
        break;
      }
      text += (count > 1 ? ", " : "") + std::to_string(value);
    }
    text += "]";
  };
  if (!attribute.ref_attr_name().empty())
    return text + "@" + printable(attribute.ref_attr_name());
  switch (attribute.type()) {
  case ::onnx::AttributeProto::INT:
    return text + std::to_string(attribute.i());
  case ::onnx::AttributeProto::FLOAT:
    return text + std::to_string(attribute.f());
  case ::onnx::AttributeProto::STRING:
    return text + "\"" + printable(attribute.s()) + "\"";
  case ::onnx::AttributeProto::INTS:
    list(attribute.ints());
    return text;
  case ::onnx::AttributeProto::FLOATS:
    list(attribute.floats());
    return text;
  case ::onnx::AttributeProto::TENSOR:
    return text + "tensor";
  case ::onnx::AttributeProto::GRAPH:
    return text + "graph";
  default:
    return text + "...";
  }
}

void Listing::mark(const void *part, size_t lineBegin) {
  positions[part] = {line, static_cast<unsigned>(lines.size() - lineBegin + 1)};
}

void Listing::addNode(const ::onnx::NodeProto &node, int depth) {
  const size_t begin = lines.size();
  lines += std::string(depth * 2, ' ');
  for (int i = 0; i < node.output_size(); ++i)
    lines += (i ? ", %" : "%") + printable(node.output(i));
  if (node.output_size())
    lines += " = ";
  mark(&node, begin);
  lines += (node.domain().empty() ? "" : printable(node.domain()) + ".") + printable(node.op_type()) + "(";
  for (int i = 0; i < node.input_size(); ++i)
    lines += (i ? ", " : "") + (node.input(i).empty() ? std::string("none") : "%" + printable(node.input(i)));
  lines += ")";
  for (int i = 0; i < node.attribute_size(); ++i)
    lines += (i ? ", " : " {") + attributeText(node.attribute(i)) + (i + 1 == node.attribute_size() ? "}" : "");
  if (!node.name().empty())
    lines += "  // " + printable(node.name());
  lines += "\n";
  ++line;
  for (const ::onnx::AttributeProto &attribute : node.attribute())
    if (attribute.has_g())
      addGraph(attribute.g(), depth + 1);
}

void Listing::addGraph(const ::onnx::GraphProto &graph, int depth) {
  // A graph in a graph in a graph ...: protobuf's own limit is a hundred messages.
  const std::string indent(depth * 2, ' ');
  lines += indent + "graph " + printable(graph.name()) + "\n";
  ++line;
  auto addValue = [&](const ::onnx::ValueInfoProto &value, llvm::StringRef what) {
    const size_t begin = lines.size();
    lines += indent + "  " + what.str() + " ";
    mark(&value, begin);
    lines += "%" + printable(value.name()) + " : " + typeText(value.type()) + "\n";
    ++line;
  };
  for (const ::onnx::ValueInfoProto &value : graph.input())
    addValue(value, "input");
  for (const ::onnx::TensorProto &tensor : graph.initializer()) {
    const size_t begin = lines.size();
    lines += indent + "  initializer ";
    mark(&tensor, begin);
    lines += "%" + printable(tensor.name()) + " : " + typeName(tensor.data_type()) + "[";
    for (int i = 0; i < tensor.dims_size(); ++i)
      lines += (i ? "," : "") + std::to_string(tensor.dims(i));
    lines += "]\n";
    ++line;
  }
  for (const ::onnx::NodeProto &node : graph.node())
    addNode(node, depth + 1);
  for (const ::onnx::ValueInfoProto &value : graph.output())
    addValue(value, "output");
}

void Listing::addFunction(const ::onnx::FunctionProto &function) {
  lines += "function " + printable(function.domain()) + "." + printable(function.name()) + "\n";
  ++line;
  for (const ::onnx::NodeProto &node : function.node())
    addNode(node, 1);
}

Listing::Listing(const ::onnx::ModelProto &model, std::string path) : file(std::move(path)) {
  lines = "// ONNX model, IR version " + std::to_string(model.ir_version());
  for (const auto &opset : model.opset_import())
    lines += ", operator set " + (opset.domain().empty() ? "" : printable(opset.domain()) + " ") +
             std::to_string(opset.version());
  if (!model.producer_name().empty())
    lines += ", made by " + printable(model.producer_name()) + " " + printable(model.producer_version());
  lines += "\n";
  ++line;
  for (const ::onnx::FunctionProto &function : model.functions())
    addFunction(function);
  addGraph(model.graph(), 0);
}

Location Listing::start(MLIRContext &context) const { return FileLineColLoc::get(&context, file, 1, 1); }

Location Listing::at(const void *part, llvm::StringRef name, MLIRContext &context) const {
  auto found = positions.find(part);
  const Location place = found == positions.end()
                             ? start(context)
                             : Location(FileLineColLoc::get(&context, file, found->second.first, found->second.second));
  return name.empty() ? place : Location(NameLoc::get(StringAttr::get(&context, name), place));
}
