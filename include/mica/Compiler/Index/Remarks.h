//===- Remarks.h - collecting the remarks of passes ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Passes emit upstream's remarks (mlir/IR/Remarks.h): what was done, what was not, and why. They build remarks only if
// a streamer is installed. This streamer keeps them, by the emitting thread, until the recorder takes them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_INDEX_REMARKS_H
#define MICA_COMPILER_INDEX_REMARKS_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

class JsonLine;

/// One remark.
struct RecordedRemark {
  std::string kind;    ///< "passed", "missed", "failed", "analysis"
  std::string name;    ///< the subject: "fused", "not-vectorized"
  std::string message; ///< for people
  std::vector<std::pair<std::string, std::string>> args;
  std::vector<std::string> ids;     ///< of the op it is about
  std::vector<std::string> sources; ///< its positions in the user's files

  /// The value of argument `key`, "" if there is none.
  std::string arg(llvm::StringRef key) const;
};

/// Adds the members of `remark` to an object.
void addRemark(JsonLine &json, const RecordedRemark &remark);

class RemarkCollector {
public:
  /// Installs a collector on `context`; null if it has another streamer already.
  static std::shared_ptr<RemarkCollector> listen(mlir::MLIRContext &context);

  /// The remarks that this thread emitted since the last call.
  std::vector<RecordedRemark> take();

private:
  class Streamer;
  std::mutex mutex;
  llvm::DenseMap<uint64_t, std::vector<RecordedRemark>> byThread;
};

} // namespace mica::compiler

#endif // MICA_COMPILER_INDEX_REMARKS_H
