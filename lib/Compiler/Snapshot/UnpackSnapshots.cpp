//===- UnpackSnapshots.cpp - text of archived snapshots -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See UnpackSnapshots.h and UnpackRecord.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/UnpackSnapshots.h"

#include "dialects/RegisterDialects.h"
#include "lib/Compiler/Snapshot/SnapshotArchiveReader.h"
#include "lib/Compiler/Snapshot/TextPrinter.h"
#include "lib/Support/FileDescriptor.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Compiler/Snapshot/UnpackRecord.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Schemas.h"

#include "mlir/IR/Threading.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

Result<UnpackedSnapshot> compiler::unpackSnapshot(const ReadSnapshotArchive::Snapshot &packed,
                                                  const SnapshotTables &tables, const std::string &file,
                                                  MLIRContext *context, const SnapshotOptions &options,
                                                  TextPrinter &printer, MappedLocations &locations) {
  std::vector<BuiltOp> built;
  Result<OwningOpRef<Operation *>> op = buildSnapshot(packed.bytes, tables, context, &built);
  if (!op)
    return Error{op.error().code, file + " is damaged: " + packed.name + ": " + op.error().message,
                 "compile the model again"};
  // Verifiers in a gpu.module ask for the data layout, which upstream looks up in an enclosing module.
  Operation *top = op->get();
  OwningOpRef<ModuleOp> around;
  if (!isa<ModuleOp>(top)) {
    around = ModuleOp::create(top->getLoc());
    around->push_back(op->release());
  }
  Snapshot snapshot = printSnapshot(top, options, &printer, built);
  const bool hashes = options.lineHashes || snapshot.text.size() <= artifact::kPlainSnapshotBytes;
  std::string map = printLineMap(snapshot, packed.name, hashes, &locations);
  return UnpackedSnapshot{std::move(snapshot.text), std::move(map)};
}

namespace {
/// The shared state of threads that unpack one archive.
class Unpacking {
public:
  using Take = llvm::function_ref<bool(const std::string &, const UnpackedSnapshot &)>;

  Unpacking(const ReadSnapshotArchive &archive, const std::string &file, MLIRContext *context,
            const SnapshotOptions &options, Take take)
      : archive(archive), file(file), context(context), options(options), take(take), last(archive.snapshots().size()) {
  }

  /// Prints snapshots until none is left, in forward or backward order: adjacent snapshots have most ops in common,
  /// whose texts each thread caches separately.
  void work(bool isForward) {
    std::optional<TextPrinter> printer;
    while (const ReadSnapshotArchive::Snapshot *next = this->next(isForward)) {
      if (!printer)
        printer.emplace(context, &archive.tables().texts);
      Result<UnpackedSnapshot> unpacked =
          unpackSnapshot(*next, archive.tables(), file, context, options, *printer, locations);
      if (unpacked && take(next->name, *unpacked))
        continue;
      std::lock_guard lock(mutex);
      first = last;
      if (!unpacked)
        status = unpacked.error();
    }
  }
  const Status &result() const { return status; }

private:
  const ReadSnapshotArchive::Snapshot *next(bool isForward) {
    std::lock_guard lock(mutex);
    if (first == last)
      return nullptr;
    return &archive.snapshots()[isForward ? first++ : --last];
  }

  const ReadSnapshotArchive &archive;
  const std::string &file;
  MLIRContext *context;
  const SnapshotOptions &options;
  Take take;
  MappedLocations locations;
  std::mutex mutex;
  size_t first = 0, last; ///< range of snapshots that were not taken yet
  Status status;
};
} // namespace

Status compiler::unpackSnapshots(llvm::StringRef data, const std::string &file, MLIRContext *context,
                                 const SnapshotOptions &options, Unpacking::Take take) {
  MICA_ASSIGN_OR_RETURN(const std::unique_ptr<ReadSnapshotArchive> archive,
                        ReadSnapshotArchive::read(data, file, context));
  Unpacking unpacking(*archive, file, context, options, take);
  parallelFor(context, 0, context->getNumThreads(), [&](size_t thread) { unpacking.work(thread % 2 == 0); });
  return unpacking.result();
}

/// A context that can read the output of any compile.
static std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  auto context = std::make_unique<MLIRContext>(registry);
  // Ops of plugins, which are then printed in the generic form.
  context->allowUnregisteredDialects();
  return context;
}

Status compiler::unpackRecord(const std::string &folder) {
  const fs::path file = fs::path(folder) / artifact::kSnapshotArchiveFile,
                 mark = fs::path(folder) / artifact::kUnpackedFile;
  const FileDescriptor lock(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!lock)
    return systemError("read", file, errno);
  if (::flock(lock.get(), LOCK_EX) != 0)
    return systemError("lock", file, errno);
  std::error_code ignored;
  if (fs::exists(mark, ignored))
    return {};
  MICA_ASSIGN_OR_RETURN(const std::string data, readFile(file));
  const std::unique_ptr<MLIRContext> context = makeContext();
  std::mutex mutex;
  Status status;
  std::map<std::string, std::string> hashes;
  MICA_RETURN_IF_ERROR(unpackSnapshots(
      data, file.string(), context.get(), {}, [&](const std::string &name, const UnpackedSnapshot &snapshot) {
        const artifact::StoredFile stored = artifact::packSnapshot(name, snapshot.text, snapshot.map);
        const fs::path place = fs::path(folder) / stored.name;
        Status written;
        std::error_code code;
        if (name.empty() || fs::path(name).has_parent_path())
          written = Error{ErrorCode::Damaged, file.string() + " is damaged: a snapshot called \"" + name + "\"",
                          "compile the model again"};
        else if (!fs::exists(place, code)) // otherwise a rebuild wrote it
          written = writeFileAtomic(place, stored.contents);
        const std::string hash = hashHex(snapshot.text);
        std::lock_guard guard(mutex);
        hashes[name] = hash;
        if (!written)
          status = written;
        return true;
      }));
  MICA_RETURN_IF_ERROR(status);
  std::string list;
  llvm::raw_string_ostream os(list);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("schema", schemaNumber(Schema::UnpackedSnapshots));
    json.attributeObject("snapshots", [&] {
      for (const auto &[name, hash] : hashes)
        json.attribute(name, hash);
    });
  });
  return writeFileAtomic(mark, list + "\n");
}
