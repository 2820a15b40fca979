//===- Outcome.cpp - what came of running a program ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Outcome.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Outcome.h"

#include "mica/Compare/Compare.h"
#include "mica/Compare/Print.h"
#include "mica/Compare/PrintedText.h"
#include "mica/Support/Base64.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mica;
using namespace mica::bisect;

static llvm::json::Value tensorJson(const HostTensor &tensor) {
  const std::string_view bytes(reinterpret_cast<const char *>(tensor.data.data()), tensor.data.size());
  return llvm::json::Object{{"type", std::string(dtypeName(tensor.dtype))},
                            {"shape", llvm::json::Array(tensor.shape)},
                            {"data", encodeBase64(bytes)}};
}

static llvm::json::Array tensorsJson(llvm::ArrayRef<HostTensor> tensors) {
  llvm::json::Array list;
  for (const HostTensor &tensor : tensors)
    list.push_back(tensorJson(tensor));
  return list;
}

static std::string bytesOf(const llvm::json::Object &json, llvm::StringRef key) {
  return decodeBase64(json.getString(key).value_or("").str()).value_or("");
}

static HostTensor tensorOf(const llvm::json::Object &json) {
  std::vector<int64_t> shape;
  if (const llvm::json::Array *extents = json.getArray("shape"))
    for (const llvm::json::Value &extent : *extents)
      shape.push_back(extent.getAsInteger().value_or(0));
  HostTensor tensor(parseDType(json.getString("type").value_or("").str()).value_or(DType::F64), shape);
  const std::string bytes = bytesOf(json, "data");
  if (bytes.size() == tensor.data.size())
    tensor.data.assign(bytes.begin(), bytes.end());
  return tensor;
}

static std::vector<HostTensor> tensorsOf(const llvm::json::Object &json, llvm::StringRef key) {
  std::vector<HostTensor> tensors;
  if (const llvm::json::Array *list = json.getArray(key))
    for (const llvm::json::Value &item : *list)
      if (const llvm::json::Object *tensor = item.getAsObject())
        tensors.push_back(tensorOf(*tensor));
  return tensors;
}

std::string bisect::toText(const Outcome &outcome) {
  // Infinities are no numbers of JSON.
  HostTensor printedBounds(DType::F64, {static_cast<int64_t>(outcome.printedBounds.size())});
  for (const auto &[i, bound] : llvm::enumerate(outcome.printedBounds))
    printedBounds.setDouble(static_cast<int64_t>(i), bound);
  llvm::json::Value json = llvm::json::Object{
      {"status", static_cast<int64_t>(outcome.status)}, {"message", llvm::json::fixUTF8(outcome.message)},
      {"printed", encodeBase64(outcome.printed)},       {"has_bounds", outcome.hasBounds},
      {"printed_bounds", tensorJson(printedBounds)},    {"results", tensorsJson(outcome.results)},
      {"bounds", tensorsJson(outcome.bounds)},          {"names", llvm::json::Array(outcome.names)}};
  return llvm::formatv("{0}", json).str();
}

Outcome bisect::fromText(const std::string &text) {
  Outcome outcome;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return outcome;
  }
  const llvm::json::Object *json = parsed->getAsObject();
  if (!json || !json->getInteger("status"))
    return outcome;
  outcome.status = static_cast<Outcome::Status>(*json->getInteger("status"));
  outcome.message = json->getString("message").value_or("").str();
  outcome.printed = bytesOf(*json, "printed");
  outcome.hasBounds = json->getBoolean("has_bounds").value_or(false);
  if (const llvm::json::Object *bounds = json->getObject("printed_bounds")) {
    const HostTensor numbers = tensorOf(*bounds);
    for (int64_t i = 0; i < numbers.numElements(); ++i)
      outcome.printedBounds.push_back(numbers.asDouble(i));
  }
  outcome.results = tensorsOf(*json, "results");
  outcome.bounds = tensorsOf(*json, "bounds");
  if (const llvm::json::Array *names = json->getArray("names"))
    for (const llvm::json::Value &name : *names)
      outcome.names.push_back(name.getAsString().value_or("").str());
  return outcome;
}

static Agreement compareResults(const Outcome &actual, const Outcome &expected) {
  if (actual.results.size() != expected.results.size())
    return {Agreement::Kind::Different, "got " + std::to_string(actual.results.size()) + " results, expected " +
                                            std::to_string(expected.results.size())};
  Agreement agreement;
  for (size_t i = 0; i < actual.results.size(); ++i) {
    const HostTensor &a = actual.results[i], &e = expected.results[i];
    const HostTensor *bounds = expected.hasBounds ? &expected.bounds[i] : nullptr;
    const Comparison comparison = compareTensors(a, e, {}, bounds);
    const std::string text =
        (i < expected.names.size() ? expected.names[i] : "result " + std::to_string(i)) + " (" + a.typeString() + "): ";
    if (!comparison.same)
      return {Agreement::Kind::Different, text + describe(comparison, a, e, bounds)};
    if (comparison.differing > comparison.unknown && agreement.kind == Agreement::Kind::Same)
      agreement = {Agreement::Kind::Rounding, text + describe(comparison, a, e, bounds)};
  }
  return agreement;
}

Agreement bisect::compareOutcomes(const Outcome &actual, const Outcome &expected) {
  if (actual.status != expected.status)
    return {Agreement::Kind::Different, actual.ran() ? "it runs to its end" : actual.message};
  if (!actual.ran())
    return {};
  Agreement agreement = compareResults(actual, expected);
  if (agreement.kind == Agreement::Kind::Different)
    return agreement;
  const std::string exact = comparePrinted(actual.printed, expected.printed, {});
  if (exact.empty())
    return agreement;
  const std::vector<double> bounds = expected.hasBounds
                                         ? expected.printedBounds
                                         : printedTolerances(actual.printed, expected.printed, kPrintedTolerance);
  const std::string beyond = comparePrinted(actual.printed, expected.printed, bounds);
  return beyond.empty() ? Agreement{Agreement::Kind::Rounding, exact} : Agreement{Agreement::Kind::Different, beyond};
}

bool bisect::differsWidely(const Outcome &actual, const Outcome &expected) {
  static constexpr double kHundredth = 0.01;
  if (!actual.ran() || !expected.ran() || actual.results.size() != expected.results.size())
    return true;
  for (auto [a, e] : llvm::zip_equal(actual.results, expected.results)) {
    const Comparison comparison = compareTensors(a, e, {.rtol = kHundredth, .atol = 0.0});
    if (!comparison.same && (!isFloat(a.dtype) || comparison.violations > 0 || comparison.elements == 0))
      return true;
  }
  return !comparePrinted(actual.printed, expected.printed,
                         printedTolerances(actual.printed, expected.printed, kHundredth))
              .empty();
}

std::string bisect::summary(const Outcome &outcome, size_t limit) {
  std::string text = outcome.printed;
  for (size_t i = 0; i < outcome.results.size(); ++i)
    text += (outcome.results.size() > 1 && i < outcome.names.size() ? outcome.names[i] + ":\n" : "") +
            formatTensor(outcome.results[i]) + "\n";
  if (!outcome.ran())
    text += outcome.message + "\n";
  if (text.size() > limit)
    text = text.substr(0, limit) + "...\n";
  return text;
}
