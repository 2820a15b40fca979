//===- DiffFixture.h - two texts compared -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the tests of the structural difference share.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_UNIT_IRTOOLS_DIFFFIXTURE_H
#define MICA_TEST_UNIT_IRTOOLS_DIFFFIXTURE_H

#include "dialects/RegisterDialects.h"
#include "mica/IRTools/Diff.h"
#include "mica/IRTools/Document.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

namespace mica::irtools {

class DiffTest : public testing::Test {
protected:
  DiffTest() : context(allDialects(), mlir::MLIRContext::Threading::DISABLED) { context.allowUnregisteredDialects(); }

  Document parse(llvm::StringRef name, llvm::StringRef text) {
    Document document = parseDocument(name.str(), text, "", context);
    EXPECT_TRUE(document.root) << document.problem << "\n" << text.str();
    return document;
  }

  /// "removed math.exp", "changed arith.constant: attribute 'value'", each on a line.
  std::string diff(llvm::StringRef before, llvm::StringRef after) {
    Document a = parse("before.mlir", before), b = parse("after.mlir", after);
    if (!a.root || !b.root)
      return "does not parse";
    std::string text;
    for (const Change &change : diffDocuments(a, b).changes) {
      for (const Detail &detail : change.details)
        EXPECT_NE(detail.before, detail.after) << detail.what;
      text += changeName(change.kind).str() + " " + change.op;
      for (const Detail &detail : change.details)
        text += (&detail == &change.details.front() ? ": " : ", ") + detail.what;
      text += "\n";
    }
    return text;
  }

  mlir::MLIRContext context;
};

} // namespace mica::irtools

#endif // MICA_TEST_UNIT_IRTOOLS_DIFFFIXTURE_H
