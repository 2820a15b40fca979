//===- Server.cpp - what the language server adds to MLIR's ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Server.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/LanguageServer/Server.h"

#include "mica/Artifact/SnapshotFile.h"
#include "mica/Report/Report.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Paths.h"

#include <algorithm>

namespace fs = std::filesystem;
using namespace mica;
using namespace mica::languageserver;

namespace {
constexpr int kInvalidParams = -32602, kRequestFailed = -32803;
constexpr int kError = 1, kInfo = 3, kLog = 4; // MessageType

Json rangeOf(int64_t line) {
  const Json at = {{"line", line}, {"character", 0}};
  return {{"start", at}, {"end", at}};
}
} // namespace

void Server::reply(const Json &id, Json result) {
  toEditor({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::refuse(const Json &id, int code, const Error &error) {
  const std::string message = error.message + (error.hint.empty() ? "" : "\nhint: " + error.hint);
  toEditor({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::tell(const char *method, int type, const std::string &text) {
  toEditor({{"jsonrpc", "2.0"}, {"method", method}, {"params", {{"type", type}, {"message", text}}}});
}

void Server::initialize(const Json &params) {
  auto addRoot = [&](const Json &holder, const char *key) {
    if (!holder.contains(key) || !holder[key].is_string())
      return;
    if (const std::optional<fs::path> path = pathOf(holder[key].get<std::string>()))
      roots.push_back(*path);
  };
  if (params.contains("workspaceFolders") && params["workspaceFolders"].is_array())
    for (const Json &folder : params["workspaceFolders"])
      addRoot(folder, "uri");
  addRoot(params, "rootUri");
  showsDocuments = params.value(Json::json_pointer("/capabilities/window/showDocument/support"), false);
  hasLenses = params.value(Json::json_pointer("/initializationOptions/codeLens"), true);
  runFlags = params.value(Json::json_pointer("/initializationOptions/runFlags"), runFlags);
}

std::vector<Lens> Server::lensesOfUri(const std::string &uri, std::shared_ptr<const artifact::Artifact> &artifact) {
  const std::optional<fs::path> file = pathOf(uri);
  const std::string *text = documents.find(uri);
  if (!file || !text)
    return {};
  artifact = artifacts.find(*file, *text, roots);
  return artifact ? lensesOf(*artifact, *file, *text) : std::vector<Lens>();
}

std::optional<Lens> Server::opAt(const std::string &uri, int64_t line) {
  std::shared_ptr<const artifact::Artifact> artifact;
  for (Lens &lens : lensesOfUri(uri, artifact))
    if (lens.line == line)
      return lens;
  return std::nullopt;
}

std::string_view Server::pageAt(const std::string &uri, int64_t line, int64_t character) const {
  const std::string *text = documents.find(uri);
  if (!text)
    return {};
  std::string_view rest = *text;
  for (; line > 0 && !rest.empty(); --line)
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  rest = rest.substr(0, rest.find('\n'));
  // Names have no characters of more than one unit, so what is before counts alone.
  size_t at = 0;
  while (at < rest.size() && static_cast<int64_t>(unitsOf(rest.substr(0, at))) < character)
    ++at;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
  const size_t before = at == 0 ? std::string_view::npos : rest.find_last_not_of(kLetters, at - 1);
  const size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return pages(rest.substr(begin, std::min(rest.find_first_not_of(kLetters, begin), rest.size()) - begin));
}

Json Server::codeLenses(const std::string &uri) {
  Json lenses = Json::array();
  std::shared_ptr<const artifact::Artifact> artifact;
  for (const Lens &lens : lensesOfUri(uri, artifact))
    lenses.push_back({{"range", rangeOf(lens.line)},
                      {"command", {{"title", lens.title}, {"command", kShowOp}, {"arguments", {uri, lens.id}}}}});
  return lenses;
}

Json Server::formatting(const std::string &uri) {
  const std::string *text = documents.find(uri);
  if (!text)
    return nullptr;
  std::vector<std::string> unread;
  const std::string result = format(*text, unread);
  for (const std::string &part : unread)
    tell("window/logMessage", kLog, "not formatted: " + part);
  return lineEdits(*text, result);
}

Result<Json> Server::showOp(const Json &params) {
  const Json arguments = params.value("arguments", Json::array());
  if (arguments.size() != 2 || !arguments[0].is_string())
    return Error{ErrorCode::InvalidInput,
                 std::string(kShowOp) + " takes the URI of a text, and the id of an op or a line from 0", ""};
  const std::string uri = arguments[0];
  std::shared_ptr<const artifact::Artifact> artifact;
  const std::vector<Lens> lenses = lensesOfUri(uri, artifact);
  if (!artifact)
    return Error{ErrorCode::NotFound, "there is no artifact of " + uri,
                 "compile it with mica-compile beside the file or in the folder that the editor has open"};
  const auto lens = std::find_if(lenses.begin(), lenses.end(), [&](const Lens &each) {
    return arguments[1] == Json(each.id) || arguments[1] == Json(each.line);
  });
  if (lens == lenses.end())
    return Error{ErrorCode::NotFound, "no op of the artifact " + artifact->folder().string() + " begins there",
                 "compile the program again"};
  MICA_ASSIGN_OR_RETURN(std::string explained, report::explainOp(*artifact, lens->id));
  if (!showsDocuments) {
    tell("window/showMessage", kInfo, explained);
    return Json(explained);
  }
  MICA_ASSIGN_OR_RETURN(const report::OpPlaces found, report::placesOfOp(*artifact, lens->id));
  Question question{artifact, {}};
  Json actions = Json::array();
  for (const report::OpPlace &place : found.places) {
    const std::string title = place.file + ":" + std::to_string(place.lines.front());
    if (question.places.emplace(title, std::pair(place.file, place.lines.front())).second)
      actions.push_back({{"title", title}});
  }
  const std::string id = "mica-" + std::to_string(questionCount++);
  questions.emplace(id, std::move(question));
  const Json asked = {{"type", kInfo}, {"message", lens->title}, {"actions", std::move(actions)}};
  toEditor({{"jsonrpc", "2.0"}, {"id", id}, {"method", "window/showMessageRequest"}, {"params", asked}});
  return Json(std::move(explained));
}

/// The file of the artifact as one that an editor can open: a packed text is unpacked into the cache folder.
static Result<fs::path> openable(const artifact::Artifact &artifact, const std::string &file) {
  const fs::path plain = artifact.path(file);
  std::error_code error;
  if (fs::exists(plain, error))
    return plain;
  MICA_ASSIGN_OR_RETURN(const std::string text, artifact::readText(plain));
  MICA_ASSIGN_OR_RETURN(const fs::path cache, cacheFolder());
  const fs::path copy = cache / "shown" / hashHex(artifact.folder().string() + text).substr(0, 16) / plain.filename();
  fs::create_directories(copy.parent_path(), error);
  MICA_RETURN_IF_ERROR(writeFile(copy, text));
  return copy;
}

void Server::chosen(const Json &answer) {
  auto asked = questions.extract(answer["id"].get<std::string>());
  if (asked.empty() || !answer.contains("result") || !answer["result"].is_object())
    return; // nothing was chosen, or the document was shown
  const auto place = asked.mapped().places.find(answer["result"].value("title", ""));
  if (place == asked.mapped().places.end())
    return;
  const auto &[file, line] = place->second;
  const Result<fs::path> shown = openable(*asked.mapped().artifact, file);
  if (!shown)
    return tell("window/showMessage", kError, shown.error().message);
  const Json params = {{"uri", uriOf(fs::absolute(*shown))}, {"takeFocus", true}, {"selection", rangeOf(line - 1)}};
  toEditor({{"jsonrpc", "2.0"},
            {"id", "mica-" + std::to_string(questionCount++)},
            {"method", "window/showDocument"},
            {"params", params}});
}

Status Server::startRun(const Json &id, const Json &params) {
  const Json arguments = params.value("arguments", Json::array());
  const std::optional<fs::path> file =
      arguments.size() == 1 && arguments[0].is_string() ? pathOf(arguments[0].get<std::string>()) : std::nullopt;
  if (!file)
    return Error{ErrorCode::InvalidInput, std::string(kRunProgram) + " takes the URI of a file", ""};
  const std::string uri = arguments[0];
  if (const std::string *text = documents.find(uri)) {
    const Result<std::string> saved = readFile(*file);
    if (saved && *saved != *text)
      tell("window/showMessage", kInfo, file->filename().string() + " runs as it was saved last");
  }
  runs.emplace_back([this, id, uri, file = *file, flags = runFlags] {
    const Result<RunOutcome> outcome = runProgram(file, flags);
    std::lock_guard<std::mutex> lock(mutex);
    finishRun(id, uri, outcome);
  });
  return {};
}

void Server::finishRun(const Json &id, const std::string &uri, const Result<RunOutcome> &outcome) {
  if (!outcome)
    return refuse(id, kRequestFailed, outcome.error());
  const std::optional<fs::path> file = pathOf(uri);
  std::map<std::string, Json> found{{uri, Json::array()}};
  for (const Problem &problem : outcome->problems) {
    const fs::path named(problem.file);
    const fs::path whole = named.is_absolute() ? named : file->parent_path() / named.filename();
    const std::string of = problem.file.empty() || whole == *file ? uri : uriOf(whole);
    const Json at = {{"line", std::max<int64_t>(problem.line, 1) - 1},
                     {"character", std::max<int64_t>(problem.column, 1) - 1}};
    found.try_emplace(of, Json::array())
        .first->second.push_back({{"range", {{"start", at}, {"end", at}}},
                                  {"severity", problem.isWarning ? 2 : 1},
                                  {"source", "mica-run"},
                                  {"message", problem.message}});
  }
  for (auto &[of, diagnostics] : found) {
    runDiagnostics[of] = std::move(diagnostics);
    const Json params = {{"uri", of}, {"diagnostics", diagnosticsOf(of)}};
    toEditor({{"jsonrpc", "2.0"}, {"method", "textDocument/publishDiagnostics"}, {"params", params}});
  }
  reply(id, {{"exitCode", outcome->exitCode}, {"problems", outcome->problems.size()}});
}

Json Server::diagnosticsOf(const std::string &uri) const {
  Json all = Json::array();
  for (const auto *known : {&upstreamDiagnostics, &runDiagnostics})
    if (const auto found = known->find(uri); found != known->end())
      all.insert(all.end(), found->second.begin(), found->second.end());
  return all;
}

bool Server::fromEditor(const Json &message) {
  std::lock_guard<std::mutex> lock(mutex);
  const std::string method = message.value("method", "");
  const Json params = message.contains("params") && message["params"].is_object() ? message["params"] : Json::object();
  if (method.empty()) { // an answer
    const bool isOurs =
        message.contains("id") && message["id"].is_string() && message["id"].get<std::string>().starts_with("mica-");
    if (isOurs)
      chosen(message);
    return isOurs;
  }
  documents.notify(method, params);
  // Lines are others after an edit.
  if (method == "textDocument/didChange")
    runDiagnostics.erase(params.value(Json::json_pointer("/textDocument/uri"), ""));
  if (!message.contains("id"))
    return false;
  const Json &id = message["id"];
  const std::string uri = params.value(Json::json_pointer("/textDocument/uri"), "");
  try {
    if (method == "textDocument/codeLens") {
      reply(id, codeLenses(uri));
    } else if (method == "textDocument/formatting") {
      reply(id, formatting(uri));
    } else if (method == "workspace/executeCommand" && params.value("command", "") == kShowOp) {
      Result<Json> shown = showOp(params);
      if (shown)
        reply(id, std::move(*shown));
      else
        refuse(id, shown.error().code == ErrorCode::InvalidInput ? kInvalidParams : kRequestFailed, shown.error());
    } else if (method == "workspace/executeCommand" && params.value("command", "") == kRunProgram) {
      if (const Status started = startRun(id, params); !started)
        refuse(id, kInvalidParams, started.error());
    } else {
      if (method == "initialize")
        initialize(params);
      Pending request{method, uri, 0};
      if (method == "textDocument/hover") {
        request.line = params.value(Json::json_pointer("/position/line"), int64_t(0));
        request.character = params.value(Json::json_pointer("/position/character"), int64_t(0));
      } else if (method == "textDocument/codeAction")
        request.line = params.value(Json::json_pointer("/range/start/line"), int64_t(0));
      else if (method != "initialize")
        return false;
      pending[id.dump()] = request;
      return false;
    }
  } catch (const Json::exception &problem) {
    refuse(id, kInvalidParams, {ErrorCode::InvalidInput, "'" + method + "': " + problem.what(), ""});
  }
  return true;
}

bool Server::fromUpstream(Json &message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (message.value("method", "") == "textDocument/publishDiagnostics" && message["params"].is_object()) {
    Json &params = message["params"];
    const std::string uri = params.value("uri", "");
    upstreamDiagnostics[uri] = params.value("diagnostics", Json::array());
    params["diagnostics"] = diagnosticsOf(uri);
    return true;
  }
  if (message.contains("method") || !message.contains("id") || !message.contains("result"))
    return false;
  auto request = pending.extract(message["id"].dump());
  if (request.empty())
    return false;
  const Pending &asked = request.mapped();
  Json &result = message["result"];
  if (asked.method == "initialize" && result.is_object() && result["capabilities"].is_object()) {
    Json &capabilities = result["capabilities"];
    capabilities["documentFormattingProvider"] = true;
    capabilities["executeCommandProvider"] = {{"commands", {kShowOp, kRunProgram}}};
    if (hasLenses)
      capabilities["codeLensProvider"] = {{"resolveProvider", false}};
    return true;
  }
  const std::optional<Lens> lens = opAt(asked.uri, asked.line);
  if (asked.method == "textDocument/hover") {
    const std::string_view page = pageAt(asked.uri, asked.line, asked.character);
    if (result.is_null() && !page.empty())
      result = {{"contents", {{"kind", "markdown"}, {"value", ""}}}};
    if (!result.is_object() || !result.contains("contents") || !result["contents"].is_object())
      return false;
    std::string text = result["contents"].value("value", "");
    auto add = [&](const std::string &part) { text += (text.empty() ? "" : "\n---\n") + part + "\n"; };
    if (!page.empty())
      add(std::string(page));
    if (lens)
      add(lens->title + ", id `" + lens->id + "`");
    result["contents"]["value"] = std::move(text);
    return true;
  }
  if (asked.method == "textDocument/codeAction" && result.is_null())
    result = Json::array();
  if (asked.method == "textDocument/codeAction" && result.is_array()) {
    const std::string title = "Run this program, and show what it reports";
    const Json command = {{"title", title}, {"command", kRunProgram}, {"arguments", {asked.uri}}};
    result.push_back({{"title", title}, {"kind", "source"}, {"command", command}});
  }
  if (!lens)
    return asked.method == "textDocument/codeAction";
  if (asked.method == "textDocument/codeAction" && result.is_array()) {
    const std::string title = "What became of the op: " + lens->title;
    const Json command = {{"title", title}, {"command", kShowOp}, {"arguments", {asked.uri, lens->id}}};
    result.push_back({{"title", title}, {"kind", ""}, {"command", command}});
    return true;
  }
  return false;
}
