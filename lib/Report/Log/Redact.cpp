//===- Redact.cpp - records without what they say --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What stays is listed here, by name; everything else is masked. So a kind, a field or an event that is new to Mica is
// masked too.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/Redact.h"

#include <algorithm>
#include <cctype>

namespace mica::report {

using trace::JsonMember;
using trace::Record;

namespace {

/// Artifacts that compilers write under fixed names.
constexpr std::string_view kArtifacts[] = {"before_pre_grad_graph",
                                           "after_pre_grad_graph",
                                           "before_joint_graph",
                                           "after_joint_graph",
                                           "before_post_grad_graph",
                                           "after_post_grad_graph",
                                           "before_recompile_pre_grad",
                                           "after_recompile_pre_grad",
                                           "before_recompile_post_grad",
                                           "after_recompile_post_grad",
                                           "fx_graph_runnable",
                                           "aot_forward_graph_fw_metadata",
                                           "torch._functorch.config",
                                           "dynamo_graph_break_reason",
                                           "dynamo_error",
                                           "dynamo_side_effects",
                                           "recompile_reasons",
                                           "fx_graph_cache_hit",
                                           "fx_graph_cache_miss",
                                           "fx_graph_cache_bypass",
                                           "fx_graph_cache_hash",
                                           "aotautograd_cache_hit",
                                           "aotautograd_cache_miss",
                                           "aotautograd_cache_bypass",
                                           "aotautograd_cache_hash",
                                           "triton_kernel_info",
                                           "get_local_code_state",
                                           "put_local_code_state",
                                           "get_remote_code_state",
                                           "put_remote_code_state",
                                           "inductor_provenance_tracking_node_mappings",
                                           "inductor_provenance_tracking_kernel_stack_traces",
                                           "inductor_post_to_pre_grad_nodes",
                                           "inductor_triton_kernel_to_post_grad_nodes",
                                           "inductor_collective_schedule",
                                           "inductor_runtime_and_tensor_meta",
                                           "graph_execution",
                                           "inductor_graph_execution",
                                           "torch_version",
                                           "vllm_compilation_config",
                                           "vllm_piecewise_compile_start",
                                           "mica_version",
                                           "snapshots",
                                           "layers",
                                           "snapshots_archive",
                                           "layers_pack",
                                           "line_maps",
                                           "manifest",
                                           "launch_events",
                                           "tasks",
                                           "fusion",
                                           "memory",
                                           "perf_hints",
                                           "remarks",
                                           "reproducer",
                                           "mica_cache_hit",
                                           "mica_cache_miss",
                                           "mica_cache_bypass",
                                           "specialization_failed",
                                           "strategy_fallback",
                                           "run_events",
                                           "launches"};

/// Phases of compilers, as their timing events are named.
constexpr std::string_view kEvents[] = {"dynamo",
                                        "entire_frame_compile",
                                        "bytecode_tracing",
                                        "backend_compile",
                                        "build_guards",
                                        "gc",
                                        "compile_file",
                                        "create_aot_dispatcher_function",
                                        "aot_collect_metadata",
                                        "aot_trace_joint_graph",
                                        "inductor_compile",
                                        "_recursive_pre_grad_passes",
                                        "_recursive_joint_graph_passes",
                                        "_recursive_post_grad_passes",
                                        "GraphLowering.run",
                                        "GraphLowering.codegen",
                                        "GraphLowering.compile_to_fn",
                                        "GraphLowering.compile_to_module",
                                        "Scheduler.__init__",
                                        "Scheduler.fused_nodes",
                                        "Scheduler.codegen",
                                        "PyCodeCache.load_by_key_path",
                                        "async_compile.wait",
                                        "fx_codegen_and_compile",
                                        "compile_fx_inner",
                                        "compile_fx.<locals>.fw_compiler_base",
                                        "compile_fx.<locals>.bw_compiler",
                                        "additional_fake_tensor_prop",
                                        "FxGraphCache.load_with_key",
                                        "fx_graph_cache_hit",
                                        "fx_graph_cache_miss",
                                        "fx_graph_cache_bypass",
                                        "autograd_cache_hit",
                                        "autograd_cache_miss",
                                        "autograd_cache_bypass",
                                        "AOTAutogradCache.inductor_load",
                                        "CachingAutotuner.benchmark_all_configs",
                                        "TritonBundler.collect",
                                        "compile_attempt_0",
                                        "compile_attempt_1",
                                        "compile_attempt_2",
                                        "pgo.get_local_code_state",
                                        "pgo.put_local_code_state",
                                        "code_gen",
                                        "call_user_compiler",
                                        "guard_latency"};

/// String values that say nothing about a program.
constexpr std::string_view kPlainStrings[] = {"encoding", "dtype", "device", "ph", "cat", "compile_id", "s"};

/// Kinds whose numbers may be the program's constants.
constexpr std::string_view kConstantKinds[] = {
    "create_symbol",    "create_unbacked_symbol", "symbolic_shape_specialization",     "guard_added",
    "guard_added_fast", "expression_created",     "propagate_real_tensors_provenance", "exported_program"};

template <size_t N> bool contains(const std::string_view (&list)[N], std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

std::string_view unquoted(std::string_view value) {
  return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : std::string_view();
}

std::string inQuotes(const std::string &text) { return '"' + text + '"'; }

} // namespace

std::string maskText(std::string_view text) {
  std::string out(text);
  for (char &c : out) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalpha(byte))
      c = 'x';
    else if (std::isdigit(byte))
      c = '0';
  }
  return out;
}

