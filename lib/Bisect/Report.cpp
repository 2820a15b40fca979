//===- Report.cpp - the folder that a bisection leaves ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Report.h. No path of the machine stands in it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Report.h"

#include "lib/Bisect/BisectOptions.h"
#include "lib/Bisect/ForeignCompiler.h"
#include "lib/Bisect/Occurrence.h"
#include "lib/Bisect/Stock.h"
#include "mica/Compare/Npy.h"
#include "mica/Compare/Print.h"
#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"
#include "mica/Support/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

static constexpr const char *kVerdictFile = "verdict.json";

/// A path without its folders.
static std::string bare(const std::string &place) { return place.substr(place.find_last_of('/') + 1); }

/// `text` without the folders of absolute paths, which are this machine's; with `all`, also of names of files with "/".
static std::string withoutFolders(llvm::StringRef text, bool all = false) {
  static constexpr llvm::StringLiteral separators = " \t\n'\"=,:;|&<>()";
  std::string result;
  while (!text.empty()) {
    const llvm::StringRef word = text.take_until([](char c) { return separators.contains(c); });
    const bool isPath = word.size() > 1 && (word.starts_with("/") || (all && word.contains('/') && word.contains('.')));
    result += isPath ? bare(word.str()) : word.str();
    text = text.drop_front(word.size());
    result += text.take_front(1);
    text = text.drop_front(std::min<size_t>(1, text.size()));
  }
  return result;
}

static std::string fenced(llvm::StringRef language, llvm::StringRef text) {
  return ("```" + language + "\n" + text.rtrim() + "\n```\n\n").str();
}

/// Lines of `text` in front of which `mark` stands where `other` has no such line.
static std::string marked(llvm::StringRef text, llvm::StringRef other, char mark) {
  llvm::StringSet<> others;
  for (llvm::StringRef line : llvm::split(other, '\n'))
    others.insert(line);
  std::string result;
  for (llvm::StringRef line : llvm::split(text.rtrim(), '\n'))
    result += (others.contains(line) ? ' ' : mark) + line.str() + "\n";
  return result;
}

static std::string titleOf(const Verdict &verdict, const ReportInput &input) {
  const std::string project = input.commands ? "" : input.compile.empty() ? "[mlir] " : "[mica] ";
  if (verdict.culprit && verdict.culprit->pass.empty())
    return project + withoutFolders(verdict.headline, /*all=*/true);
  if (verdict.kind == Verdict::Kind::Miscompile && verdict.culprit)
    return project + verdict.culprit->pass +
           (verdict.culprit->fault == Fault::Undefined ? " introduces undefined behavior"
                                                       : " changes what the program computes");
  if (verdict.kind == Verdict::Kind::Crash && verdict.culprit)
    return project + (verdict.culprit->fault == Fault::Crashes ? "the program crashes after " + verdict.culprit->pass
                                                               : withoutFolders(verdict.headline, /*all=*/true));
  return kindName(verdict.kind) +
         (verdict.headline.empty() ? "" : ": " + withoutFolders(verdict.headline, /*all=*/true));
}

/// What runs the pass alone on `file` and leaves output.mlir, or prints it.
static std::string passCommand(const Culprit &culprit, const ReportInput &input, const std::string &file) {
  if (!culprit.command.empty())
    return culprit.command;
  if (!input.commands) {
    std::string command =
        (input.compile.empty() ? "mlir-opt " : "mica-opt ") + file + " --pass-pipeline='" + culprit.pipeline + "'";
    for (const std::string &flag : input.flags)
      if (!llvm::StringRef(flag).ends_with(kTestPasses)) // mlir-opt has these
        command += " " + withoutFolders(flag);
    return command;
  }
  std::vector<std::string> arguments{file};
  arguments.insert(arguments.end(), culprit.flags.begin(), culprit.flags.end());
  arguments.insert(arguments.end(), {"-o", "output.mlir"});
  return shellText(withoutFolders(input.commands->opt), arguments);
}

/// What the program computes, or the reduced input of a pass where there is one.
static std::optional<Outcome> expectedOf(const Verdict &verdict) {
  return verdict.culprit && verdict.culprit->expected ? verdict.culprit->expected : verdict.expected;
}

static void addOutcomes(std::string &text, const Verdict &verdict) {
  const bool isReduced = verdict.culprit && verdict.culprit->expected;
  if (const std::optional<Outcome> expected = expectedOf(verdict))
    text += "Expected\n\n" + fenced("", summary(*expected));
  if (const std::optional<Outcome> &actual = isReduced ? verdict.culprit->actual : verdict.actual)
    text += "Actual\n\n" + fenced("", summary(*actual));
}

