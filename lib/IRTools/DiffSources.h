//===- DiffSources.h - comparing files, records and artifacts ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Maps the arguments of mica-diff (files, a record and passes, two records, two artifacts) to documents, and compares
// these.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_DIFFSOURCES_H
#define MICA_LIB_IRTOOLS_DIFFSOURCES_H

#include "lib/IRTools/RecordedChanges.h"
#include "mica/IRTools/PrintDiff.h"
#include "mica/IRTools/Record.h"

namespace mica::irtools {

/// A document for a single comparison.
inline Result<SharedDocument> share(Result<Document> document) {
  if (!document)
    return document.error();
  return std::make_shared<const Document>(std::move(*document));
}

/// Reads by `readBefore` and `readAfter`, compares, and adds the comparison to `result` (unless the documents are equal
/// and `onlyIfDifferent`); returns its position there, or -1.
using DocumentReader = llvm::function_ref<Result<SharedDocument>()>;
Result<int64_t> addComparison(DiffResult &result, std::string title, DocumentReader readBefore,
                              DocumentReader readAfter, bool onlyIfDifferent = false);

/// Two files of IR.
Result<DiffResult> diffFiles(const std::string &before, const std::string &after, mlir::MLIRContext &context);
struct RecordDiffOptions {
  std::string onlyOp; ///< only this kernel; "" all
  KeptTexts kept = KeptTexts::All;
  bool recompares = false; ///< ignore stored comparisons
};
/// Compares the states of a record after passes `from` and `to`.
Result<DiffResult> diffPasses(const Record &record, int64_t from, int64_t to, const RecordDiffOptions &options,
                              mlir::MLIRContext &context);
/// Compares the states before and after each pass of a record, and stores the result beside the record.
Result<DiffResult> diffEachPass(const Record &record, const RecordDiffOptions &options, mlir::MLIRContext &context);
/// Finds the first pass after which two records differ.
Result<DiffResult> diffRecords(const Record &before, const Record &after, mlir::MLIRContext &context);
/// Compares manifests, kernels as IR and as assembly, then the records.
Result<DiffResult> diffArtifacts(const std::string &before, const std::string &after, mlir::MLIRContext &context);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_DIFFSOURCES_H