std::string Redactor::number(std::string_view prefix, std::string_view name) {
  const auto [found, isNew] =
      numbers.emplace(std::string(prefix) + std::string(name), static_cast<int>(numbers.size()));
  return std::string(prefix) + std::to_string(found->second);
}

/// Objects and lists are walked; a value is kept, numbered or masked by the key it stands under.
std::string Redactor::maskValue(std::string_view value, std::string_view key, std::string_view kind, int depth,
                                bool inStack) {
  const bool known = trace::findKind(kind) != nullptr;
  inStack |= key == "stack" || key == "user_stack" || key == "framework_stack";
  if (value.front() == '{') {
    std::vector<JsonMember> members;
    trace::scanJson(value, &members);
    std::string out = "{";
    for (const JsonMember &member : members) {
      // Keys down to a kind's fields are the format's; deeper ones may be the program's.
      const bool keep = (known && depth < 2) || inStack || contains(kPlainStrings, member.key);
      out += (out.size() > 1 ? ", " : "") +
             inQuotes(keep ? std::string(member.key) : maskText(unquoted('"' + std::string(member.key) + '"'))) + ": ";
      out += maskValue(member.value, member.key, kind, depth + 1, inStack);
    }
    return out + "}";
  }
  if (value.front() == '[') {
    std::string out = "[";
    for (const std::string_view element : trace::jsonElements(value))
      out += (out.size() > 1 ? ", " : "") + maskValue(element, key, kind, depth + 1, inStack);
    return out + "]";
  }
  if (value.front() == '"') {
    const std::string_view text = unquoted(value);
    if (key == "has_payload" && depth == 1)
      return inQuotes(trace::hexDigits(digest)); // that of the text would let a guess be checked
    if (contains(kPlainStrings, key) && known)
      return std::string(value);
    if (key == "name" && kind == "artifact" && contains(kArtifacts, text))
      return std::string(value);
    if (key == "name" && inStack)
      return inQuotes(number("f", text));
    if (key == "name" && kind == "chromium_event")
      return contains(kEvents, text) ? std::string(value) : inQuotes(number("span", text));
    // Escapes are masked with the rest.
    std::string masked = maskText(text);
    std::replace(masked.begin(), masked.end(), '\\', 'x');
    std::replace(masked.begin(), masked.end(), '"', 'x');
    return inQuotes(masked);
  }
  const bool isNumber = value.front() == '-' || (value.front() >= '0' && value.front() <= '9');
  // `line`, `filename`: a frame's; ids and depths of the envelope.
  if (isNumber && depth > 1 && !inStack && (!known || contains(kConstantKinds, kind)))
    return "0";
  return std::string(value);
}

void Redactor::redact(Record &record) {
  static constexpr std::string_view kNoPath = "-";
  if (record.path.empty())
    return;
  record.path = kNoPath;
  if (!record.payload.empty() && !record.event) {
    payload = maskText(record.payload);
    if (record.kind == "artifact" && record.field("encoding") == "\"json\"") {
      // Escapes would no longer be JSON.
      std::replace(payload.begin(), payload.end(), '\\', 'x');
      if (!trace::scanJson(payload).ok)
        payload = inQuotes(maskText(std::string(payload.size(), 'x')));
    }
    record.payload = payload;
    record.digest = trace::md5(payload);
  }
  if (record.event) {
    eventText = maskValue(trace::strictJson(record.payload), "", "chromium_event", 0, false);
    record.payload = eventText;
    record.digest = trace::md5(eventText);
    eventMembers.clear();
    trace::scanJson(eventText, &eventMembers, 2);
    record.event->longArguments.clear();
    for (const JsonMember &member : eventMembers) {
      if (member.depth == 1 && member.key == "name")
        record.event->name = unquoted(member.value);
      if (member.depth == 1 && member.key == "ph")
        record.event->phase = unquoted(member.value);
    }
    record.event->compileId = {};
  }
  if (record.envelope.empty())
    return;
  digest = record.digest;
  const std::string kind(record.kind);
  if (kind == "str") {
    const std::vector<std::string_view> parts = trace::jsonElements(record.metadata);
    const std::string id(parts.size() == 2 ? parts[1] : "0");
    envelope = R"({"str": ["file)" + maskText(trace::jsonInteger(id) ? "" : id) + id + R"(", )" + id + "]}";
    if (!trace::jsonInteger(id))
      envelope = R"({"str": null})";
  } else {
    envelope = maskValue(trace::strictJson(record.envelope), "", kind, 0, false);
  }
  record.notes = {};
  record.envelope = envelope;
  record.members.clear();
  trace::scanJson(record.envelope, &record.members, 2);
  record.kind = record.metadata = {};
  for (const JsonMember &member : record.members)
    if (member.depth == 1 && (member.key == kind || (!trace::findKind(kind) && member.key == maskText(kind)))) {
      record.kind = member.key;
      record.metadata = member.value;
    }
}

} // namespace mica::report