/// What the reduced input of the pass is called with.
static const Entry &reducedEntry(const Culprit &culprit, const ReportInput &input) {
  return culprit.entry ? *culprit.entry : input.entry;
}

/// What the entry is called with; nothing where it takes no arguments, or `input` holds no inputs.
static void addInputs(std::string &text, const Culprit &culprit, const ReportInput &input) {
  static constexpr size_t most = 400;
  const Entry &entry = reducedEntry(culprit, input);
  if (entry.inputs.empty())
    return;
  std::string values;
  const std::vector<HostTensor> inputs = joinParts(entry.inputs, entry.arguments);
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string value = formatTensor(inputs[i]);
    if (value.size() > most)
      value = value.substr(0, most) + "...";
    values += "input " + std::to_string(i) + " (" + inputs[i].typeString() + "):\n" + value + "\n";
  }
  text += "`@" + entry.name + "` is called with\n\n" + fenced("", values);
}

/// What runs the compiled program on the inputs of the report.
static std::string runCommand(const ReportInput &input) {
  std::string command = "mica-run artifact --entry=" + input.entry.name;
  const size_t count = joinParts(input.entry.inputs, input.entry.arguments).size();
  for (size_t i = 0; i < count; ++i)
    command += " --input=@inputs/" + std::to_string(i) + ".npy";
  return command + " --check-reference";
}

static void addCulprit(std::string &text, const Verdict &verdict, const ReportInput &input,
                       const std::optional<StockRun> &stock) {
  const Culprit &culprit = *verdict.culprit;
  const bool isOfLLVM = culprit.step && culprit.step->kind == Step::Kind::LLVMPass;
  const bool isPass = isOfLLVM || !culprit.pass.empty();
  if (!culprit.before.empty() && isPass)
    text += "## Input of the pass\n\n" + fenced(isOfLLVM ? "llvm" : "mlir", culprit.before);
  if (!input.compile.empty()) {
    text += "## How to reproduce\n\n" + fenced("", input.compile + "\n" + runCommand(input) + "\n");
    if (!culprit.command.empty() || !culprit.pipeline.empty())
      text += (isOfLLVM ? "The pass alone:\n\n" : "Alone:\n\n") + fenced("", passCommand(culprit, input, "input.mlir"));
    addInputs(text, culprit, input);
    addOutcomes(text, verdict);
  } else if (stock) {
    text += "## How to reproduce\n\n" +
            fenced("", "mlir-opt input.mlir --pass-pipeline='" + stock->pipeline + "' |\n  " + stock->runner +
                           " -shared-libs=libmlir_runner_utils.so,libmlir_c_runner_utils.so") +
            "prints\n\n" + fenced("", stock->with);
    text += stock->expected.empty()
                ? "Without `" + culprit.pass + "`, the rest of the pipeline prints\n\n" + fenced("", stock->without)
                : "Expected\n\n" + fenced("", stock->expected);
  } else {
    std::string commands = passCommand(culprit, input, "input.mlir");
    if (input.commands && culprit.fault != Fault::None)
      commands += "\n" + shellText(withoutFolders(input.commands->run), {"output.mlir"});
    text += "## How to reproduce\n\n" + fenced("", commands);
    // The program need not run to show a pass that ends the compiler.
    if (culprit.fault != Fault::None) {
      addInputs(text, culprit, input);
      addOutcomes(text, verdict);
    }
  }
  if (!culprit.why.empty())
    text += "Difference: " + culprit.why + "\n\n";
  if (!culprit.inputs.empty())
    text += "Inputs that suffice:\n\n" + fenced("", llvm::join(culprit.inputs, "\n"));
  if (!culprit.after.empty())
    text += std::string(isPass ? "## What the pass does" : "## The edit") + "\n\nBefore:\n\n" +
            fenced("diff", marked(culprit.before, culprit.after, '-')) + "After:\n\n" +
            fenced("diff", marked(culprit.after, culprit.before, '+'));
  if (culprit.step) {
    text += "## Step inside the pass\n\n" + stepText(*culprit.step) + "\n\n";
    // Of a step on a whole function there may be nothing but its end to show.
    const bool isShown = culprit.step->before != culprit.step->after;
    if (isShown && !culprit.step->before.empty())
      text += "Before it:\n\n" + fenced("diff", marked(culprit.step->before, culprit.step->after, '-'));
    if (isShown && !culprit.step->after.empty())
      text += "After it:\n\n" + fenced("diff", marked(culprit.step->after, culprit.step->before, '+'));
  }
  if (!culprit.smallest.empty())
    text += "## Smallest form\n\nThe same fault in a function that takes inputs and gives results:\n\n" +
            fenced("mlir", culprit.smallest);
  if (!culprit.source.empty())
    text += "## The program it is made of\n\nThe passes before make the input above of this program, of " +
            std::to_string(culprit.opsSource) + " ops:\n\n" + fenced("mlir", culprit.source);
  if (culprit.pass.empty())
    return;
  text += "## Where it was found\n\nPass " + std::to_string(culprit.position) + " of " +
          std::to_string(culprit.passes) + (culprit.occurrence.empty() ? "" : " (" + culprit.occurrence + ")") +
          " of\n\n" + fenced("", input.compile.empty() ? input.pipeline : input.compile);
  if (culprit.opsReduced > 0)
    text += "The input of the pass was reduced from " + std::to_string(culprit.opsGiven) + " to " +
            std::to_string(culprit.opsReduced) + (culprit.isInLines ? " lines in " : " ops in ") +
            std::to_string(culprit.attempts) + " attempts." +
            (culprit.isInLines ? "" : " No attempt with undefined behavior counts.") + "\n\n";
}

