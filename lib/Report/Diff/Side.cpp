//===- Side.cpp - one side of a comparison ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reports of logs are read by their files for scripts, compile_directory.json and raw.jsonl; those of artifacts by the
// data of their pages.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Diff/Side.h"

#include "lib/Report/Artifact/Context.h"
#include "mica/Artifact/Edits.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <zlib.h>

#include <array>
#include <memory>

namespace fs = std::filesystem;

namespace mica::report {

namespace {
Error damaged(const fs::path &file, const std::string &what) {
  return {ErrorCode::Damaged, file.string() + ": " + what, "make the report again"};
}

Result<std::string> inflateText(const std::string &packed, const fs::path &file) {
  std::string out;
  z_stream stream = {};
  if (inflateInit(&stream) != Z_OK)
    return Error{ErrorCode::Internal, "zlib does not start", ""};
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::array<char, 1 << 16> buffer;
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef *>(buffer.data());
    stream.avail_out = buffer.size();
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
    if (out.size() > size_t(1) << 30)
      break;
  }
  inflateEnd(&stream);
  if (code != Z_STREAM_END)
    return damaged(file, "its data does not unpack");
  return out;
}

/// The JSON of data/<name>.js.
Result<Json> readData(const fs::path &folder, const std::string &name) {
  const fs::path file = folder / "data" / (name + ".js");
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  const size_t begin = text.find("\",\""), end = text.rfind("\")");
  if (!text.starts_with("micaData(\"") || begin == std::string::npos || end == std::string::npos || end < begin + 3)
    return damaged(file, "it is no data of a report");
  std::string bytes;
  uint32_t group = 0;
  int digits = 0;
  for (const char c : std::string_view(text).substr(begin + 3, end - begin - 3)) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0)
      break; // the padding
    group = group << 6 | static_cast<uint32_t>(value);
    if (++digits % 4 != 1)
      bytes += static_cast<char>(group >> (digits % 4 == 2 ? 4 : digits % 4 == 3 ? 2 : 0) & 255);
  }
  MICA_ASSIGN_OR_RETURN(const std::string inflated, inflateText(bytes, file));
  Json json = Json::parse(inflated, nullptr, false);
  if (json.is_discarded())
    return damaged(file, "its data is no JSON");
  return json;
}

/// Texts of a report by number. The last pack stays in memory.
class Packs {
public:
  Packs(fs::path folder, const Json &firsts) : folder(std::move(folder)) {
    for (const Json &first : firsts)
      if (first.is_number_integer())
        numbers.push_back(first.get<int64_t>());
  }
  Result<std::string> text(int64_t number) {
    const auto after = std::upper_bound(numbers.begin(), numbers.end(), number);
    const auto pack = after - numbers.begin() - 1;
    if (pack < 0)
      return damaged(folder, "there is no text " + std::to_string(number));
    if (pack != loaded) {
      MICA_ASSIGN_OR_RETURN(texts, readData(folder, "pack" + std::to_string(pack)));
      loaded = pack;
    }
    const auto at = static_cast<size_t>(number - numbers[static_cast<size_t>(pack)]);
    if (!texts.is_array() || at >= texts.size() || !texts[at].is_string())
      return damaged(folder, "there is no text " + std::to_string(number));
    return texts[at].get<std::string>();
  }

private:
  fs::path folder;
  std::vector<int64_t> numbers;
  ptrdiff_t loaded = -1;
  Json texts;
};

bool isTime(const std::string &key) {
  for (const std::string_view ending : {"_us", "_ms", "_ns", "_s", "time", "_time_us", "_timestamp"})
    if (key.ends_with(ending))
      return true;
  return key.find("_time_") != std::string::npos;
}

void addMetrics(Unit &unit, const Json &metrics, size_t ordinal) {
  if (!metrics.is_object())
    return;
  const std::string suffix = ordinal ? "." + std::to_string(ordinal + 1) : "";
  for (const auto &[key, value] : metrics.items()) {
    if (value.is_null() || key == "compile_id")
      continue;
    if (isTime(key) && value.is_number())
      unit.times[key + suffix] = value.get<double>() * (key.ends_with("_s")    ? 1e6
                                                        : key.ends_with("_ms") ? 1e3
                                                        : key.ends_with("_ns") ? 1e-3
                                                                               : 1);
    else if (!isTime(key))
      unit.facts[key + suffix] = value.is_string() ? value.get<std::string>() : value.dump();
  }
}

