//===- Number.cpp - numbering check sites -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Sites are numbered in program order, so that equal kernels have equal sites.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "passes/Check/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

#include <cassert>

namespace mica {
#define GEN_PASS_DEF_NUMBERCHECKSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

static constexpr StringLiteral kCategory = "checks";

static int64_t numberOf(Operation *op, StringRef name) {
  auto value = op->getAttrOfType<IntegerAttr>(name);
  return value ? value.getInt() : 0;
}

namespace {
struct NumberChecksPass : mica::impl::NumberChecksPassBase<NumberChecksPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func->hasAttr(check::kInsertedAttr))
      return;
    Builder builder(&getContext());
    int64_t sites = 0, checked = 0;
    func.walk([&](Operation *op) {
      std::string what;
      if (auto access = dyn_cast<check::OutOfBoundsOp>(op)) {
        access.setSiteAttr(builder.getI64IntegerAttr(sites));
        what = (check::stringifyAccess(access.getAccess()) + " of a buffer").str();
      } else if (auto other = dyn_cast<check::FailedOp>(op)) {
        other.setSiteAttr(builder.getI64IntegerAttr(sites));
        if (other->hasAttr(check::kReportAttr)) {
          ++sites;
          return;
        }
        what = "'" + other.getMessage().str() + "'";
      } else if (auto read = dyn_cast<check::UninitializedOp>(op)) {
        read.setSiteAttr(builder.getI64IntegerAttr(sites));
        what = "use of what may not be written";
      } else if (auto found = dyn_cast<check::NotFiniteOp>(op)) {
        // Not a check: it has a record, but is not counted as proved or kept.
        found.setSiteAttr(builder.getI64IntegerAttr(sites++));
        return;
      } else {
        return;
      }
      assert(sites >= checked && "each check has a site");
      ++sites;
      ++checked;
      remark::missed(op->getLoc(), remark::RemarkOpts::name("check-kept").category(kCategory))
          << remark::add("site {0} of {1} is checked while it runs: {2}", sites - 1, func.getName(), what);
    });
    // Divisions that are all proved are not reported, since the user requested no checks.
    if (auto level = func->getAttrOfType<StringAttr>(check::kLevelAttr); sites == 0 && level == "divisions") {
      for (StringRef name : {check::kInsertedAttr, check::kUncheckedAttr, check::kLevelAttr})
        func->removeAttr(name);
      return;
    }
    func->setAttr(check::kSitesAttr, builder.getI64IntegerAttr(sites));
    const int64_t inserted = numberOf(func, check::kInsertedAttr) + numberOf(func, check::kReadsAttr);
    // A loop's progress report is not a check.
    if (inserted == 0 && checked == 0)
      return;
    remark::analysis(func.getLoc(), remark::RemarkOpts::name("checks").category(kCategory))
        << remark::add("{0}: {1} checks proved, {2} kept, {3} operations not checkable", func.getName(),
                       inserted - checked, checked, numberOf(func, check::kUncheckedAttr));
  }
};
} // namespace
