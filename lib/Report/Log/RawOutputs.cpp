//===- RawOutputs.cpp - the files other tools read -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See RawOutputs.h.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/RawOutputs.h"

#include "lib/Support/Json.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <unordered_map>

#include <fcntl.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::report {

Result<std::unique_ptr<OutputFile>> OutputFile::create(const fs::path &file) {
  std::unique_ptr<OutputFile> output(new OutputFile());
  output->path = file;
  output->descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (output->descriptor < 0)
    return systemError("write", file, errno);
  output->buffer.reserve(kBuffer + (kBuffer >> 2));
  return output;
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

void OutputFile::flush() {
  std::string_view rest = buffer;
  while (!rest.empty() && status) {
    const ssize_t n = ::write(descriptor, rest.data(), rest.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      status = systemError("write", path, errno);
    else
      rest.remove_prefix(static_cast<size_t>(n));
  }
  buffer.clear();
}

Status OutputFile::finish() {
  flush();
  if (status && ::close(descriptor) != 0)
    status = systemError("write", path, errno);
  else if (!status)
    ::close(descriptor);
  descriptor = -1;
  return status;
}

namespace {

/// JSON on one line: line ends stand between its parts only.
void appendJoined(std::string &out, std::string_view text) {
  while (!text.empty()) {
    const char *newline = static_cast<const char *>(std::memchr(text.data(), '\n', text.size()));
    const size_t length = newline ? static_cast<size_t>(newline - text.data()) : text.size();
    out.append(text.data(), length);
    text.remove_prefix(length + (newline ? 1 : 0));
  }
}

} // namespace

Result<std::unique_ptr<EventsFile>> EventsFile::create(const fs::path &file) {
  auto events = std::make_unique<EventsFile>();
  MICA_ASSIGN_OR_RETURN(events->file, OutputFile::create(file));
  events->file->write("[");
  return events;
}

void EventsFile::add(const trace::Record &record, std::optional<int64_t> process) {
  std::string &out = file->pending();
  out += count ? ",\n" : "\n";
  std::string strict;
  std::string_view text = record.payload;
  const trace::Event &event = *record.event;
  // What is not JSON by the book is rewritten, and then keeps its long arguments.
  bool isStrict = true;
  for (const trace::Defect &defect : record.defects)
    isStrict &= defect.kind != trace::DefectKind::NonFinite && defect.kind != trace::DefectKind::Utf8;
  if (!isStrict) {
    strict = trace::strictJson(text);
    text = strict;
  } else {
    for (const trace::JsonMember &argument : event.longArguments) {
      Hasher hasher;
      hasher.update(argument.value);
      const auto [found, isNew] = arguments.emplace(hasher.finish(), count);
      if (isNew)
        continue;
      const char *from = text.data();
      appendJoined(out, {from, static_cast<size_t>(argument.value.data() - from)});
      out += "\"as in event " + std::to_string(found->second) + " of this file\"";
      text.remove_prefix(static_cast<size_t>(argument.value.data() - from) + argument.value.size());
    }
  }
  if (process) {
    std::string joined;
    appendJoined(joined, text);
    // The pid is behind the arguments in every event that PyTorch writes; where it is not, it stays.
    const size_t at = joined.rfind("\"pid\": ");
    const size_t first = at == std::string::npos ? at : at + 7;
    const size_t end = first == std::string::npos ? first : joined.find_first_not_of("0123456789", first);
    if (end != std::string::npos && end > first)
      joined.replace(first, end - first, std::to_string(*process));
    out += joined;
  } else {
    appendJoined(out, text);
  }
  ++count;
  file->write("");
}

Status EventsFile::finish() {
  file->write("\n]\n");
  return file->finish();
}

Result<std::unique_ptr<RawFile>> RawFile::create(const fs::path &file) {
  auto raw = std::make_unique<RawFile>();
  raw->path = file;
  MICA_ASSIGN_OR_RETURN(raw->body, OutputFile::create(file.string() + ".body"));
  return raw;
}

void RawFile::add(const trace::Record &record, const std::string &timestamp, const std::string &payloadFile) {
  const std::string strict = record.notes.any() ? trace::strictJson(record.envelope) : std::string();
  std::string_view text = strict.empty() ? record.envelope : std::string_view(strict);
  text = text.substr(0, text.rfind('}'));
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  std::string &out = body->pending();
  out += text;
  out += text.size() > 1 ? ", " : "";
  out += "\"timestamp\": \"" + timestamp + "\", \"thread\": " + std::to_string(record.pid) +
         ", \"pathname\": " + trace::quoteJson(record.path) + ", \"lineno\": " + std::to_string(record.pathLine);
  if (!payloadFile.empty())
    out += ", \"payload_filename\": " + trace::quoteJson(payloadFile);
  out += "}\n";
  body->write("");
}

Status RawFile::finish(const std::vector<std::string> &strings) {
  MICA_RETURN_IF_ERROR(body->finish());
  const fs::path bodyPath = path.string() + ".body";
  MICA_ASSIGN_OR_RETURN(const std::unique_ptr<OutputFile> file, OutputFile::create(path));
  std::string table = "{\"string_table\": [";
  for (size_t i = 0; i < strings.size(); ++i)
    table += (i ? ", " : "") + trace::quoteJson(strings[i]);
  file->write(table + "]}\n");
  MICA_RETURN_IF_ERROR(readPieces(bodyPath, [&](std::string_view piece) { file->write(piece); }));
  MICA_RETURN_IF_ERROR(file->finish());
  std::error_code ignored;
  fs::remove(bodyPath, ignored);
  return Status::ok();
}

std::string compileDirectory(const LogModel &model) {
  Json directory = Json::object();
  // An object with its order kept is a list of members, and looking for a name goes through all of them.
  auto &members = directory.get_ref<Json::object_t &>();
  std::unordered_map<std::string, size_t> places;
  for (const Compile &compile : model.compiles)
    for (int64_t attempt = 0; attempt <= compile.attempts; ++attempt) {
      Json artifacts = Json::array();
      for (const Product &product : compile.products)
        if (product.attempt == attempt)
          artifacts.push_back({{"url", product.url},
                               {"name", product.name},
                               {"number", product.number},
                               {"suffix", product.mark == "hit"      ? "\u2705"
                                          : product.mark == "miss"   ? "\u274c"
                                          : product.mark == "bypass" ? "\u2753"
                                                                     : ""},
                               {"readable_url", nullptr},
                               {"bytes", product.bytes},
                               {"md5", trace::hexDigits(product.digest)}});
      for (const Link &link : compile.links)
        if (link.attempt == attempt)
          artifacts.push_back({{"url", trace::validUtf8(link.url)},
                               {"name", trace::validUtf8(link.name)},
                               {"number", link.number},
                               {"suffix", ""},
                               {"readable_url", nullptr}});
      trace::CompileId id = compile.id;
      id.attempt = attempt;
      if (!artifacts.empty() || !compile.id.isNone()) {
        const std::string name = id.isNone() ? "unknown" : "[" + id.text() + "]";
        const auto [place, isNew] = places.try_emplace(name, members.size());
        Json entry{{"artifacts", std::move(artifacts)}};
        if (isNew)
          members.emplace_back(name, std::move(entry));
        else
          std::next(members.begin(), static_cast<std::ptrdiff_t>(place->second))->second = std::move(entry);
      }
    }
  return printJson(directory);
}

} // namespace mica::report
