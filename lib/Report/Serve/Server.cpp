//===- Server.cpp - a report over HTTP on this machine ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// X at a time on one thread: a report has one reader, and each answer is a file. Connections that say
// nothing for a few seconds are closed.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Serve/Server.h"

#include "lib/Report/Artifact/Context.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::report {

namespace {
constexpr int kFirstPort = 8000, kLastPort = 8099;
constexpr size_t kLongestRequest = 16 << 10;
constexpr int kPatience = 5000; ///< milliseconds
constexpr int kConnections = 64;

volatile std::sig_atomic_t stopped = 0;
void stop(int) { stopped = 1; }

HttpAnswer refuse(int code, const std::string &why) { return {code, "text/plain; charset=utf-8", why + "\n"}; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

/// The value of the header `name`; nothing where it is absent or given twice.
std::string header(std::string_view request, const std::string &name) {
  std::string found;
  int count = 0;
  for (const std::string &line : splitText(request, '\n')) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || lower(line.substr(0, colon)) != name)
      continue;
    found = line.substr(colon + 1);
    found.erase(0, found.find_first_not_of(" \t"));
    found.erase(found.find_last_not_of(" \t\r") + 1);
    ++count;
  }
  return count == 1 ? found : "";
}

const char *typeOf(const fs::path &file) {
  const std::string ending = file.extension().string();
  return ending == ".html"                         ? "text/html; charset=utf-8"
         : ending == ".js"                         ? "text/javascript; charset=utf-8"
         : ending == ".json" || ending == ".jsonl" ? "application/json"
                                                   : "text/plain; charset=utf-8";
}

const char *reasonOf(int code) {
  return code == 200   ? "OK"
         : code == 400 ? "Bad Request"
         : code == 403 ? "Forbidden"
         : code == 404 ? "Not Found"
                       : "Method Not Allowed";
}

/// Until the whole of `text` is sent, the reader has gone, or its patience ends.
void sendAll(int socket, std::string_view text) {
  while (!text.empty() && !stopped) {
    pollfd waiting{socket, POLLOUT, 0};
    if (::poll(&waiting, 1, kPatience) <= 0)
      return;
    const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent <= 0)
      return;
    text.remove_prefix(static_cast<size_t>(sent));
  }
}

std::string readRequest(int socket) {
  std::string request;
  char buffer[4096];
  while (request.find("\r\n\r\n") == std::string::npos && request.size() < kLongestRequest && !stopped) {
    pollfd waiting{socket, POLLIN, 0};
    if (::poll(&waiting, 1, kPatience) <= 0)
      return "";
    const ssize_t got = ::recv(socket, buffer, sizeof buffer, 0);
    if (got <= 0)
      return "";
    request.append(buffer, static_cast<size_t>(got));
  }
  return request;
}

/// Reads the request of one connection, answers it and closes it.
void answer(int socket, const fs::path &folder, int port, const std::string &version) {
  const std::string request = readRequest(socket);
  if (!request.empty()) {
    const HttpAnswer answer = answerRequest(request, folder, port, version);
    std::string head = "HTTP/1.1 " + std::to_string(answer.code) + " " + reasonOf(answer.code) +
                       "\r\nContent-Type: " + answer.type +
                       "\r\nContent-Length: " + std::to_string(answer.body.size()) +
                       "\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                       "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
                       "Cross-Origin-Resource-Policy: same-origin\r\n";
    if (answer.code == 405)
      head += "Allow: GET, HEAD\r\n";
    sendAll(socket, head + "\r\n");
    if (!request.starts_with("HEAD"))
      sendAll(socket, answer.body);
  }
  ::shutdown(socket, SHUT_WR);
  ::close(socket);
}

Result<int> listenOn(int &port) {
  const int first = port ? port : kFirstPort, last = port ? port : kLastPort;
  for (int candidate = first; candidate <= last; ++candidate) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0)
      return systemError("open", "a socket", errno);
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(candidate));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(socket, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0 && ::listen(socket, 64) == 0) {
      port = candidate;
      return socket;
    }
    ::close(socket);
  }
  return Error{ErrorCode::Io, port ? "port " + std::to_string(port) + " is taken" : "ports 8000 to 8099 are all taken",
               "give another one with --port"};
}
} // namespace

HttpAnswer answerRequest(std::string_view request, const fs::path &folder, int port, const std::string &version) {
  const std::string_view line = request.substr(0, request.find("\r\n"));
  const size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos ||
      !line.substr(second + 1).starts_with("HTTP/1."))
    return refuse(400, "this is no HTTP request");
  if (line.substr(0, first) != "GET" && line.substr(0, first) != "HEAD")
    return refuse(405, "only GET and HEAD are answered");
  const std::string host = lower(header(request, "host")), suffix = ":" + std::to_string(port);
  if (host != "127.0.0.1" + suffix && host != "localhost" + suffix)
    return refuse(403, "this server answers as 127.0.0.1" + suffix + " and localhost" + suffix + " only");
  const std::string origin = lower(header(request, "origin"));
  if (!origin.empty() && origin != "http://" + host)
    return refuse(403, "pages of other places may not read a report");
  std::string_view path = line.substr(first + 1, second - first - 1);
  path = path.substr(0, path.find_first_of("?#"));
  if (path == "/version")
    return {200, "text/plain; charset=utf-8", version};
  // Names in a report need no escapes, no empty parts and no dots in front.
  const bool plain = path.starts_with('/') &&
                     path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/@") ==
                         std::string_view::npos;
  if (!plain || path.find("/.") != std::string_view::npos || path.find("//") != std::string_view::npos)
    return refuse(404, "there is no such file");
  const fs::path file = folder / (path == "/" ? fs::path("index.html") : fs::path(std::string(path.substr(1))));
  if (!liesInside(folder, file))
    return refuse(404, "there is no such file");
  Result<std::string> text = readFile(file);
  if (!text)
    return refuse(404, "there is no such file");
  return {200, typeOf(file), std::move(*text)};
}

Status serveReport(const ServeOptions &options) {
  int port = options.port;
  MICA_ASSIGN_OR_RETURN(const int listening, listenOn(port));
  stopped = 0;
  struct sigaction action = {}, formerInterrupt, formerTerminate;
  action.sa_handler = stop;
  ::sigaction(SIGINT, &action, &formerInterrupt);
  ::sigaction(SIGTERM, &action, &formerTerminate);
  std::mutex mutex;
  auto [folder, version] = options.follow();
  std::thread follower([&] {
    for (int i = 1; !stopped; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (i % 10)
        continue;
      auto now = options.follow();
      const std::lock_guard lock(mutex);
      std::tie(folder, version) = std::move(now);
    }
  });
  Status status = options.ready(port);
  std::atomic<int> open = 0;
  while (!stopped && status) {
    pollfd waiting{listening, POLLIN, 0};
    if (::poll(&waiting, 1, 200) <= 0)
      continue;
    const int socket = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0)
      continue;
    if (open >= kConnections) {
      ::close(socket);
      continue;
    }
    ++open;
    fs::path served;
    std::string state;
    {
      const std::lock_guard lock(mutex);
      served = folder;
      state = version;
    }
    std::thread([socket, port, served, state, &open] {
      answer(socket, served, port, state);
      --open;
    }).detach();
  }
  stopped = 1;
  follower.join();
  while (open > 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::close(listening);
  ::sigaction(SIGINT, &formerInterrupt, nullptr);
  ::sigaction(SIGTERM, &formerTerminate, nullptr);
  return status;
}

} // namespace mica::report