static std::string markdown(const Verdict &verdict, const ReportInput &input, const std::optional<StockRun> &stock) {
  std::string text = "# " + titleOf(verdict, input) + "\n\n";
  text += std::string("Versions: ") + (input.commands ? "" : "MLIR " LLVM_VERSION_STRING ", ") + "Mica " +
          std::string(version()) + ".\n\n";
  auto place = [](const FoundPlace &at) {
    return (at.location.empty() ? "" : bare(at.location) + ": ") + (at.op.empty() ? "" : "`" + at.op + "`: ") + at.what;
  };
  if (verdict.origin)
    text += "The undefined behavior begins at " + place(*verdict.origin) + ".\n\n";
  if (verdict.cause)
    text += "Because of " + place(*verdict.cause) + ".\n\n";
  if (verdict.visible && !verdict.visible->op.empty())
    text += "It becomes visible at " + place(*verdict.visible) + ".\n\n";
  if (verdict.culprit)
    addCulprit(text, verdict, input, stock);
  else
    addOutcomes(text, verdict);
  for (const std::string &line : verdict.evidence)
    text += "- " + withoutFolders(line, /*all=*/true) + "\n";
  if (!verdict.ruledOut.empty())
    text += std::string(verdict.evidence.empty() ? "" : "\n") + "## Ruled out\n\n";
  for (const std::string &line : verdict.ruledOut)
    text += "- " + withoutFolders(line, /*all=*/true) + "\n";
  return text;
}

/// What the reduced input of the pass gives, where its test compares that with the folder golden/ beside it: it prints
/// nothing, and all that it computes are results.
static std::optional<Outcome> goldenOf(const Verdict &verdict, const ReportInput &input,
                                       const std::optional<StockRun> &stock) {
  std::optional<Outcome> right = expectedOf(verdict);
  const Fault fault = verdict.culprit->fault;
  const bool isOwnTest = !input.commands && !stock && fault != Fault::Undefined && fault != Fault::None;
  const bool hasResults = right && right->printed.empty() && !right->results.empty();
  auto isResult = [](const std::string &name) { return llvm::StringRef(name).starts_with("result"); };
  return isOwnTest && hasResults && llvm::all_of(right->names, isResult) ? std::move(right) : std::nullopt;
}

static Status writeGolden(const fs::path &folder, const Entry &called, const Outcome &right) {
  for (const auto &[name, tensors] : {std::pair("in", joinParts(called.inputs, called.arguments)),
                                      std::pair("out", joinParts(right.results, called.results))}) {
    MICA_RETURN_IF_ERROR(makeFolder(folder / name));
    for (size_t i = 0; i < tensors.size(); ++i)
      MICA_RETURN_IF_ERROR(writeNpyInPlace(folder / name / (std::to_string(i) + ".npy"), tensors[i]));
  }
  return Status::ok();
}

