//===- Serve.cpp - a language server before MLIR's ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Two threads carry messages between the editor, which has the old stdin and stdout, and MLIR's server, which has pipes
// in their place.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/LanguageServer/Serve.h"

#include "lib/LanguageServer/Channel.h"
#include "lib/LanguageServer/Server.h"

#include <csignal>
#include <cstring>
#include <memory>
#include <thread>
#include <unistd.h>

using namespace mica;
using namespace mica::languageserver;

namespace {

/// What both threads use. The one that reads from the editor may outlive serve(), so it owns a share.
struct Session {
  Session(const Formatter &format, const OpPages &pages, int fromEditor, int toEditor, int toUpstream, int fromUpstream,
          bool isDelimited)
      : editorIn(fromEditor, isDelimited), upstreamIn(fromUpstream, false), editorOut(toEditor, false),
        upstreamOut(toUpstream, isDelimited), server(format, pages, [this](const Json &message) {
          editorOut.write(message.dump(-1, ' ', false, Json::error_handler_t::replace));
        }) {}

  void readEditor() {
    while (const std::optional<std::string> text = editorIn.read()) {
      const Json message = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
      if (!message.is_object() || !taken(message))
        upstreamOut.write(*text);
    }
    upstreamOut.close();
  }

  void readUpstream() {
    while (const std::optional<std::string> text = upstreamIn.read()) {
      Json message = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
      if (message.is_object() && added(message))
        editorOut.write(message.dump(-1, ' ', false, Json::error_handler_t::replace));
      else
        editorOut.write(*text);
    }
  }

private:
  // Messages of the wrong form are MLIR's to refuse.
  bool taken(const Json &message) {
    try {
      return server.fromEditor(message);
    } catch (const Json::exception &) {
      return false;
    }
  }
  bool added(Json &message) {
    try {
      return server.fromUpstream(message);
    } catch (const Json::exception &) {
      return false;
    }
  }

  MessageReader editorIn, upstreamIn;
  MessageWriter editorOut, upstreamOut;
  Server server;
};

} // namespace

Result<bool> languageserver::serve(const Formatter &format, const OpPages &pages, bool isDelimited,
                                   const std::function<bool()> &upstream) {
  std::signal(SIGPIPE, SIG_IGN); // an editor that has gone is an end of input
  const int fromEditor = dup(STDIN_FILENO), toEditor = dup(STDOUT_FILENO);
  int requests[2], answers[2];
  if (fromEditor < 0 || toEditor < 0 || pipe(requests) != 0 || pipe(answers) != 0 ||
      dup2(requests[0], STDIN_FILENO) < 0 || dup2(answers[1], STDOUT_FILENO) < 0)
    return Error{ErrorCode::Io, std::string("cannot make pipes for MLIR's server: ") + std::strerror(errno),
                 "close other programs, or raise the limit of open files (ulimit -n)"};
  close(requests[0]);
  close(answers[1]);
  const auto session =
      std::make_shared<Session>(format, pages, fromEditor, toEditor, requests[1], answers[0], isDelimited);
  std::thread([session] { session->readEditor(); }).detach();
  std::thread relay([session] { session->readUpstream(); });
  const bool failed = upstream();
  close(STDOUT_FILENO);
  relay.join();
  return failed;
}
