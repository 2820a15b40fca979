//===- Reproducer.cpp - reproducers of pass failures --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Reproducer.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Record/Reproducer.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "lib/Compiler/Crash/CrashMessages.h"
#include "lib/Compiler/Record/RecordPaths.h"
#include "mica/Compiler/Index/RecordIndex.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Compiler/Program/Describe.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// The op at `path` of `program` as a program; null if it is not self-contained: a function may call others, or need a
/// parent of another kind.
static OwningOpRef<ModuleOp> cutOut(ModuleOp program, llvm::StringRef path) {
  Operation *op = path.empty() ? nullptr : opAt(program, path);
  if (!op)
    return nullptr;
  OwningOpRef<ModuleOp> result;
  if (auto module = dyn_cast<ModuleOp>(op)) {
    result = module.clone();
  } else {
    result = ModuleOp::create(program.getLoc());
    result->getBody()->push_back(op->clone());
  }
  ScopedDiagnosticHandler silence(program.getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verify(*result)) ? std::move(result) : nullptr;
}

Reproducer compiler::makeReproducer(RecordedState state, ReproducerSource source) {
  Reproducer result;
  result.title = std::move(source.title);
  result.op = std::move(source.op);
  result.program = cutOut(*state.module, source.path);
  result.arguments = std::move(result.program ? source.pathArguments : source.arguments);
  if (!result.program)
    result.program = std::move(state.module);
  return result;
}

/// " --entry=f --input=4x8xf32=random:0 ...": arguments for mica-run with generated inputs; "" if it cannot run the
/// program.
static std::string runArguments(ModuleOp program) {
  // Kernels alone, and programs in the LLVM dialect, cannot be run.
  bool isKernel = program->hasAttr(sched::kKernelAttr);
  for (Operation &op : *program.getBody())
    isKernel |= op.getName().getDialectNamespace() == "llvm";
  std::vector<artifact::EntryRecord> entries = describeEntries(program);
  if (isKernel || entries.empty())
    return "";
  const artifact::EntryRecord &entry = entries.front();
  std::string text = " --entry=" + shellWord(entry.name);
  // The reference lowering renames entries; their functions take descriptors.
  auto function = program.lookupSymbol<FunctionOpInterface>(entry.name);
  if (!function || function.getNumArguments() != entry.args.size())
    return "";
  for (auto [type, spec] : llvm::zip_equal(function.getArgumentTypes(), entry.args)) {
    if (!specOf(type))
      return "";
    text += " --input=";
    for (int64_t size : spec.shape)
      text += std::to_string(size < 0 ? 1 : size) + "x"; // equal for sizes that must agree
    text += std::string(dtypeName(spec.dtype)) + (isFloat(spec.dtype) ? "=random:0" : "=0");
  }
  return text;
}

static std::string scriptOf(const Reproducer &reproducer, bool hasConstants) {
  std::string text =
      "#!/bin/sh\n# " + reproducer.title + (reproducer.op.empty() ? "" : " on " + reproducer.op) + "\n#\n";
  text += reproducer.isStripped
              ? "# Stripped: names, positions in sources and values of tensors are gone; the structure of the program, "
                "its\n"
                "# shapes and single numbers are as they were.\n"
              : std::string("# Sensitive: input.mlir") + (hasConstants ? " and constants.bin hold" : " holds") +
                    " the program as it is, with its names, the paths of its sources and its\n"
                    "# weights. mica-opt --reproducer=NEW --strip makes a folder without them.\n";
  text += "d=$(dirname \"$0\")\n";
  std::string opt = "\"${MICA_OPT:-mica-opt}\" \"$d/input.mlir\"" + reproducer.arguments;
  std::string run = runArguments(*reproducer.program);
  if (run.empty())
    return text + "exec " + opt + " \"$@\"\n";
  return text + opt + " -o \"$d/output.mlir\" \"$@\" || exit\n" +
         "# The program before and after, by the reference lowering and on the same made-up inputs.\n"
         "for program in input output; do\n"
         "  \"${MICA_COMPILE:-mica-compile}\" --plain \"$d/$program.mlir\" -o \"$d/run/$program\" --force || {\n"
         "    echo \"the program is not run: see the error above\" >&2\n"
         "    exit 0\n"
         "  }\n"
         "done\n"
         "\"${MICA_RUN:-mica-run}\" \"$d/run/input\"" +
         run + " > \"$d/run/input.txt\" || exit\n" + "exec \"${MICA_RUN:-mica-run}\" \"$d/run/output\"" + run +
         " --golden-data=\"$d/run/input/runs/latest/data\"\n";
}

std::string compiler::writeReproducer(const Reproducer &reproducer, llvm::StringRef directory,
                                      std::vector<std::string> &files) {
  std::string error;
  auto write = [&](const char *name, llvm::StringRef text) {
    if (error.empty())
      error = writeRecordFile(directory, name, text);
    files.push_back(name);
  };
  std::vector<PlacedConstant> constants;
  for (DenseResourceElementsAttr attr : collectResources(*reproducer.program))
    if (AsmResourceBlob *blob = attr.getRawHandle().getBlob())
      constants.push_back({attr.getRawHandle().getKey().str(), attr, blob->getData(), 0});
  OpPrintingFlags flags;
  flags.printGenericOpForm().elideLargeResourceString(0);
  // Without locations, errors must point into the file.
  if (!reproducer.isStripped)
    flags.enableDebugInfo();
  std::string text;
  llvm::raw_string_ostream os(text);
  reproducer.program.get().print(os, flags);
  os << "\n";
  write("input.mlir", text);
  write("run.sh", scriptOf(reproducer, !constants.empty()));
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, "run.sh");
  llvm::sys::fs::setPermissions(path, llvm::sys::fs::perms(0755));
  if (constants.empty())
    return error;
  placeConstants(constants);
  write("constants.json", printConstantsIndex("constants.bin", constants));
  path = directory;
  llvm::sys::path::append(path, "constants.bin");
  if (error.empty())
    error = writeConstants(path, constants);
  files.push_back("constants.bin");
  return error;
}
