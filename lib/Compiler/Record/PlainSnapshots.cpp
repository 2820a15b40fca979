//===- PlainSnapshots.cpp - writing snapshots as text files in the background -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PlainSnapshots.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Record/PlainSnapshots.h"

#include "lib/Compiler/Crash/CrashRecord.h"
#include "lib/Compiler/Snapshot/SnapshotArchiveReader.h"
#include "lib/Compiler/Snapshot/TextPrinter.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Compiler/Index/RecordIndex.h"
#include "mica/Support/Hash.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <utility>

#include <pthread.h>
#include <sched.h>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// The name in errors of an archive that is not in a file yet.
static const std::string kArchiveName = "the record";

/// The state of the printing thread. It has its own context, because resources would be renamed in a context that has
/// them already, and the program's context is in use.
struct PlainSnapshots::Printing {
  Printing(const SnapshotArchive &archive, const DialectRegistry &registry)
      : context(registry, MLIRContext::Threading::DISABLED), read(kArchiveName, &context),
        printer(&context, &read.tables().texts), tail(archive) {
    context.allowUnregisteredDialects();
  }
  MLIRContext context;
  ReadSnapshotArchive read;
  TextPrinter printer;
  MappedLocations locations;
  SnapshotArchive::Tail tail;
  size_t printed = 0; ///< of the snapshots that were read
};

PlainSnapshots::PlainSnapshots(const SnapshotArchive &archive, const DialectRegistry &registry, std::string directory,
                               SnapshotOptions options)
    : archive(archive), directory(std::move(directory)), options(options) {
  // Copied now: the program's context may load dialects while the thread reads its own.
  registry.appendTo(this->registry);
  thread = std::thread([this] { follow(); });
}

/// Each is two files, and making them takes longer than a compile where there are many: of hundreds of kernels.
static constexpr size_t kMostPlainSnapshots = 4000;

PlainSnapshots::~PlainSnapshots() {
  stop();
  if (!isWhole)
    remove();
}

void PlainSnapshots::wake() {
  ++changes;
  changes.notify_one();
}

void PlainSnapshots::stop() {
  if (!thread.joinable())
    return;
  isStopped = true;
  wake();
  thread.join();
}

void PlainSnapshots::remove() {
  for (const RecordedFile &file : std::exchange(written, {}))
    llvm::sys::fs::remove(directory + "/" + file.name);
}

bool PlainSnapshots::fail(const Error &error) {
  failed = error.message;
  return false;
}

bool PlainSnapshots::write(const std::string &name, const UnpackedSnapshot &snapshot) {
  if ((bytes += snapshot.text.size()) > artifact::kMostPlainBytes || ++count > kMostPlainSnapshots) {
    isTooLarge = true;
    return false;
  }
  // The map is written first, and the text atomically, so that after a crash the existing texts can be read.
  const std::string map = name + std::string(artifact::kLineMapSuffix), unnamed = directory + "/" + name + ".part";
  failed = writeRecordFile(directory, map, snapshot.map);
  written.push_back({map, hashHex(snapshot.map)});
  if (failed.empty())
    failed = writeRecordFile(directory, name + ".part", snapshot.text);
  if (failed.empty())
    if (std::error_code code = llvm::sys::fs::rename(unnamed, directory + "/" + name))
      failed = "cannot rename '" + unnamed + "': " + code.message();
  if (!failed.empty())
    llvm::sys::fs::remove(unnamed);
  else
    written.push_back({name, hashHex(snapshot.text)});
  return failed.empty();
}

bool PlainSnapshots::writeNext() {
  if (!printing)
    printing = std::make_unique<Printing>(archive, registry);
  ReadSnapshotArchive &read = printing->read;
  if (!failed.empty() || isTooLarge || hasDistinct)
    return false;
  while (printing->printed == read.snapshots().size()) {
    const llvm::StringRef entries = printing->tail.next();
    if (entries.empty())
      return false;
    if (Status status = read.add(entries); !status)
      return fail(status.error());
    if ((hasDistinct = read.hasDistinct()))
      return false;
  }
  const ReadSnapshotArchive::Snapshot &next = read.snapshots()[printing->printed++];
  Result<UnpackedSnapshot> unpacked = unpackSnapshot(next, read.tables(), kArchiveName, &printing->context, options,
                                                     printing->printer, printing->locations);
  return unpacked ? write(next.name, *unpacked) : fail(unpacked.error());
}

void PlainSnapshots::follow() {
  CrashRecord::runsNoPass();
  // Give passes priority over this thread. If not permitted, they share the cores.
  const sched_param none{};
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
  while (!isStopped) {
    const uint32_t seen = changes; // read before the archive
    while (!isStopped && writeNext()) {
    }
    if (!isStopped)
      changes.wait(seen);
  }
}

void PlainSnapshots::writeWithDistinct() {
  remove();
  bytes = 0;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  const Status status =
      unpackSnapshots(archive.contents(), kArchiveName, &context, options,
                      [&](const std::string &name, const UnpackedSnapshot &snapshot) { return write(name, snapshot); });
  if (!status)
    fail(status.error());
}

bool PlainSnapshots::finish() {
  stop();
  while (writeNext()) {
  }
  if (hasDistinct)
    writeWithDistinct();
  printing = nullptr;
  isWhole = failed.empty() && !isTooLarge;
  if (!isWhole)
    remove();
  llvm::sort(written, [](const RecordedFile &a, const RecordedFile &b) { return a.name < b.name; });
  return isWhole;
}