/// A lit test that fails now: the right text, or result, is that of the input before the pass.
static std::string testText(const Verdict &verdict, const ReportInput &input, const std::optional<StockRun> &stock,
                            bool hasGolden) {
  const Culprit &culprit = *verdict.culprit;
  const std::string flags = input.flags.empty() ? "" : " " + withoutFolders(llvm::join(input.flags, " "));
  std::string text, expected;
  if (input.commands) {
    const std::string file = "%t.mlir";
    text = "// RUN: " + passCommand(culprit, input, "%s") + "\n";
    for (size_t at = 0; (at = text.find("output.mlir", at)) != text.npos; at += file.size())
      text.replace(at, std::string_view("output.mlir").size(), file);
    if (verdict.expected && culprit.fault != Fault::None) {
      text += "// RUN: " + shellText(withoutFolders(input.commands->run), {file}) + " | FileCheck %s\n";
      expected = verdict.expected->printed;
    }
  } else if (stock) {
    text = "// RUN: mlir-opt %s --pass-pipeline='" + stock->pipeline + "' | " + stock->runner +
           " -shared-libs=%mlir_runner_utils,%mlir_c_runner_utils | FileCheck %s\n";
    expected = stock->expected.empty() ? stock->without : stock->expected;
  } else if (culprit.fault == Fault::Undefined) {
    text = "// RUN: mica-opt %s --pass-pipeline='" + culprit.pipeline + "'" + flags +
           " | mica-compile --evaluate --check-ub - --entry=" + input.entry.name + "\n";
  } else if (const std::optional<Outcome> right = expectedOf(verdict); right && culprit.fault != Fault::None) {
    text = "// RUN: mica-opt %s --pass-pipeline='" + culprit.pipeline + "'" + flags +
           " | mica-run - --entry=" + reducedEntry(culprit, input).name;
    text += hasGolden ? " --golden-data=%S/golden\n" : " | FileCheck %s\n";
    expected = right->printed;
  } else {
    text = "// RUN: mica-opt %s --pass-pipeline='" + culprit.pipeline + "'" + flags + "\n";
  }
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(expected).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    // Where a buffer lies changes from run to run.
    const size_t address = line.find("0x");
    if (address == line.npos)
      text += ("// CHECK: " + line.trim() + "\n").str();
    else
      text += ("// CHECK: " + line.take_front(address) + "{{.*}}" +
               line.drop_front(address).drop_until([](char c) { return c == ' '; }) + "\n")
                  .str();
  }
  return text + culprit.before;
}

static llvm::json::Value jsonOf(const std::optional<FoundPlace> &place) {
  if (!place)
    return nullptr;
  return llvm::json::Object{{"op", place->op}, {"location", bare(place->location)}, {"what", place->what}};
}

static llvm::json::Value jsonOf(const std::optional<Outcome> &outcome) {
  if (!outcome)
    return nullptr;
  return llvm::json::fixUTF8(summary(*outcome, 1 << 20));
}

static llvm::json::Value jsonOf(const std::optional<Step> &step) {
  if (!step)
    return nullptr;
  return llvm::json::Object{{"kind", stepKindName(step->kind)},
                            {"number", step->number},
                            {"count", step->count},
                            {"name", llvm::json::fixUTF8(step->name)},
                            {"op", step->op},
                            {"location", bare(step->location)},
                            {"before", llvm::json::fixUTF8(step->before)},
                            {"after", llvm::json::fixUTF8(step->after)},
                            {"note", llvm::json::fixUTF8(step->note)}};
}

/// What the program is called with: the part of the inputs that suffices, where it was looked for.
static const Entry &calledEntry(const Verdict &verdict, const ReportInput &input) {
  return verdict.culprit && verdict.culprit->slice ? *verdict.culprit->slice : input.entry;
}

static llvm::json::Value jsonOf(const std::optional<Culprit> &culprit) {
  if (!culprit)
    return nullptr;
  return llvm::json::Object{{"position", culprit->position},
                            {"passes", culprit->passes},
                            {"pass", culprit->pass},
                            {"phase", culprit->phase},
                            {"kernel", culprit->kernel},
                            {"inputs", llvm::json::Array(culprit->inputs)},
                            {"occurrence", culprit->occurrence},
                            {"pipeline", culprit->pipeline},
                            {"relies_on", culprit->relies},
                            {"functions", llvm::json::Array(culprit->functions)},
                            {"function", culprit->function},
                            {"step", jsonOf(culprit->step)},
                            {"difference", llvm::json::fixUTF8(culprit->why)},
                            {"ops", culprit->opsGiven},
                            {"reduced_ops", culprit->opsReduced},
                            {"before", llvm::json::fixUTF8(culprit->before)},
                            {"after", llvm::json::fixUTF8(culprit->after)},
                            {"expected", jsonOf(culprit->expected)},
                            {"actual", jsonOf(culprit->actual)},
                            {"smallest", llvm::json::fixUTF8(culprit->smallest)},
                            {"smallest_ops", culprit->opsSmallest},
                            {"source", llvm::json::fixUTF8(culprit->source)},
                            {"source_ops", culprit->opsSource}};
}

