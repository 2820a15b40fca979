//===- PrintSlice.cpp - the tree of an element as text and JSON ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Why/PrintSlice.h"

#include "mica/Support/Schemas.h"

#include "llvm/Support/Format.h"

#include <cmath>

namespace mica::compiler {

using reference::Tape;

std::string numberText(double value) {
  if (std::isnan(value))
    return "NaN";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

llvm::json::Value numberJson(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

std::string indexText(int64_t flat, llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (size_t d = shape.size(); d-- > 0;) {
    text = std::to_string(shape[d] ? flat % shape[d] : 0) + (text.empty() ? "" : ", ") + text;
    flat = shape[d] ? flat / shape[d] : 0;
  }
  return "[" + text + "]";
}

static std::string percent(double share) {
  if (share > 0 && share < 1e-4)
    return "less than 0.01%";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g%%", share * 100);
  return text;
}

static const reference::Tensor &tensorOf(const Tape &tape, const SliceNode &node) {
  return tape.steps[static_cast<size_t>(node.step)].results[node.result];
}

/// "linalg.matmul [3f2a91c07b1e] at model.mlir:3:8, %q[0, 3]".
static std::string describe(const Tape &tape, const SliceNode &node) {
  std::string text = node.kind + (node.id.empty() ? "" : " [" + node.id + "]") +
                     (node.source.empty() ? "" : " at " + node.source) + ", ";
  text += (node.name.empty() ? "element " : node.name) + indexText(node.element, tensorOf(tape, node).shape());
  if (const int64_t iteration = tape.steps[static_cast<size_t>(node.step)].occurrence; iteration > 0)
    text += " of iteration " + std::to_string(iteration);
  return text;
}

/// "= 0.5 (reference 0.25, bound 1e-07, DIFFERENT)".
static std::string values(const SliceNode &node, bool hasRun) {
  if (!hasRun)
    return "= " + numberText(node.reference);
  if (!node.compiled)
    return node.id.empty() ? "= " + numberText(node.reference)
                           : "reference " + numberText(node.reference) + " (inside of a kernel)";
  std::string text = "= " + numberText(*node.compiled) + " (reference " + numberText(node.reference);
  if (node.bound > 0)
    text += ", bound " + numberText(node.bound);
  return text + (node.differs ? ", DIFFERENT)" : ")");
}

namespace {
class SlicePrinter {
public:
  SlicePrinter(const Slice &slice, const Tape &tape, bool hasRun, llvm::raw_ostream &os)
      : slice(slice), tape(tape), hasRun(hasRun), os(os), printed(slice.nodes.size(), 0) {}

  void print(size_t position, const std::string &share, unsigned depth) {
    const SliceNode &node = slice.nodes[position];
    os << std::string(2 * depth, ' ') << share << describe(tape, node) << " " << values(node, hasRun);
    if (position == slice.firstDifference)
      os << "  <-- first difference";
    if (printed[position]) {
      os << (node.inputs.empty() ? "\n" : "  (see above)\n");
      return;
    }
    printed[position] = 1;
    os << "\n";
    const std::string indent(2 * depth + 2, ' ');
    for (const SliceNode::Edge &edge : node.inputs)
      print(edge.node,
            edge.kind == SliceNode::Edge::Kind::Index       ? "index: "
            : edge.kind == SliceNode::Edge::Kind::Condition ? "condition: "
                                                            : percent(edge.share) + " ",
            depth + 1);
    if (!node.isFollowed)
      os << indent << "(what this op reads is not followed)\n";
    else if (node.pruned > 0 || !node.isComplete)
      os << indent << "(pruned: " << (node.isComplete ? "" : "more than ") << node.pruned << " elements, "
         << percent(node.prunedShare) << ")\n";
    else if (!node.isExpanded)
      os << indent << "(pruned: what this was computed from)\n";
  }

private:
  const Slice &slice;
  const Tape &tape;
  bool hasRun;
  llvm::raw_ostream &os;
  std::vector<char> printed;
};
} // namespace

void printSlice(const Slice &slice, const Tape &tape, const std::string &question, const CompiledValues &compiled,
                llvm::raw_ostream &os) {
  os << "why " << question << ":\n";
  SlicePrinter(slice, tape, compiled.hasRun(), os).print(0, "", 0);
  os << "shown: " << slice.nodes.size() << " elements; pruned: " << slice.pruned
     << " that contribute less to the element they were read for\n";
  if (!compiled.hasRun())
    return;
  if (!slice.firstDifference) {
    os << (slice.nodes[0].differs ? "first difference: not found\n" : "no difference from the reference\n");
    return;
  }
  const SliceNode &first = slice.nodes[*slice.firstDifference];
  os << "first difference: " << describe(tape, first) << " " << values(first, true);
  if (const std::string kernel = compiled.kernelOf(first.id); !kernel.empty())
    os << ", written by kernel " << kernel;
  os << "\n";
  if (!slice.unseen.empty()) {
    os << "  what it reads agrees, or stayed inside of a kernel:";
    std::map<std::string, bool> shown;
    for (size_t node : slice.unseen)
      if (!shown[slice.nodes[node].id]) {
        shown[slice.nodes[node].id] = true;
        os << " " << slice.nodes[node].kind << " [" << slice.nodes[node].id << "]";
      }
    os << "\n";
  }
}

void printSliceJson(const Slice &slice, const Tape &tape, const std::string &question, const CompiledValues &compiled,
                    llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("format", schemaFormat(Schema::Why));
    json.attribute("schema", schemaVersion(Schema::Why));
    json.attribute("question", question);
    json.attribute("element", indexText(slice.nodes[0].element, tensorOf(tape, slice.nodes[0]).shape()));
    json.attributeArray("nodes", [&] {
      for (const SliceNode &node : slice.nodes)
        json.object([&] {
          json.attribute("kind", node.kind);
          json.attribute("op", node.id);
          json.attribute("source", node.source);
          json.attribute("name", node.name);
          json.attribute("index", indexText(node.element, tensorOf(tape, node).shape()));
          json.attribute("iteration", tape.steps[static_cast<size_t>(node.step)].occurrence);
          json.attribute("reference", numberJson(node.reference));
          json.attribute("bound", numberJson(node.bound));
          if (node.compiled)
            json.attribute("compiled", numberJson(*node.compiled));
          json.attribute("differs", node.differs);
          json.attribute("pruned", node.pruned);
          json.attribute("pruned_share", numberJson(node.prunedShare));
          if (const std::string kernel = compiled.kernelOf(node.id); !kernel.empty())
            json.attribute("kernel", kernel);
        });
    });
    json.attributeArray("edges", [&] {
      for (size_t from = 0; from < slice.nodes.size(); ++from)
        for (const SliceNode::Edge &edge : slice.nodes[from].inputs)
          json.object([&] {
            json.attribute("from", static_cast<int64_t>(from));
            json.attribute("to", static_cast<int64_t>(edge.node));
            json.attribute("share", numberJson(edge.share));
            if (edge.kind != SliceNode::Edge::Kind::Value)
              json.attribute("kind", edge.kind == SliceNode::Edge::Kind::Index ? "index" : "condition");
          });
    });
    json.attribute("pruned", slice.pruned);
    if (slice.firstDifference)
      json.attribute("first_difference", static_cast<int64_t>(*slice.firstDifference));
  });
  os << "\n";
}

} // namespace mica::compiler
