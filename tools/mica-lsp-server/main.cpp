//===- main.cpp - mica-lsp-server -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// MLIR's language server with Mica's dialects: diagnostics, definitions and hovering in an editor.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/RegisterDialects.h"
#include "mica/Support/BugReport.h"
#include "mica/Support/Version.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <optional>

static constexpr unsigned kStackBytes = 1u << 30;

int main(int argc, char **argv) {
  llvm::setBugReportMsg(mica::kBugReport);
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) { os << "Mica version " << mica::version() << "\n"; });
  mlir::DialectRegistry registry;
  mica::registerAllDialects(registry);
  // Documents are parsed as they are typed, without mica::checkNesting: MLIR's parser gets a stack that levels of
  // regions fit on by the hundred thousand. Pages of it that nothing uses cost nothing.
  bool failed = true;
  llvm::thread server(std::optional<unsigned>(kStackBytes),
                      [&] { failed = mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)); });
  server.join();
  return failed;
}
