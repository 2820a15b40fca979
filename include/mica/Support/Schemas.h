//===- Schemas.h - the JSON files and their versions ----------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Both halves write and read JSON: by llvm::json in the compiler half, by nlohmann_json in the std half. This table is
// the single definition of each file's name, version and members. test/Artifact/schemas.test checks the files of an
// artifact against it.
//
// A version is MAJOR.MINOR if the file names its format, else a number. A new member increments the minor version; a
// member that is removed or changes its meaning increments the major one, which older readers reject.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_SCHEMAS_H
#define MICA_SUPPORT_SCHEMAS_H

#include <string>
#include <string_view>

namespace mica {

enum class Schema {
  Manifest,
  Tasks,
  Launch,
  Build,
  Machine,
  PassIndex,
  PatternSteps,
  LineMap,
  UnpackedSnapshots,
  Constants,
  Remarks,
  Fusion,
  Memory,
  PerfHints,
  InputRanges,
  EvaluatedOps,
  Diff,
  Events,
  Dump,
  Dependencies,
  Golden,
  Why,
  Doctor,
  Verdict,
  Bench,
};

struct SchemaInfo {
  Schema schema;
  std::string_view file;   ///< its name, or its suffix; in brackets the command that prints it if it is not a file
  std::string_view format; ///< value of the member `format` (of `schema` for the last two), empty where there is none
  int major, minor;
  std::string_view members; ///< of the outermost object, besides `format`, `schema` and `version`; "?": may be absent
};

inline constexpr SchemaInfo kSchemas[] = {
    {Schema::Manifest, "manifest.json", "mica-artifact", 2, 0,
     "tools input_file input_hash target options entries kernels constants ops sites files"},
    {Schema::Tasks, "tasks.json", "mica-tasks", 2, 0, "lists"},
    {Schema::Launch, "launch.json", "mica-launch", 2, 0,
     "name root_kind op_ids op_kinds bindings scalar_args grid scratch_bytes flops hash strategy"},
    {Schema::Build, "build.json", "mica-build", 1, 0,
     "command_line working_folder program program_from_here started seconds passes"},
    {Schema::Machine, "machine.json", "mica-machine", 1, 0, "triple cpu features l1_data_bytes l2_bytes"},
    {Schema::PassIndex, "index.json", "", 2, 0, "tool mode input pipeline passes records failure?"},
    {Schema::PatternSteps, ".patterns.json", "", 1, 0, "steps"},
    {Schema::LineMap, ".map.json", "", 2, 0, "file sets kernels? lines hashes?"},
    {Schema::UnpackedSnapshots, "snapshots.json", "", 1, 0, "snapshots"},
    {Schema::Constants, "constants.json", "", 1, 0, "file constants"},
    {Schema::Remarks, "remarks.json", "", 1, 0, "remarks"},
    {Schema::Fusion, "fusion.json", "", 1, 0, "groups boundaries"},
    {Schema::Memory, "memory.json", "", 1, 0, "lists"},
    {Schema::PerfHints, "perf_hints.json", "", 1, 0, "hints"},
    {Schema::InputRanges, "input_ranges.json", "", 1, 0, "ranges"},
    {Schema::EvaluatedOps, "ops.json", "", 1, 0, "ops"},
    {Schema::Diff, "(mica-diff --json)", "mica-diff", 1, 1, "same notes comparisons"},
    {Schema::Events, "events.jsonl", "mica.events", 1, 0, "clock unix_ns steady_ns pid"},
    {Schema::Dump, "dump.jsonl", "mica.dump", 1, 0, "level program program_hash target byte_order pid identity"},
    {Schema::Dependencies, "(mica-run --deps=FILE.json)", "mica-deps", 1, 0, "lists"},
    {Schema::Golden, "golden.json", "mica-golden", 1, 0, "mica program run compare inputs results"},
    {Schema::Why, "(mica-run --why=X --json)", "mica-why", 1, 0,
     "question element nodes edges pruned first_difference?"},
    {Schema::Doctor, "(mica-run --doctor --json)", "mica.doctor", 1, 0, "mica threads good switches detectors"},
    {Schema::Verdict, "verdict.json", "mica-verdict", 1, 1,
     "verdict headline program pipeline culprit expected actual origin visible cause evidence ruled_out"},
    {Schema::Bench, "(mica-bench --json=FILE)", "mica-bench", 1, 0, "mica machine cache_bytes limits measurements"},
};

constexpr const SchemaInfo &schemaInfo(Schema schema) { return kSchemas[static_cast<size_t>(schema)]; }

/// The version of files that name no format: their member `schema`.
constexpr int schemaNumber(Schema schema) { return schemaInfo(schema).major; }

/// The version of the other files: "2.0".
inline std::string schemaVersion(Schema schema) {
  return std::to_string(schemaInfo(schema).major) + "." + std::to_string(schemaInfo(schema).minor);
}

inline std::string schemaFormat(Schema schema) { return std::string(schemaInfo(schema).format); }

/// Whether the rows are in the order of the enumeration.
consteval bool schemasAreInOrder() {
  int next = 0;
  for (const SchemaInfo &info : kSchemas)
    if (static_cast<int>(info.schema) != next++)
      return false;
  return true;
}
static_assert(schemasAreInOrder());

} // namespace mica

#endif // MICA_SUPPORT_SCHEMAS_H
