//===- Record.cpp - records of a trace log ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Names, and the table of kinds.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/Record.h"

namespace mica::trace {
namespace {

constexpr RecordKind kKinds[] = {
    {"str", false, false, "gives a string a number, so that stacks can name files by it"},
    {"artifact", true, true, "anything a compiler wants to show under a name"},
    {"graph_dump", true, true, "a named dump of IR or source"},
    {"link", false, false, "an address outside the report"},
    {"dump_file", true, true, "the source of a generated Python file"},
    {"chromium_event", true, false, "a timing event: the beginning or end of a span"},
    {"dynamo_start", false, false, "a compile begins; with the user's stack that triggered it"},
    {"dynamo_output_graph", true, true, "the captured FX graph"},
    {"dynamo_guards", true, true, "the conditions under which the compiled code may be used (older form)"},
    {"dynamo_cpp_guards_str", true, true, "the conditions under which the compiled code may be used, as a tree"},
    {"optimize_ddp_split_graph", true, true, "the graph that DDP splits"},
    {"optimize_ddp_split_child", true, true, "a part of the graph that DDP split"},
    {"compiled_autograd_graph", true, true, "the graph of the autograd engine"},
    {"aot_forward_graph", true, true, "the forward graph of AOTAutograd"},
    {"aot_backward_graph", true, true, "the backward graph of AOTAutograd"},
    {"aot_inference_graph", true, true, "the inference graph of AOTAutograd"},
    {"aot_joint_graph", true, true, "forward and backward in one graph"},
    {"inductor_pre_grad_graph", true, true, "the graph before Inductor's first passes"},
    {"inductor_post_grad_graph", true, true, "the graph after Inductor's graph passes"},
    {"inductor_output_code", true, true, "the generated program"},
    {"compilation_metrics", false, false, "a compile ended, well or not: counts, times, caches, configuration"},
    {"bwd_compilation_metrics", false, false, "a backward compile ended (older form)"},
    {"aot_autograd_backward_compilation_metrics", false, false, "a backward compile of AOTAutograd ended (older form)"},
    {"compilation_metrics_runtime", false, false, "autotuning or CUDA graph work at run time"},
    {"bwd_compilation_metrics_runtime", false, false, "autotuning or CUDA graph work of a backward graph at run time"},
    {"describe_storage", false, false, "the storage of an input"},
    {"describe_tensor", false, false, "an input: shape, strides, type, device"},
    {"describe_source", false, false, "where an input comes from"},
    {"create_symbol", false, false, "a size became symbolic"},
    {"create_unbacked_symbol", false, false, "a size that depends on data became symbolic"},
    {"symbolic_shape_specialization", false, false, "a symbolic size was fixed to a constant"},
    {"guard_added_fast", false, false, "a condition on sizes was added"},
    {"guard_added", false, false, "a condition on sizes was added, with its provenance"},
    {"expression_created", false, false, "a node of the graph of symbolic expressions"},
    {"propagate_real_tensors_provenance", false, false, "a decision was taken from a real value"},
    {"missing_fake_kernel", false, false, "a custom op lacks an implementation for shapes"},
    {"mismatched_fake_kernel", false, false, "a custom op's shapes differ from what it computes"},
    {"exported_program", true, true, "the exported program"},
    {"bytecode_dump", true, true, "Python bytecode, original or modified"},
};

std::string partText(int64_t part) { return part < 0 ? "-" : std::to_string(part); }

} // namespace

std::string CompileId::text() const {
  if (isNone())
    return "";
  std::string text = autograd >= 0 ? "!" + std::to_string(autograd) : "";
  if (frame >= 0 || frameCompile >= 0)
    text += (text.empty() ? "" : "/") + partText(frame) + "/" + partText(frameCompile);
  if (attempt > 0)
    text += "_" + std::to_string(attempt);
  return text;
}

std::string CompileId::folder() const {
  return partText(autograd) + "_" + partText(frame) + "_" + partText(frameCompile) + "_" +
         (isNone() ? "-" : std::to_string(attempt < 0 ? 0 : attempt));
}

std::string_view defectName(DefectKind kind) {
  static constexpr std::string_view kNames[kDefectKinds] = {
      "no record",    "orphan payload", "envelope JSON", "kind",     "field",     "payload hash", "payload missing",
      "payload JSON", "other rank",     "string id",     "too long", "truncated", "NaN in JSON",  "not UTF-8"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view Record::field(std::string_view key) const {
  for (const JsonMember &member : members)
    if (member.depth == 2 && member.key == key && member.value.data() >= metadata.data() &&
        member.value.data() < metadata.data() + metadata.size())
      return member.value;
  return {};
}

const RecordKind *findKind(std::string_view name) {
  for (const RecordKind &kind : kKinds)
    if (kind.name == name)
      return &kind;
  return nullptr;
}

} // namespace mica::trace
