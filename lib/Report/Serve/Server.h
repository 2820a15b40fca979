//===- Server.h - a report over HTTP on this machine --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: a small server for a browser on the same machine. It listens on 127.0.0.1 alone, answers GET and HEAD,
// refuses other hosts' names (a page elsewhere that had its name point here must not read the report), gives regular
// files below the report's folder only, and writes nothing.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_SERVE_SERVER_H
#define MICA_LIB_REPORT_SERVE_SERVER_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace mica::report {

struct HttpAnswer {
  int code = 200;
  std::string type, body;
};

/// The answer to the request line and headers `request`, whose port is `port`. `version`: what /version says.
HttpAnswer answerRequest(std::string_view request, const std::filesystem::path &folder, int port,
                         const std::string &version);

struct ServeOptions {
  int port = 0;                     ///< 0: the first free one from 8000 to 8099
  std::function<Status(int)> ready; ///< called once with the port
  /// Called about once a second; makes the report anew where its sources changed, and gives the folder to serve and a
  /// text that changes with it.
  std::function<std::pair<std::filesystem::path, std::string>()> follow;
};

/// Serves until SIGINT or SIGTERM. Errors: Io where no port can be had.
Status serveReport(const ServeOptions &options);

} // namespace mica::report

#endif // MICA_LIB_REPORT_SERVE_SERVER_H