static llvm::json::Array withoutFolders(const std::vector<std::string> &lines) {
  llvm::json::Array result;
  for (const std::string &line : lines)
    result.push_back(llvm::json::fixUTF8(withoutFolders(line, /*all=*/true)));
  return result;
}

static std::string json(const Verdict &verdict, const ReportInput &input) {
  llvm::json::Value value =
      llvm::json::Object{{"format", schemaFormat(Schema::Verdict)},
                         {"schema", schemaVersion(Schema::Verdict)},
                         {"verdict", kindName(verdict.kind)},
                         {"headline", llvm::json::fixUTF8(withoutFolders(verdict.headline, /*all=*/true))},
                         {"program", input.program},
                         {"pipeline", input.pipeline},
                         {"culprit", jsonOf(verdict.culprit)},
                         {"expected", jsonOf(verdict.expected)},
                         {"actual", jsonOf(verdict.actual)},
                         {"origin", jsonOf(verdict.origin)},
                         {"visible", jsonOf(verdict.visible)},
                         {"cause", jsonOf(verdict.cause)},
                         {"evidence", withoutFolders(verdict.evidence)},
                         {"ruled_out", llvm::json::Array(verdict.ruledOut)}};
  return llvm::formatv("{0:2}\n", value).str();
}

Status bisect::checkReportFolder(const fs::path &folder) {
  std::error_code error;
  if (!fs::exists(folder, error) || (fs::is_directory(folder, error) && fs::is_empty(folder, error)))
    return Status::ok();
  // No other tool's files have this name.
  if (fs::is_directory(folder, error) && fs::exists(folder / kVerdictFile, error))
    return Status::ok();
  return Error{ErrorCode::InvalidInput, folder.string() + " exists, and is not a report of mica-bisect",
               "give another folder with -o; a report of mica-bisect is replaced"};
}

Status bisect::writeReport(const fs::path &folder, const Verdict &verdict, const ReportInput &input,
                           const Runner *runner) {
  MICA_RETURN_IF_ERROR(checkReportFolder(folder));
  MICA_ASSIGN_OR_RETURN(StagedFolder staged, StagedFolder::create(folder));
  std::optional<StockRun> stock;
  if (runner && input.compile.empty() && verdict.culprit && verdict.culprit->fault != Fault::None)
    stock = runStock(*verdict.culprit, input.entry, *runner);
  MICA_RETURN_IF_ERROR(writeFile(staged.path() / "report.md", markdown(verdict, input, stock)));
  MICA_RETURN_IF_ERROR(writeFile(staged.path() / kVerdictFile, json(verdict, input)));
  const bool isOfLLVM = verdict.culprit && verdict.culprit->step && verdict.culprit->step->kind == Step::Kind::LLVMPass;
  if (verdict.culprit && !verdict.culprit->before.empty() && (isOfLLVM || !verdict.culprit->pass.empty())) {
    MICA_RETURN_IF_ERROR(writeFile(staged.path() / (isOfLLVM ? "input.ll" : "input.mlir"), verdict.culprit->before));
    if (verdict.culprit->command.empty() && !verdict.culprit->pass.empty()) {
      const std::optional<Outcome> golden = goldenOf(verdict, input, stock);
      MICA_RETURN_IF_ERROR(writeFile(staged.path() / "test.mlir", testText(verdict, input, stock, golden.has_value())));
      if (golden)
        MICA_RETURN_IF_ERROR(writeGolden(staged.path() / "golden", reducedEntry(*verdict.culprit, input), *golden));
    }
  }
  if (verdict.culprit && !input.compile.empty()) {
    const Entry &called = calledEntry(verdict, input);
    if (!called.inputs.empty())
      MICA_RETURN_IF_ERROR(makeFolder(staged.path() / "inputs"));
    const std::vector<HostTensor> inputs = joinParts(called.inputs, called.arguments);
    for (size_t i = 0; i < inputs.size(); ++i)
      MICA_RETURN_IF_ERROR(writeNpyInPlace(staged.path() / "inputs" / (std::to_string(i) + ".npy"), inputs[i]));
  }
  return staged.commitIf([&] { return checkReportFolder(folder); });
}
