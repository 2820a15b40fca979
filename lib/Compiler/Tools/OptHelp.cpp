//===- OptHelp.cpp - mica-opt --help --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// See OptHelp.h.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Tools/OptHelp.h"

#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>

using namespace mica;
using namespace mica::compiler;

bool compiler::wantsOptHelp(llvm::ArrayRef<char *> arguments) {
  return llvm::any_of(arguments, [](llvm::StringRef argument) {
    return argument == "--help" || argument.starts_with("--help=") || argument == "-help" || argument == "-h";
  });
}

namespace {
/// Flags of mlir-opt in a group of the help page.
struct Group {
  llvm::StringRef title;
  llvm::ArrayRef<llvm::StringRef> names;
};
} // namespace

static constexpr llvm::StringRef kPasses[] = {"pass-pipeline",    "list-passes",         "show-dialects",
                                              "load-pass-plugin", "load-dialect-plugin", "verify-each"};
static constexpr llvm::StringRef kInput[] = {"allow-unregistered-dialect",
                                             "split-input-file",
                                             "verify-diagnostics",
                                             "verify-roundtrip",
                                             "no-implicit-module",
                                             "emit-bytecode",
                                             "o"};
static constexpr llvm::StringRef kPrinting[] = {"mlir-print-ir-after-all",
                                                "mlir-print-ir-after-change",
                                                "mlir-print-ir-after-failure",
                                                "mlir-print-ir-module-scope",
                                                "mlir-print-ir-tree-dir",
                                                "mlir-print-op-generic",
                                                "mlir-print-debuginfo",
                                                "mlir-print-local-scope",
                                                "mlir-elide-elementsattrs-if-larger",
                                                "mlir-elide-resource-strings-if-larger",
                                                "mlir-timing",
                                                "mlir-pass-statistics",
                                                "mlir-disable-threading"};
static constexpr Group kGroups[] = {
    {"Passes", kPasses}, {"Input and output", kInput}, {"Printing and timing", kPrinting}};

/// The row of `option`. `texts` owns its strings.
static Flag rowOf(const llvm::cl::Option &option, std::deque<std::string> &texts) {
  const bool hasValue = option.getValueExpectedFlag() == llvm::cl::ValueRequired;
  const std::string &name = texts.emplace_back((option.ArgStr.size() == 1 ? "-" : "--") + option.ArgStr.str());
  const std::string &value = texts.emplace_back(option.ValueStr.empty() ? "VALUE" : option.ValueStr.upper());
  const std::string &help = texts.emplace_back(option.HelpStr.split('\n').first.rtrim(" .").str());
  return {name, hasValue ? Flag::Value::Required : Flag::Value::None, value, help, nullptr};
}

bool compiler::printOptHelp(llvm::ArrayRef<char *> arguments, const llvm::cl::OptionCategory &category,
                            mlir::DialectRegistry &registry) {
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  const auto &options = llvm::cl::getRegisteredOptions();
  std::deque<std::string> texts;
  std::vector<FlagGroup> groups;
  for (const Group &group : kGroups) {
    FlagGroup rows{group.title, {}};
    if (group.names == llvm::ArrayRef(kPasses)) {
      rows.flags.push_back({"--PASS", Flag::Value::None, "", "run PASS, with options: --PASS=\"NAME=VALUE ...\"", {}});
      rows.flags.push_back({"--mica-pipeline", Flag::Value::None, "", "run all phases, to the LLVM dialect", {}});
      rows.flags.push_back({"--mica-phase-NAME",
                            Flag::Value::None,
                            "",
                            "run a phase: input, tensor, dispatch, schedule, kernel, lowered",
                            {}});
    }
    for (llvm::StringRef name : group.names)
      if (auto found = options.find(name); found != options.end())
        rows.flags.push_back(rowOf(*found->second, texts));
    if (group.names == llvm::ArrayRef(kInput))
      rows.flags.push_back({"-o", Flag::Value::Required, "FILE", "write the result to FILE instead of stdout", {}});
    groups.push_back(std::move(rows));
  }
  FlagGroup own{"Records and reproducers", {}};
  std::vector<const llvm::cl::Option *> all;
  for (const auto &[name, option] : options)
    if (llvm::is_contained(option->Categories, &category))
      all.push_back(option);
  llvm::sort(all, [](const llvm::cl::Option *a, const llvm::cl::Option *b) { return a->ArgStr < b->ArgStr; });
  for (const llvm::cl::Option *option : all)
    own.flags.push_back(rowOf(*option, texts));
  groups.push_back(std::move(own));
  CommandLine page("mica-opt", "mica-opt [FILE.mlir|-] [flags]",
                   "Runs passes on an IR file: mlir-opt with Mica's dialects and passes. --help-all lists every "
                   "pass with its\noptions, and all flags of mlir-opt and LLVM.",
                   std::move(groups), "0  success\n1  an error");
  page.completeFlagsOf("mica-opt --list-passes");
  // The rows set nothing: of the arguments only --help=FORMAT is parsed.
  std::vector<char *> wanted{arguments.front()};
  for (char *argument : arguments.drop_front())
    if (llvm::StringRef(argument).starts_with("--help="))
      wanted.push_back(argument);
  if (const auto parsed = page.parse(static_cast<int>(wanted.size()), wanted.data()); !parsed) {
    printError("mica-opt", parsed.error());
    return false;
  }
  llvm::outs() << page.helpText();
  return true;
}
