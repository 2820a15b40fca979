//===- PlainSnapshots.cpp - snapshots as text files, beside the passes that leave them ----------------------------===//
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

/// What errors call a pack that is in no file yet.
static const std::string kPackName = "the record";

/// What prints the pack as it grows. Its own context: resources get other names in one that has theirs, and the
/// program's is at work.
struct PlainSnapshots::Printing {
  Printing(const SnapshotArchive &pack, const DialectRegistry &registry)
      : context(registry, MLIRContext::Threading::DISABLED), read(kPackName, &context),
        printer(&context, &read.tables().texts), tail(pack) {
    context.allowUnregisteredDialects();
  }
  MLIRContext context;
  ReadSnapshotArchive read;
  TextPrinter printer;
  MappedLocations locations;
  SnapshotArchive::Tail tail;
  size_t printed = 0; ///< of the snapshots that were read
};

PlainSnapshots::PlainSnapshots(const SnapshotArchive &pack, const DialectRegistry &registry, std::string directory,
                               SnapshotOptions options)
    : pack(pack), directory(std::move(directory)), options(options) {
  // Copied here: the program's context may load dialects while the thread reads its own.
  registry.appendTo(this->registry);
  thread = std::thread([this] { follow(); });
}

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
  if ((bytes += snapshot.text.size()) > artifact::kMostPlainBytes) {
    isTooLarge = true;
    return false;
  }
  // The map comes first, and the text comes whole: after a crash in a pass, what lies there can be read.
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
    printing = std::make_unique<Printing>(pack, registry);
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
  Result<UnpackedSnapshot> unpacked = unpackSnapshot(next, read.tables(), kPackName, &printing->context, options,
                                                     printing->printer, printing->locations);
  return unpacked ? write(next.name, *unpacked) : fail(unpacked.error());
}

void PlainSnapshots::follow() {
  CrashRecord::runsNoPass();
  // Passes come first. Where this is refused, they share.
  const sched_param none{};
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
  while (!isStopped) {
    const uint32_t seen = changes; // before the pack is looked at
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
      unpackSnapshots(pack.contents(), kPackName, &context, options,
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
