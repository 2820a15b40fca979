//===- DiagnoseText.cpp - constructs that MLIR 22 cannot parse ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Scans the text for op names and for spellings of older versions. It runs before the parser, which stops at the first
// such construct, and reports only what the parser would reject; a false positive would need the name of an unknown op
// in a string.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Input/Input.h"

#include "mica/Support/Text.h"
#include "passes/Tensor/AcceptedOps.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mica;
using namespace mica::compiler;

namespace {
/// An op name in the text.
struct NamedOp {
  llvm::StringRef name, dialect;
};

/// The ops of one dialect in the order of their first occurrence, with their number and first line.
struct DialectUse {
  llvm::SMLoc first;
  llvm::MapVector<llvm::StringRef, std::pair<int64_t, int64_t>> ops;
  int64_t total = 0;
};
} // namespace

/// Drops results ("%0:2 = ", "%a, %b = ") from a line, so that it starts with the op.
static llvm::StringRef dropResults(llvm::StringRef line) {
  line = line.ltrim();
  if (!line.starts_with("%"))
    return line;
  size_t equal = line.find(" = ");
  return equal == llvm::StringRef::npos ? llvm::StringRef() : line.drop_front(equal + 3).ltrim();
}

/// The op at the start of a statement, in custom or generic form; empty names if there is none.
static NamedOp opOfLine(llvm::StringRef line) {
  llvm::StringRef statement = dropResults(line);
  statement.consume_front("\"");
  auto isNameChar = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; };
  llvm::StringRef name = statement.take_while(isNameChar);
  size_t dot = name.find('.');
  if (dot == 0 || dot == llvm::StringRef::npos || dot + 1 == name.size() || !llvm::isAlpha(name.front()))
    return {};
  return {name, name.take_front(dot)};
}

static std::string adviceFor(llvm::StringRef dialect) {
  if (dialect == "chlo")
    return "docs/StableHLO.md lists the ops of chlo that are taken; convert others first: stablehlo-opt "
           "--chlo-legalize-to-stablehlo";
  if (dialect == "mhlo")
    return "convert it to stablehlo first, with the tools of its project (mlir-hlo-opt --hlo-legalize-to-stablehlo)";
  if (dialect == "torch")
    return "lower it first: torch-mlir-opt --torch-backend-to-linalg-on-tensors-backend-pipeline FILE, or export with "
           "output_type=\"linalg-on-tensors\"";
  if (dialect == "onnx" || dialect == "krnl")
    return "lower it first: onnx-mlir --EmitMLIR, or import the model with torch-mlir's ONNX importer and lower to "
           "linalg";
  if (dialect == "tf" || dialect == "tfl" || dialect == "tf_executor" || dialect == "tf_saved_model")
    return "convert it first: flatbuffer_translate and tf-opt --tfl-to-tosa-pipeline (tfl), or iree-import-tflite";
  if (dialect == "hal" || dialect == "flow" || dialect == "util" || dialect == "stream" || dialect == "iree_input")
    return "these are IREE's own; export the program before IREE's pipeline (linalg or tosa)";
  return "programs are made of mica, linalg, tosa, tensor, arith, math, scf, func and ml_program; convert the file to "
         "these "
         "with the tools of that dialect";
}

/// The number and first position of a spelling.
struct Spelling {
  llvm::SMLoc first;
  int64_t count = 0;
  void add(const char *at) {
    if (count++ == 0)
      first = llvm::SMLoc::getFromPointer(at);
  }
};

static std::string times(int64_t count) { return count == 1 ? "once" : groupDigits(count) + " times"; }

namespace {
/// Scans a text for unsupported constructs.
class TextScan {
public:
  explicit TextScan(llvm::ArrayRef<std::string> known) {
    for (const std::string &dialect : known)
      knownSet.insert(dialect);
  }

  void scan(llvm::StringRef text);
  std::vector<Finding> findings();

private:
  void findOldTosa(const NamedOp &op, llvm::StringRef line);
  void addUnknown(const NamedOp &op, int64_t lineNumber);
  void reportDialect(llvm::StringRef dialect, const DialectUse &use);
  void reportSpellings();
  void report(const Spelling &spelling, llvm::StringRef what, llvm::StringRef hint) {
    if (spelling.count)
      found.push_back({spelling.first, (what + " (" + times(spelling.count) + " in the file)").str(), hint.str()});
  }

  llvm::StringSet<> knownSet;
  llvm::MapVector<llvm::StringRef, DialectUse> unknown;
  /// Ops that parse, but that mica-tensor-verify-input rejects.
  llvm::MapVector<llvm::StringRef, Spelling> refused;
  Spelling elided, indexArray, tosaConst, tosaQuantization, tosaReshape, tosaFullyConnected;
  std::vector<Finding> found;
};
} // namespace

