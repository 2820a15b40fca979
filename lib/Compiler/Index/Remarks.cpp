//===- Remarks.cpp - collecting the remarks of passes -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Remarks.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Index/Remarks.h"

#include "dialects/Mica/IR/OpIds.h"
#include "lib/Compiler/Program/JsonLine.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

std::string RecordedRemark::arg(llvm::StringRef key) const {
  for (auto &[name, value] : args)
    if (name == key)
      return value;
  return "";
}

void compiler::addRemark(JsonLine &json, const RecordedRemark &remark) {
  json.add("kind", remark.kind);
  json.add("name", remark.name);
  json.add("message", remark.message);
  if (!remark.args.empty()) {
    JsonLine args(json.key("args"));
    for (auto &[key, value] : remark.args)
      args.add(key, value);
  }
  if (!remark.ids.empty())
    json.add("ids", remark.ids);
  if (!remark.sources.empty())
    json.add("sources", remark.sources);
}

static std::string kindName(llvm::remarks::Type type) {
  switch (type) {
  case llvm::remarks::Type::Passed:
    return "passed";
  case llvm::remarks::Type::Missed:
    return "missed";
  case llvm::remarks::Type::Failure:
    return "failed";
  default:
    return "analysis";
  }
}

/// Nested pipelines run on several threads, each of which may emit remarks.
class RemarkCollector::Streamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Streamer(std::shared_ptr<RemarkCollector> collector) : collector(std::move(collector)) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    RecordedRemark record;
    record.kind = kindName(remark.getRemarkType());
    record.name = remark.getRemarkName().str();
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      if (arg.key == "Remark")
        record.message += (record.message.empty() ? "" : " ") + arg.val;
      else
        record.args.push_back({arg.key, arg.val});
    for (llvm::StringRef id : getOpIds(remark.getLocation()))
      record.ids.push_back(id.str());
    for (FileLineColLoc position : getSourcePositions(remark.getLocation()))
      record.sources.push_back((position.getFilename().getValue() + ":" + llvm::Twine(position.getLine()) + ":" +
                                llvm::Twine(position.getColumn()))
                                   .str());
    std::lock_guard lock(collector->mutex);
    collector->byThread[llvm::get_threadid()].push_back(std::move(record));
  }

private:
  std::shared_ptr<RemarkCollector> collector;
};

std::shared_ptr<RemarkCollector> RemarkCollector::listen(MLIRContext &context) {
  if (context.getRemarkEngine())
    return nullptr;
  auto collector = std::make_shared<RemarkCollector>();
  remark::RemarkCategories categories;
  categories.all = categories.passed = categories.missed = categories.failed = categories.analysis = ".*";
  if (failed(remark::enableOptimizationRemarks(context, std::make_unique<Streamer>(collector),
                                               std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
    return nullptr;
  return collector;
}

std::vector<RecordedRemark> RemarkCollector::take() {
  std::lock_guard lock(mutex);
  return std::exchange(byThread[llvm::get_threadid()], {});
}
