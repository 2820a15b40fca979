//===- Machine.cpp - measured properties of a machine -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See Machine.h.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Machine.h"

#include "lib/Support/Json.h"
#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"

#include <charconv>
#include <fstream>

namespace fs = std::filesystem;

namespace mica {

std::string printMachine(const Machine &machine) {
  Json json = Json::object();
  json["format"] = schemaFormat(Schema::Machine);
  json["schema"] = schemaVersion(Schema::Machine);
  json["triple"] = machine.triple;
  json["cpu"] = machine.cpu;
  json["features"] = machine.features;
  json["l1_data_bytes"] = machine.l1DataBytes;
  json["l2_bytes"] = machine.l2Bytes;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Machine> readMachine(const fs::path &file) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  const std::string hint = "give the machine.json of an artifact: --machine=DIR/machine.json";
  Result<JsonDocument> json = parseJson(text, file.string());
  if (!json)
    return Error{json.error().code, json.error().message, hint};
  JsonReport report{file.string(), hint, {}};
  const JsonCursor root(json->root(), report);
  if (const JsonCursor format = root.field("format");
      format.string() != schemaFormat(Schema::Machine) && !report.failure)
    format.fail("should be \"" + schemaFormat(Schema::Machine) + "\"");
  if (const JsonCursor schema = root.field("schema");
      schema.string() != schemaVersion(Schema::Machine) && !report.failure)
    schema.fail("should be \"" + schemaVersion(Schema::Machine) + "\"");
  Machine machine;
  machine.triple = root.field("triple").string();
  machine.cpu = root.field("cpu").string();
  machine.features = root.field("features").strings();
  machine.l1DataBytes = root.field("l1_data_bytes").integer(0, int64_t(1) << 40);
  machine.l2Bytes = root.field("l2_bytes").integer(0, int64_t(1) << 40);
  if (report.failure)
    return *report.failure;
  return machine;
}

/// The first word of a file of /sys; "" if there is none.
static std::string wordOf(const fs::path &file) {
  std::ifstream stream(file);
  std::string word;
  stream >> word;
  return word;
}

/// "48K", "2M", "512".
static int64_t bytesOf(std::string_view text) {
  const int shift = text.ends_with('K') ? 10 : text.ends_with('M') ? 20 : 0;
  if (shift)
    text.remove_suffix(1);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc() || end != text.data() + text.size() || value < 0 || value > (int64_t(1) << 20)
             ? 0
             : value << shift;
}

std::pair<int64_t, int64_t> dataCacheSizes() {
  std::pair<int64_t, int64_t> sizes{0, 0};
  for (int index = 0; index < 5; ++index) {
    const fs::path folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    const std::string type = wordOf(folder / "type"), level = wordOf(folder / "level");
    if (type.empty() || type == "Instruction")
      continue;
    if (level == "1")
      sizes.first = bytesOf(wordOf(folder / "size"));
    else if (level == "2")
      sizes.second = bytesOf(wordOf(folder / "size"));
  }
  return sizes;
}

std::string cpuinfoLine(std::string_view name) {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with(name))
      if (const size_t colon = line.find(": "); colon != line.npos)
        return line.substr(colon + 2);
  return "";
}

} // namespace mica