/// TOSA before 1.0 (MLIR 20 and older) had attributes instead of some operands.
void TextScan::findOldTosa(const NamedOp &op, llvm::StringRef line) {
  bool hasOldValue = line.contains("{value = ") || line.contains("{value=");
  if (op.name == "tosa.const" && hasOldValue)
    tosaConst.add(op.name.data());
  else if (line.contains("quantization_info"))
    tosaQuantization.add(op.name.data());
  else if (op.name == "tosa.reshape" && line.contains("new_shape"))
    tosaReshape.add(op.name.data());
  else if (op.name == "tosa.fully_connected" || op.name == "tosa.div")
    tosaFullyConnected.add(op.name.data());
}

void TextScan::addUnknown(const NamedOp &op, int64_t lineNumber) {
  DialectUse &use = unknown[op.dialect];
  if (use.total++ == 0)
    use.first = llvm::SMLoc::getFromPointer(op.name.data());
  auto &[count, firstLine] = use.ops[op.name];
  if (count++ == 0)
    firstLine = lineNumber;
}

void TextScan::scan(llvm::StringRef text) {
  int64_t lineNumber = 0;
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    ++lineNumber;
    if (line.starts_with("{-#"))
      break; // resources: only hexadecimal data from here on
    llvm::StringRef code = line.ltrim();
    if (code.starts_with("//"))
      continue;
    if (size_t at = line.find("<__elided__>"); at != llvm::StringRef::npos)
      elided.add(line.data() + at);
    if (size_t at = line.find("array<index"); at != llvm::StringRef::npos)
      indexArray.add(line.data() + at);
    NamedOp op = opOfLine(line);
    if (op.name.empty())
      continue;
    if (!knownSet.contains(op.dialect)) {
      addUnknown(op, lineNumber);
      continue;
    }
    if (refusalOf(op.name, /*isRegistered=*/true))
      refused[op.name].add(op.name.data());
    if (op.dialect == "tosa")
      findOldTosa(op, line);
  }
}

void TextScan::reportDialect(llvm::StringRef dialect, const DialectUse &use) {
  std::vector<std::string> names;
  for (auto &[name, places] : use.ops)
    names.push_back(name.str() + " (" + (places.first > 1 ? std::to_string(places.first) + ", from " : "") + "line " +
                    std::to_string(places.second) + ")");
  found.push_back(
      {use.first,
       ("op '" + use.ops.front().first + "': Mica does not read the dialect '" + dialect + "'; " +
        llvm::Twine(use.total) + (use.total == 1 ? " op" : " ops") + " of it in the file: " + joinNames(names, 100))
           .str(),
       adviceFor(dialect)});
}

void TextScan::reportSpellings() {
  const char *oldTosa = "the file is of MLIR 20 or older, before TOSA 1.0: mica-opt FILE --upgrade -o NEW rewrites it. "
                        "Where that does not help, export "
                        "the model again with tools built on MLIR 21 or 22 (torch-mlir, TensorFlow, LiteRT)";
  // MLIR 22's parser accepts it and then asks for the bit width of a type without one.
  report(indexArray, "'array<index': an array attribute holds i1, i8, i16, i32, i64, f32 or f64",
         "write array<i64: ...>");
  report(tosaConst,
         "'tosa.const' with the attribute 'value': an older spelling of TOSA; MLIR 22 (TOSA 1.0) calls it 'values'",
         oldTosa);
  report(tosaQuantization,
         "a 'tosa' op with 'quantization_info': an older spelling of TOSA; zero points are operands in MLIR 22",
         oldTosa);
  report(tosaReshape,
         "'tosa.reshape' with the attribute 'new_shape': an older spelling of TOSA; the shape is an operand in MLIR 22",
         oldTosa);
  report(tosaFullyConnected, "an op that TOSA 1.0 (MLIR 22) no longer has", oldTosa);
  report(elided,
         "weights are elided: 'dense_resource<__elided__>' stands where the numbers were, and they are not in the file",
         "export again without elision: print the module without --mlir-elide-elementsattrs-if-larger and "
         "--mlir-elide-resource-strings-if-larger (Python: large_elements_limit=None), or write bytecode (.mlirbc)");
}

std::vector<Finding> TextScan::findings() {
  for (auto &[dialect, use] : unknown)
    reportDialect(dialect, use);
  reportSpellings();
  // If the file parses, the verifier reports better errors; otherwise report all now.
  if (!found.empty())
    for (auto &[name, spelling] : refused) {
      std::optional<OpRefusal> refusal = refusalOf(name, /*isRegistered=*/true);
      report(spelling, refusal->what, refusal->advice);
    }
  llvm::sort(found,
             [](const Finding &a, const Finding &b) { return a.position.getPointer() < b.position.getPointer(); });
  return found;
}

std::vector<Finding> compiler::diagnoseText(llvm::StringRef text, llvm::ArrayRef<std::string> known) {
  TextScan scan(known);
  scan.scan(text);
  return scan.findings();
}
