//===- main.cpp - mica-lsp-server -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// MLIR's language server with Mica's dialects: diagnostics, definitions and hovering in an editor. Before it stands
// lib/LanguageServer, which adds formatting and what became of each op.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/RegisterDialects.h"
#include "mica/IRTools/FormatText.h"
#include "mica/IRTools/OpPages.h"
#include "mica/LanguageServer/Serve.h"
#include "mica/Support/BugReport.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Version.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

static constexpr unsigned kStackBytes = 1u << 30;

/// What --help prints. Upstream parses flags together with LLVM's: --help-all shows those too.
static mica::CommandLine commandLine() {
  using Value = mica::Flag::Value;
  return mica::CommandLine(
      "mica-lsp-server", "mica-lsp-server [flags]",
      "A language server for .mlir files with Mica's dialects. Editors start it: it reads requests of the\n"
      "Language Server Protocol from stdin and answers on stdout. --help-all also lists all flags of LLVM.",
      {{"Flags",
        {{"--log", Value::Required, "LEVEL", "what is logged to stderr: error, info (default) or verbose", {}},
         {"--pretty", Value::None, "", "print answers with line breaks", {}},
         {"--lit-test", Value::None, "", "read requests that lines of '// -----' separate, for tests", {}}}}},
      "0  the editor ended the session\n1  an error, or input that ends without 'exit'");
}

int main(int argc, char **argv) {
  llvm::setBugReportMsg(mica::kBugReport);
  std::vector<char *> arguments(argv, argv + argc);
  bool isDelimited = false, isHelp = false;
  for (char *&argument : arguments) {
    const llvm::StringRef text(argument);
    isHelp |= text.ltrim('-').starts_with("help") || text.ltrim('-') == "version";
    isDelimited |= text.ltrim('-') == "lit-test" || text.ltrim('-') == "input-style=delimited";
    if (text == "--help" || text.starts_with("--help=") || text == "-help" || text == "-h") {
      mica::CommandLine line = commandLine();
      static char help[] = "--help";
      char *wanted[] = {argv[0], text.starts_with("--help=") ? argument : help};
      if (const auto parsed = line.parse(2, wanted); !parsed) {
        mica::printError("mica-lsp-server", parsed.error());
        return 1;
      }
      llvm::outs() << line.helpText();
      return 0;
    }
    if (text == "--help-all") {
      static char upstream[] = "--help"; // LLVM requires a mutable string
      argument = upstream;
    }
  }
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) { os << "Mica version " << mica::version() << "\n"; });
  mlir::DialectRegistry registry;
  mica::registerAllDialects(registry);
  const auto format = [&](const std::string &text, std::vector<std::string> &unread) {
    std::vector<mica::irtools::UnreadPart> parts;
    std::string formatted = mica::irtools::formatText(text, registry, parts);
    for (const mica::irtools::UnreadPart &part : parts)
      unread.push_back("the part that begins at line " + std::to_string(part.line) + ": " + part.error);
    return formatted;
  };
  // Documents are parsed while they are edited, without mica::checkNesting: MLIR's parser gets a stack for hundreds of
  // thousands of levels, whose unused pages cost nothing.
  const auto upstream = [&] {
    bool failed = true;
    llvm::thread server(std::optional<unsigned>(kStackBytes), [&] {
      failed = mlir::failed(mlir::MlirLspServerMain(argc, arguments.data(), registry));
      llvm::outs().flush();
    });
    server.join();
    return failed;
  };
  if (isHelp) // prints, and ends the process
    return upstream();
  const mica::Result<bool> failed = mica::languageserver::serve(format, mica::irtools::pageOfOp, isDelimited, upstream);
  if (!failed)
    mica::printError("mica-lsp-server", failed.error());
  // The thread that reads from the editor may still wait for it.
  std::_Exit(failed ? *failed : 1);
}
