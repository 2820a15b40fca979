//===- ReadDump.cpp - which reader a dump needs ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Files are mapped; what is compressed is unpacked into memory.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/PassDump/Readers.h"

#include "lib/PassDump/Cursor.h"
#include "lib/Support/Json.h"
#include "mica/Support/Compress.h"
#include "mica/Support/Files.h"
#include "mica/Support/MappedFile.h"

#include <zlib.h>

#include <algorithm>

namespace fs = std::filesystem;

namespace mica::passdump {

namespace {

constexpr size_t kLongest = size_t(4) << 30;
/// So much of a file is looked at to see what it is.
constexpr size_t kLooked = size_t(64) << 20;

bool isGzip(std::string_view data) { return data.substr(0, 2) == "\x1f\x8b"; }
bool isZstd(std::string_view data) { return data.substr(0, 4) == "\x28\xb5\x2f\xfd"; }

/// At most `most` bytes; the first member of the file, and those that follow it.
Result<std::string> inflateGzip(std::string_view data, const std::string &file, size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
    return Error{ErrorCode::Io, file + ": not enough memory to inflate it", ""};
  std::string out;
  int code = Z_OK;
  size_t at = 0;
  std::string piece(size_t(1) << 18, '\0');
  while (out.size() < most) {
    if (stream.avail_in == 0) {
      const size_t take = std::min(data.size() - at, size_t(1) << 30);
      stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.data() + at));
      stream.avail_in = static_cast<uInt>(take);
      at += take;
    }
    stream.next_out = reinterpret_cast<Bytef *>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
    if (code == Z_STREAM_END && (stream.avail_in > 0 || at < data.size())) {
      if (inflateReset(&stream) != Z_OK)
        break;
      continue;
    }
    if (code != Z_OK || (stream.avail_in == 0 && at == data.size() && stream.avail_out > 0))
      break;
  }
  inflateEnd(&stream);
  // A log may be cut off where the writer was killed: what there is of it is read.
  if (out.empty() || (code != Z_STREAM_END && code != Z_OK && code != Z_BUF_ERROR))
    return Error{ErrorCode::Damaged, file + " is no valid gzip file", "copy it again, or unpack it by hand: gzip -dc"};
  return out;
}

Result<std::string> unpacked(std::string_view data, const std::string &file, size_t most) {
  if (isGzip(data))
    return inflateGzip(data, file, most);
  return decompress(data, file);
}

bool isTritonparse(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \n\r\t");
  if (begin == std::string_view::npos || text[begin] != '{')
    return false;
  return text.substr(0, lineEnd(text, begin)).find("\"event_type\"") != std::string_view::npos;
}

/// A log of TORCH_TRACE begins with a letter, month and day.
bool isTraceLog(std::string_view text) {
  return text.size() > 5 && std::string_view("VIWEC").find(text[0]) != std::string_view::npos && isDigit(text[1]) &&
         isDigit(text[2]) && isDigit(text[3]) && isDigit(text[4]) && text[5] == ' ';
}

bool isDumpText(std::string_view text) {
  return !isTraceLog(text) && (isTritonparse(text) || findHeader(text, 0).has_value());
}

/// Reads a log or trace, several of which may be in one folder.
void takeLog(std::string_view text, Dump &dump) {
  isTritonparse(text) ? readTritonparse(text, dump) : splitLog(text, dump);
}

/// Without the colours of a terminal, ESC [ ... letter.
std::string withoutColours(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t escape = std::min(text.find("\x1b[", at), text.size());
    plain += text.substr(at, escape - at);
    for (at = std::min(escape + 2, text.size()); at < text.size() && (isDigit(text[at]) || text[at] == ';');)
      ++at;
    at += at < text.size() && isLetter(text[at]);
  }
  return plain;
}

Result<Dump> take(Dump dump, std::string_view text, const std::string &name) {
  if (text.find("\x1b[") != std::string_view::npos)
    text = dump.storage.emplace_back(withoutColours(text));
  if (isTritonparse(text)) {
    dump.kind = "tritonparse trace";
    takeLog(text, dump);
  } else if (findHeader(text, 0)) {
    takeLog(text, dump);
    const bool hasMlir = std::any_of(dump.states.begin(), dump.states.end(),
                                     [](const State &state) { return state.language == Language::Mlir; });
    dump.kind = hasMlir ? "MLIR pass dump" : "LLVM pass dump";
  } else if (const Language language = guessLanguage(text); language != Language::Other) {
    dump.kind = std::string(languageName(language)) + " text";
    State state;
    state.pass = fs::path(name).filename().string();
    state.when = State::When::Stage;
    state.text = text;
    state.language = language;
    state.where = name;
    dump.states.push_back(std::move(state));
  }
  if (dump.states.empty())
    return Error{ErrorCode::InvalidInput, name + " holds no dump of a compiler's passes",
                 "docs/PassDumps.md lists the flags that make one: mlir-opt --mlir-print-ir-after-all 2> FILE"};
  return std::move(dump);
}

} // namespace

bool readLog(std::string_view text, const std::string &name, Dump &dump) {
  if (!isDumpText(text))
    return false;
  const size_t first = dump.states.size();
  takeLog(text, dump);
  for (size_t i = first; i < dump.states.size(); ++i) {
    State &state = dump.states[i];
    state.unit = name + (state.unit.empty() ? "" : "/" + state.unit);
    state.where = name + ", " + state.where;
  }
  return dump.states.size() > first;
}

