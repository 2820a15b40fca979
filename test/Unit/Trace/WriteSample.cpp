//===- WriteSample.cpp - a log of the writer -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// For test/Trace: writes what a compile of two units would, with a child process that appends. The rank is the
// environment's.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/Writer.h"

#include <cstdio>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

using namespace mica;
using namespace mica::trace;

namespace {

constexpr WritePlace kPlace{"test/Unit/Trace/WriteSample.cpp", 20};

void writeCompile(Writer &writer, const CompileId &id, const std::string &function) {
  writer.event("compile", 'B', microsecondsNow(), id, kPlace);
  writer.start({{"model.py", 3, "main", "run(x)"}, {"snapshots/" + function + ".py", 7, function, ""}}, id, kPlace);
  writer.record("graph_dump", R"({"name": "tensor", "type": "mlir"})", id, kPlace,
                "func.func @" + function + "() {\n}\n", {{"phase", "\"tensor\""}});
  writer.artifact("fusion", "{\"groups\": []}", id, kPlace, true);
  writer.artifact("empty", "", id, kPlace);
  writer.event("compile", 'E', microsecondsNow(), id, kPlace, {{"kernels", "2"}});
  writer.metrics(
      {{"co_name", quoteJson(function)}, {"graph_op_count", "3"}, {"fail_type", "null"}, {"restart_reasons", "[]"}}, id,
      kPlace);
}

} // namespace

/// usage: write-sample DIR | write-sample --child SETTING
int main(int argc, char **argv) {
  if (argc == 3 && std::string(argv[1]) == "--child") {
    Result<std::unique_ptr<Writer>> writer = Writer::ofParent(argv[2]);
    if (!writer)
      return 1;
    writeCompile(**writer, {-1, 1, 0, 0}, "child");
    return (*writer)->status() ? 0 : 1;
  }
  if (argc != 2)
    return 2;
  const auto writer = Writer::inFolder(argv[1]);
  writeCompile(*writer, {-1, 0, 0, 0}, "caf\xc3\xa9\r\n<script>");
  const std::string setting = writer->childSetting();
  if (::fork() == 0)
    ::execl(argv[0], argv[0], "--child", setting.c_str(), nullptr);
  int status = 1;
  ::wait(&status);
  writeCompile(*writer, {-1, 0, 1, 0}, "again");
  if (!writer->status())
    std::fprintf(stderr, "%s\n", writer->status().error().message.c_str());
  return writer->status() && status == 0 ? 0 : 1;
}
