//===- Server.h - what the language server adds to MLIR's ---------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Looks at each message in both directions. It answers requests for lenses and formatting and runs the command
// `mica.showOp`; it adds to MLIR's answers its capabilities, what became of the op under the cursor, and the command as
// an action.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_LANGUAGESERVER_SERVER_H
#define MICA_LIB_LANGUAGESERVER_SERVER_H

#include "lib/LanguageServer/Documents.h"
#include "lib/LanguageServer/Lenses.h"
#include "lib/LanguageServer/Runs.h"
#include "mica/LanguageServer/Serve.h"

#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace mica::languageserver {

/// "mica.showOp": the URI of a text, and the id of an op or a line from 0.
inline constexpr std::string_view kShowOp = "mica.showOp", kRunProgram = "mica.runProgram";

class Server {
public:
  using Send = std::function<void(const Json &)>;
  Server(Formatter format, OpPages pages, Send toEditor)
      : format(std::move(format)), pages(std::move(pages)), toEditor(std::move(toEditor)) {}

  /// A message of the editor. False: it is for MLIR's server. Called by one thread.
  bool fromEditor(const Json &message);
  /// Adds to an answer of MLIR's server. False: it is as it was. Called by another thread.
  bool fromUpstream(Json &message);

private:
  /// A request whose answer is added to.
  struct Pending {
    std::string method, uri;
    int64_t line = 0, character = 0;
  };

  void initialize(const Json &params);
  Json codeLenses(const std::string &uri);
  Json formatting(const std::string &uri);
  /// Explains the op, and lets the user choose the place where it is shown.
  Result<Json> showOp(const Json &params);
  /// Runs the program of a document in a thread of its own; what it reports becomes diagnostics.
  Status startRun(const Json &id, const Json &params);
  void finishRun(const Json &id, const std::string &uri, const Result<RunOutcome> &outcome);
  /// Those of MLIR's server and of the last run.
  Json diagnosticsOf(const std::string &uri) const;
  void chosen(const Json &answer);
  std::vector<Lens> lensesOfUri(const std::string &uri, std::shared_ptr<const artifact::Artifact> &artifact);
  /// The op that begins on the line.
  std::optional<Lens> opAt(const std::string &uri, int64_t line);
  void reply(const Json &id, Json result);
  void refuse(const Json &id, int code, const Error &error);
  void tell(const char *method, int type, const std::string &text);

  /// What is known of the operation whose name is at `character` of the line, "" if none is there.
  std::string_view pageAt(const std::string &uri, int64_t line, int64_t character) const;

  Formatter format;
  OpPages pages;
  Send toEditor;
  std::mutex mutex;                                                ///< of all that follows
  std::map<std::string, Pending> pending;                          ///< by the text of the request's id
  std::map<std::string, Json> upstreamDiagnostics, runDiagnostics; ///< by URI
  std::vector<std::string> runFlags{"--check-reference"};
  Documents documents;
  Artifacts artifacts;
  std::vector<std::filesystem::path> roots;
  bool showsDocuments = false, hasLenses = true;
  /// The places offered by the question of this number.
  struct Question {
    std::shared_ptr<const artifact::Artifact> artifact;
    std::map<std::string, std::pair<std::string, int64_t>> places; ///< by title: file and line
  };
  std::map<std::string, Question> questions; ///< by the id of the request to the editor
  int64_t questionCount = 0;
  std::vector<std::jthread> runs; ///< last: they use the others
};

} // namespace mica::languageserver

#endif // MICA_LIB_LANGUAGESERVER_SERVER_H