Status readLog(const fs::path &folder, const std::string &prefix, const std::string &part, Side &side) {
  MICA_ASSIGN_OR_RETURN(const std::string directory, readFile(folder / part / "compile_directory.json"));
  const Json compiles = Json::parse(directory, nullptr, false);
  if (!compiles.is_object())
    return damaged(folder / part / "compile_directory.json", "it is no JSON object");
  for (const auto &[id, compile] : compiles.items()) {
    Unit &unit = side.units[prefix + (id == "unknown" ? "no compile" : id)];
    for (const Json &product : listMember(compile, "artifacts")) {
      const std::string url = textMember(product, "url"), name = textMember(product, "name");
      const size_t slash = url.rfind('/');
      SideProduct entry{integerMember(product, "bytes"), textMember(product, "md5"), nullptr};
      if (entry.digest.empty()) { // a link out of the report
        unit.facts["link " + name] = url;
        continue;
      }
      if (!liesInside(folder, folder / url))
        return damaged(folder / url, "it is not where compile_directory.json says");
      entry.text = [file = folder / url] { return readFile(file); };
      unit.products[slash == std::string::npos ? name : url.substr(slash + 1)] = std::move(entry);
    }
  }
  // Metrics of each compile, in order.
  MICA_ASSIGN_OR_RETURN(const std::string raw, readFile(folder / part / "raw.jsonl"));
  std::map<std::string, size_t> ordinals;
  for (size_t begin = 0; begin < raw.size();) {
    const size_t end = std::min(raw.find('\n', begin), raw.size());
    const std::string_view line = std::string_view(raw).substr(begin, end - begin);
    begin = end + 1;
    if (line.find("compilation_metrics") == std::string_view::npos)
      continue;
    const Json record = Json::parse(line, nullptr, false);
    if (!record.is_object())
      continue;
    for (const auto &[kind, metrics] : record.items()) {
      if (!kind.ends_with("compilation_metrics") && !kind.ends_with("compilation_metrics_runtime"))
        continue;
      auto number = [&](const char *key) {
        const auto found = record.find(key);
        return found != record.end() && found->is_number_integer() ? std::to_string(found->get<int64_t>()) : "-";
      };
      std::string id = number("frame_id") + "/" + number("frame_compile_id");
      if (record.contains("compiled_autograd_id") && record["compiled_autograd_id"].is_number_integer())
        id = "!" + number("compiled_autograd_id") + "/" + id;
      const auto unit = side.units.find(prefix + "[" + id + "]");
      if (unit != side.units.end())
        addMetrics(unit->second, metrics, ordinals[unit->first]++);
    }
  }
  return Status::ok();
}