Result<std::string_view> loadFile(const fs::path &file, Dump &dump) {
  MICA_ASSIGN_OR_RETURN(std::unique_ptr<MappedFile> opened, MappedFile::open(file));
  const std::shared_ptr<MappedFile> mapped = std::move(opened);
  if (isGzip(mapped->contents()) || isZstd(mapped->contents())) {
    MICA_ASSIGN_OR_RETURN(std::string text, unpacked(mapped->contents(), file.string(), kLongest));
    return std::string_view(dump.storage.emplace_back(std::move(text)));
  }
  dump.files.push_back(mapped);
  return mapped->contents();
}

bool isDump(const fs::path &path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return isDumpFolder(path);
  if (!fs::is_regular_file(path, error))
    return false;
  const Result<std::unique_ptr<MappedFile>> mapped = MappedFile::open(path);
  if (!mapped)
    return false;
  const std::string_view data = (*mapped)->contents();
  if (isGzip(data)) {
    const Result<std::string> text = inflateGzip(data, path.string(), kLooked);
    return text && isDumpText(*text);
  }
  if (isZstd(data)) {
    const Result<std::string> text = decompress(data, path.string());
    return text && isDumpText(*text);
  }
  return isDumpText(data);
}

Result<Dump> readDump(const fs::path &path) {
  Dump dump;
  if (path == "-") {
    MICA_ASSIGN_OR_RETURN(std::string text, readFile(path));
    if (isGzip(text) || isZstd(text)) {
      MICA_ASSIGN_OR_RETURN(text, unpacked(text, "the standard input", kLongest));
    }
    return parseDump(std::move(text), "the standard input");
  }
  std::error_code error;
  if (fs::is_directory(path, error)) {
    MICA_RETURN_IF_ERROR(readFolder(path, dump));
    return std::move(dump);
  }
  MICA_ASSIGN_OR_RETURN(const std::string_view text, loadFile(path, dump));
  return take(std::move(dump), text, path.string());
}

Result<Dump> parseDump(std::string text, const std::string &name) {
  Dump dump;
  const std::string_view kept = dump.storage.emplace_back(std::move(text));
  return take(std::move(dump), kept, name);
}

void readTritonparse(std::string_view text, Dump &dump) {
  size_t bad = 0, launches = 0;
  int64_t line = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = lineEnd(text, at);
    const std::string_view row = text.substr(at, end - at);
    at = end + 1;
    ++line;
    if (row.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    const Json event = Json::parse(row, nullptr, false);
    if (!event.is_object()) {
      ++bad;
      continue;
    }
    auto member = [](const Json &object, const char *key) -> const Json & {
      static const Json kNone = Json::object();
      if (!object.is_object())
        return kNone;
      const auto found = object.find(key);
      return found == object.end() || !found->is_object() ? kNone : *found;
    };
    const auto type = event.find("event_type");
    launches += type != event.end() && type->is_string() && type->get<std::string>() == "launch";
    const Json &payload = member(event, "payload"), &contents = member(payload, "file_content");
    if (contents.empty())
      continue;
    const Json &metadata = member(payload, "metadata");
    std::string kernel;
    for (const char *key : {"name", "hash"})
      if (const auto name = metadata.find(key); name != metadata.end() && name->is_string() && kernel.empty())
        kernel = name->get<std::string>();
    std::vector<std::pair<size_t, std::string>> order;
    static constexpr std::string_view kStages[] = {".ttir", ".ttgir", ".llir", ".ptx", ".amdgcn", ".sass"};
    for (const auto &[name, value] : contents.items()) {
      const std::string ending = fs::path(name).extension().string();
      const auto *stage = std::find(std::begin(kStages), std::end(kStages), ending);
      if (value.is_string() && stage != std::end(kStages)) {
        order.push_back({static_cast<size_t>(stage - std::begin(kStages)), name});
        if (kernel.empty())
          kernel = fs::path(name).stem().string();
      }
    }
    std::sort(order.begin(), order.end());
    for (const auto &[stage, name] : order) {
      State state;
      state.pass = std::string(kStages[stage].substr(1));
      state.when = State::When::Stage;
      state.unit = kernel + "#" + std::to_string(line);
      state.where = "line " + std::to_string(line);
      state.text = dump.storage.emplace_back(contents[name].get<std::string>());
      state.language = stage >= 3 ? Language::Other : guessLanguage(state.text);
      dump.states.push_back(std::move(state));
    }
    const Json &source = member(payload, "python_source");
    const auto code = source.find("code"), file = source.find("file_path");
    if (code != source.end() && code->is_string() && file != source.end() && file->is_string()) {
      // Locations count lines from the beginning of the file, of which this is a part.
      int64_t first = 1;
      if (const auto start = source.find("start_line"); start != source.end() && start->is_number_integer())
        first = std::clamp<int64_t>(start->get<int64_t>(), 1, 1'000'000);
      const std::string name = file->get<std::string>();
      const bool known = std::any_of(dump.sources.begin(), dump.sources.end(),
                                     [&](const DumpSource &other) { return other.file == name; });
      if (!known)
        dump.sources.push_back({name, dump.storage.emplace_back(std::string(static_cast<size_t>(first - 1), '\n') +
                                                                code->get<std::string>())});
    }
  }
  if (bad)
    dump.notes.push_back(std::to_string(bad) + (bad == 1 ? " line is" : " lines are") + " no JSON and left out");
  if (launches)
    dump.notes.push_back(std::to_string(launches) + (launches == 1 ? " launch is" : " launches are") +
                         " in the trace; this report shows what was compiled");
}

} // namespace mica::passdump