std::string textOf(const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// "passes_dump/0042_cse@k.mlir" without its position, which depends on the pipeline.
std::string stableName(const std::string &path) {
  const size_t slash = path.rfind('/'), begin = slash == std::string::npos ? 0 : slash + 1;
  const bool snapshot = path.starts_with("passes_dump/") && path.size() > begin + 5 && path[begin + 4] == '_';
  return snapshot ? path.substr(begin + 5) : path;
}

Status readArtifact(const fs::path &folder, const Json &top, size_t index, const std::string &prefix, Side &side) {
  MICA_ASSIGN_OR_RETURN(const Json data, readData(folder, "artifact" + std::to_string(index)));
  const auto packs = std::make_shared<Packs>(folder, listMember(top, "packs"));
  Unit &program = side.units[prefix + "program"];
  for (const char *key : {"tools", "target", "triple", "cpu"})
    program.facts[key] = textMember(data, key);
  for (const char *key : {"options", "entries"})
    for (const Json &row : listMember(data, key))
      if (row.is_array() && row.size() > 1)
        program.facts[std::string(key) + " " + textOf(row[0])] =
            textOf(row[1]) + (row.size() > 2 ? " -> " + textOf(row[2]) : "");
  program.facts["ops"] = std::to_string(listMember(data, "ops").size());
  program.facts["constants"] = data.contains("constants") ? data["constants"].dump() : "";
  static constexpr const char *kColumns[] = {"",       "root",          "",     "ops",      "buffers", "scalars",
                                             "grid",   "scratch bytes", "FLOP", "strategy", "",        "masks",
                                             "checks", "launches"};
  for (const Json &row : listMember(data, "kernels")) {
    if (!row.is_array() || row.size() < std::size(kColumns))
      return damaged(folder / "data", "a kernel of another version");
    Unit &kernel = side.units[prefix + "kernel " + textOf(row[0])];
    for (size_t i = 0; i < std::size(kColumns); ++i)
      if (*kColumns[i])
        kernel.facts[kColumns[i]] = textOf(row[i]);
  }
  std::map<std::string, int> seen;
  for (const Json &row : listMember(data, "files")) {
    if (!row.is_array() || row.size() < 8 || !row[0].is_string() || !row[6].is_string() ||
        row[6].get<std::string>().empty())
      continue;
    const std::string path = row[0].get<std::string>();
    if (path.ends_with(".map.json") || path == "passes_dump/index.json" || path.starts_with(".orig/"))
      continue;
    std::string name = stableName(path), owner = prefix + "program";
    if (const size_t at = path.find('@'); path.starts_with("passes_dump/") && at != std::string::npos)
      owner = prefix + "kernel " + path.substr(at + 1, path.find('.', at) - at - 1);
    else if (path.starts_with("kernels/"))
      owner = prefix + "kernel " + path.substr(8, path.find('/', 8) - 8);
    if (!side.units.contains(owner))
      owner = prefix + "program";
    else if (owner != prefix + "program")
      name = path.starts_with("kernels/")
                 ? path.substr(path.rfind('/') + 1)
                 : name.substr(0, name.find('@')) + ".mlir"; // functions of a kernel count as it
    const int ordinal = ++seen[owner + "\n" + name];
    if (ordinal > 1)
      name.insert(name.rfind('.') == std::string::npos ? name.size() : name.rfind('.'), "." + std::to_string(ordinal));
    SideProduct product{row[1].is_number_integer() ? row[1].get<int64_t>() : 0, row[6].get<std::string>(), nullptr};
    if (path.starts_with("passes_dump/"))
      if (const artifact::SnapshotName snapshot = artifact::parseSnapshotName(path); snapshot.position >= 0)
        product.order = snapshot.position;
    const int64_t number = row[3].is_number_integer() ? row[3].get<int64_t>() : -1;
    const std::string url = row[7].is_string() ? row[7].get<std::string>() : "";
    if (number >= 0)
      product.text = [packs, number] { return packs->text(number); };
    else if (!url.empty() && liesInside(folder, folder / url))
      product.text = [file = folder / url] { return readFile(file); };
    else
      continue;
    side.units[owner].products[name] = std::move(product);
  }
  // Times of passes, summed by kernel.
  for (const Json &row : listMember(data, "passRuns"))
    if (row.is_array() && row.size() > 2 && row[1].is_string() && row[2].is_number()) {
      const auto unit = side.units.find(prefix + "kernel " + row[1].get<std::string>());
      (unit == side.units.end() ? program : unit->second).times["passes"] += row[2].get<double>() * 1000;
    }
  return Status::ok();
}
} // namespace

bool isReport(const fs::path &folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "data" / "report.js", ignored);
}

Result<Side> readReport(const fs::path &folder, const std::string &name) {
  MICA_ASSIGN_OR_RETURN(const Json top, readData(folder, "report"));
  if (booleanMember(top, "redacted"))
    return Error{ErrorCode::Unsupported, name + " is a redacted report", "compare reports made without --redact"};
  Side side{name, {}};
  const Json &logs = listMember(top, "logs"), &artifacts = listMember(top, "artifacts");
  for (const Json &log : logs)
    MICA_RETURN_IF_ERROR(readLog(folder,
                                 logs.size() > 1 ? "rank " + std::to_string(integerMember(log, "rank")) + " " : "",
                                 textMember(log, "folder"), side));
  for (size_t i = 0; i < artifacts.size(); ++i)
    if (!booleanMember(artifacts[i], "traced")) // its log's products say the same
      MICA_RETURN_IF_ERROR(
          readArtifact(folder, top, i, artifacts.size() > 1 ? textMember(artifacts[i], "name") + " " : "", side));
  return side;
}

} // namespace mica::report
