//===- PassRecorder.cpp - the record of a pipeline's passes -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PassRecorder.h. Parts: PipelineWalk finds the position of each running pass, RecordPaths names its op,
// CrashRecord and CrashMessages handle crashes, RecordIndex and Reproducer write the files other than snapshots.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Record/PassRecorder.h"

#include "lib/Compiler/Crash/CrashMessages.h"
#include "lib/Compiler/Crash/CrashRecord.h"
#include "lib/Compiler/Index/PipelineWalk.h"
#include "lib/Compiler/Index/RecordedPipelines.h"
#include "lib/Compiler/Record/PatternLog.h"
#include "lib/Compiler/Record/PlainSnapshots.h"
#include "lib/Compiler/Record/RecordPaths.h"
#include "lib/Compiler/Snapshot/SnapshotArchive.h"
#include "lib/Compiler/Snapshot/SnapshotArchiveReader.h"
#include "lib/Compiler/Snapshot/UnpackSnapshots.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Compiler/Index/RecordIndex.h"
#include "mica/Compiler/Record/Reproducer.h"
#include "mica/Compiler/Snapshot/SnapshotPrinter.h"
#include "mica/Support/Compress.h"
#include "mica/Support/Hash.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <atomic>
#include <cassert>
#include <chrono>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

//===------------------------------------------------------------------------------------------------------------===//
// Small parts
//===------------------------------------------------------------------------------------------------------------===//

static double wallMilliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// CPU time of this thread, because nested passes wait for each other in the recorder.
static double threadMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

//===------------------------------------------------------------------------------------------------------------===//
// The recorder's state
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// A running pass.
struct Running {
  Pass *pass = nullptr;
  Operation *op = nullptr;
  const PipelineNode *node = nullptr; ///< null: not recorded
  std::string path, anchor;           ///< of the op, as in PassRecord
  double start = 0;
  bool isNested = false;
  std::optional<SnapshotArchive::Fingerprint> before;
  std::vector<RecordedRemark> remarks; ///< those taken from the collector so far
};

/// The stack of passes that run on one thread: while the verifier of a pass waits for its workers, the thread may run
/// another task of the pool.
using Thread = std::vector<Running>;

/// What is known about an op since the last pass on it.
struct Known {
  SnapshotArchive::Fingerprint snapshot;
  std::vector<uint64_t> trail;                 ///< of the fingerprint; empty if it is that of a part
  SnapshotArchive::Heads heads;                ///< of the fingerprint
  llvm::SmallVector<Operation *, 3> ancestors; ///< nearest first
  bool isOld = false;                          ///< from a pipeline that has ended
};
} // namespace

static constexpr llvm::StringLiteral kInputSnapshot = "0000_input.mlir";

struct PassRecorder::State {
  struct LastSnapshot {
    int position;
    std::string file;
  };
  RecorderOptions options;
  std::shared_ptr<RemarkCollector> remarks; ///< null: not collected
  std::shared_ptr<PatternLog> patterns;     ///< null: not requested
  std::unique_ptr<CrashRecord> crash;       ///< null: nothing is written
  CrashMessages crashTexts;
  RecordedPipelines pipelines;
  std::optional<PassFailure> failure;
  Operation *root = nullptr;
  bool hasInput = false;
  llvm::DenseMap<uint64_t, Thread> threads;
  PipelineWalk walk;
  llvm::DenseMap<Operation *, Known> known;
  llvm::StringMap<std::string> stems;       ///< of files -> path
  std::unique_ptr<SnapshotArchive> archive; ///< null: no snapshots are kept
  std::deque<PassRecord> records;
  std::vector<RecordedFile> files;
  std::string error;
  bool isSorted = false;                       ///< `records` are in their final order
  std::string head;                            ///< the index up to the records
  bool isWritten = false;                      ///< the archive or the snapshots, and the index, are written
  bool isPlain = false;                        ///< the snapshots are stored as plain files
  std::string plainArchive;                    ///< the archive of plain snapshots
  llvm::StringMap<LastSnapshot> lastSnapshots; ///< by path
  llvm::StringMap<int> newestInside;           ///< by path: the highest position of a snapshot of an op inside

  std::unique_ptr<PlainSnapshots> plain; ///< null: not requested

  SnapshotOptions textOptions() const {
    SnapshotOptions text;
    text.assumeVerified = options.assumeVerified;
    text.lineHashes = true;
    return text;
  }
  void makePack(MLIRContext *context) {
    if (archive)
      return;
    archive = std::make_unique<SnapshotArchive>(context);
    if (options.sealsSnapshots && options.plainSnapshots)
      plain =
          std::make_unique<PlainSnapshots>(*archive, context->getDialectRegistry(), options.directory, textOptions());
  }
  bool write(const std::string &name, llvm::StringRef text);
  void note(const std::string &problem);
  /// Writes a snapshot and its map, and notes them in `record`.
  void writeSnapshot(const std::string &stem, const UnpackedSnapshot &snapshot, PassRecord &record);
  /// Adds a snapshot for `record`, whose pass changed the op that was fingerprinted last.
  void keepSnapshot(PassRecord record, const std::string &pass);
  /// The file name of `pass`, without extensions.
  std::string stemOf(const PassRecord &record, const std::string &pass);
  /// Writes each snapshot as a plain file with its map beside it. Returns false, and leaves none, if that is not
  /// requested, or if they are too large or cannot be written.
  bool writePlain();
  /// Writes the snapshots as an archive, or as files.
  void writeSnapshots(MLIRContext *context);
  void forget(Operation *changed);
  /// What is known about `op` if it is still valid, or null.
  const Known *findKnown(Operation *op);
  /// Stores the fingerprint of `op`.
  void learn(Operation *op, const SnapshotArchive::Fingerprint &snapshot);
  /// The fingerprint of `op` before a pass runs on it.
  SnapshotArchive::Fingerprint fingerprintBefore(Operation *op);
  void before(Pass *pass, Operation *op, const PipelineNode *node, Thread &thread);
  void after(Running running, Thread &thread, bool failed);
  void keep(PassRecord record);
  void noteForCrash(const PassRecord &record);
  /// The latest snapshot that contains the current state of the op at `path`: its own, or one of an enclosing op. Null
  /// if no single file does.
  std::optional<LastSnapshot> newestWith(const std::string &path);
  void writeReproducer(MLIRContext *context);
  /// Sorts the records after all pipelines.
  void sortRecords();
};

void PassRecorder::State::note(const std::string &problem) {
  if (error.empty())
    error = problem;
}

bool PassRecorder::State::write(const std::string &name, llvm::StringRef text) {
  std::string problem = writeRecordFile(options.directory, name, text);
  note(problem);
  if (!problem.empty())
    return false;
  files.push_back({name, hashHex(text)});
  return true;
}

void PassRecorder::State::writeSnapshot(const std::string &stem, const UnpackedSnapshot &snapshot, PassRecord &record) {
  record.file = stem + ".mlir";
  const std::vector<artifact::StoredFile> stored = artifact::storeSnapshot(record.file, snapshot.text, snapshot.map);
  record.packed = stored.size() == 1;
  if (!record.packed) {
    for (const artifact::StoredFile &file : stored)
      write(file.name, file.contents);
    return;
  }
  const std::string problem = writeRecordFile(options.directory, stored.front().name, stored.front().contents);
  note(problem);
  if (problem.empty())
    files.push_back({record.file, hashHex(snapshot.text), /*packed=*/true});
}

/// The path of the op around the one at `path`.
static llvm::StringRef pathAround(llvm::StringRef path) {
  const size_t dot = path.rfind('.');
  return dot == llvm::StringRef::npos ? "" : path.take_front(dot);
}

static llvm::SmallVector<Operation *, 3> ancestorsOf(Operation *op) {
  llvm::SmallVector<Operation *, 3> ancestors;
  while ((op = op->getParentOp()))
    ancestors.push_back(op);
  return ancestors;
}

/// Drops what is known about ops inside and around `changed`; those inside may have been erased.
void PassRecorder::State::forget(Operation *changed) {
  llvm::SmallVector<Operation *> stale;
  for (auto &[op, entry] : known)
    if (op == changed || llvm::is_contained(entry.ancestors, changed))
      stale.push_back(op);
  for (Operation *at = changed->getParentOp(); at; at = at->getParentOp())
    stale.push_back(at);
  for (Operation *op : stale)
    known.erase(op);
}

const Known *PassRecorder::State::findKnown(Operation *op) {
  auto it = known.find(op);
  if (it == known.end())
    return nullptr;
  // The op may have changed between pipelines.
  if (it->second.isOld && SnapshotArchive::identityOf(op) != it->second.snapshot.identity) {
    known.erase(it);
    return nullptr;
  }
  it->second.isOld = false;
  return &it->second;
}

void PassRecorder::State::learn(Operation *op, const SnapshotArchive::Fingerprint &snapshot) {
  const SnapshotArchive::Heads heads = archive->heads();
  for (const SnapshotArchive::Part &part : archive->parts())
    known.insert_or_assign(
        part.op, Known{part.fingerprint, {}, {heads.all, part.firstHead, part.endHead}, ancestorsOf(part.op)});
  known.insert_or_assign(op, Known{snapshot, archive->trail().vec(), heads, ancestorsOf(op)});
}

SnapshotArchive::Fingerprint PassRecorder::State::fingerprintBefore(Operation *op) {
  if (const Known *seen = findKnown(op))
    return seen->snapshot;
  const SnapshotArchive::Fingerprint now =
      archive->fingerprintAround(op, [&](Operation *part) -> SnapshotArchive::Known {
        const Known *seen = findKnown(part);
        return seen ? SnapshotArchive::Known{seen->snapshot, seen->heads} : SnapshotArchive::Known();
      });
  learn(op, now);
  return now;
}

void PassRecorder::State::before(Pass *pass, Operation *op, const PipelineNode *node, Thread &thread) {
  if (remarks && !thread.empty())
    llvm::append_range(thread.back().remarks, remarks->take());
  Running running;
  running.pass = pass;
  running.op = op;
  running.node = node;
  if (node) {
    running.path = pathOf(root, op);
    running.anchor = shortPathOf(root, op);
  }
  if (node && options.onPass)
    options.onPass(node->position, node->name, running.anchor);
  if (node && keepsEverySnapshot(options.mode)) {
    running.before = fingerprintBefore(op);
  }
  if (node && crash) {
    std::optional<LastSnapshot> snapshot = newestWith(running.path);
    crash->enter({crashTexts.of(options, pipelines, node->position), running.path, running.anchor,
                  snapshot ? snapshot->file : std::string()});
  }
  if (node && patterns)
    patterns->begin(op);
  running.isNested = op != root;
  running.start = running.isNested ? threadMilliseconds() : wallMilliseconds();
  thread.push_back(std::move(running));
}

void PassRecorder::State::after(Running running, Thread &thread, bool failed) {
  if (!running.node)
    return;
  if (crash)
    crash->leave();
  PassRecord record;
  record.remarks = std::move(running.remarks);
  if (remarks)
    llvm::append_range(record.remarks, remarks->take());
  record.milliseconds = (running.isNested ? threadMilliseconds() : wallMilliseconds()) - running.start;
  // Time of nested passes is not counted for the waiting pass.
  if (!thread.empty() && thread.back().isNested == running.isNested)
    thread.back().start += record.milliseconds;
  record.position = running.node->position;
  record.anchor = std::move(running.anchor);
  record.path = std::move(running.path);
  record.failed = failed;
  if (running.before)
    record.opsBefore = running.before->ops;
  const std::string &pass = running.node->name;
  if (patterns)
    if (std::vector<PatternStep> steps = patterns->end(); !steps.empty())
      if (const std::string name = stemOf(record, pass) + ".patterns.json"; write(name, printPatternSteps(steps)))
        record.patterns = name;
  if (failed) {
    const std::string stem = stemOf(record, pass);
    record.changed = true;
    if (!failure) {
      failure = PassFailure{record.position, running.node->name, record.anchor, record.path, {}, {}, {}, {}};
      if (options.mode != DumpMode::Off) {
        // The IR may not verify here, so use the generic form.
        SnapshotOptions generic;
        generic.generic = true;
        if (write(stem + ".failed.mlir", printSnapshot(running.op, generic).text))
          failure->file = stem + ".failed.mlir";
      }
    }
    known.clear();
    keep(std::move(record));
    return;
  }
  if (keepsEverySnapshot(options.mode)) {
    assert(running.before && "before() looks at the op in every mode that keeps all snapshots");
    // Most passes change nothing, which is detected quickly.
    auto it = known.find(running.op);
    const bool isKnown = it != known.end() && it->second.snapshot.identity == running.before->identity;
    const bool isSame =
        SnapshotArchive::isStill(running.op, running.before->identity,
                                 isKnown ? llvm::ArrayRef<uint64_t>(it->second.trail) : llvm::ArrayRef<uint64_t>());
    const SnapshotArchive::Fingerprint now = isSame ? *running.before : archive->fingerprint(running.op);
    if (isKnown && now.hash != running.before->hash)
      for (const auto &[kind, added, removed, changed] : archive->kindChanges(it->second.heads))
        record.kindChanges.push_back({kind, added, removed, changed});
    if (!isSame) {
      forget(running.op);
      learn(running.op, now);
    } else if (!isKnown) {
      known.insert_or_assign(running.op, Known{now, {}, {}, ancestorsOf(running.op)});
    }
    record.changed = now.hash != running.before->hash;
    record.opsAfter = now.ops;
    if (record.changed) {
      record.kinds = archive->kinds();
      keepSnapshot(std::move(record), pass);
    } else {
      keep(std::move(record));
    }
  } else if (options.mode == DumpMode::Phases && pipelines.endsPhase(record.position)) {
    record.changed = true;
    archive->fingerprint(running.op);
    keepSnapshot(std::move(record), pass);
  } else {
    keep(std::move(record));
  }
}

void PassRecorder::State::keep(PassRecord record) {
  records.push_back(std::move(record));
  if (crash)
    crash->addRecord(records.back());
}

std::string PassRecorder::State::stemOf(const PassRecord &record, const std::string &pass) {
  std::string stem = snapshotStem(record.position, pass, record.anchor);
  // Two paths may differ only in characters that file names cannot contain.
  if (auto [it, isNew] = stems.try_emplace(stem, record.path); !isNew && it->second != record.path)
    stem += "_" + llvm::utohexstr(llvm::xxh3_64bits(record.path), /*LowerCase=*/true);
  return stem;
}

void PassRecorder::State::keepSnapshot(PassRecord record, const std::string &pass) {
  record.file = stemOf(record, pass) + ".mlir";
  record.packed = true;
  lastSnapshots[record.path] = {record.position, record.file};
  for (llvm::StringRef around = record.path; !around.empty();) {
    around = pathAround(around);
    int &newest = newestInside[around];
    newest = std::max(newest, record.position);
  }
  archive->keep(record.file);
  if (plain)
    plain->wake();
  keep(std::move(record));
}

bool PassRecorder::State::writePlain() {
  const bool isWhole = plain && plain->finish();
  if (plain)
    note(plain->problem());
  if (!isWhole)
    return false;
  llvm::append_range(files, plain->files());
  for (PassRecord &record : records)
    record.packed = false;
  return true;
}

void PassRecorder::State::writeSnapshots(MLIRContext *context) {
  if (!isPlain)
    plain = nullptr;
  if (!archive || archive->isEmpty())
    return;
  if (options.sealsSnapshots && !failure && isPlain)
    return;
  if (options.sealsSnapshots && !failure) {
    if (!isWritten)
      write(std::string(artifact::kSnapshotArchiveFile), compress(sortArchive(archive->contentPieces())));
    files.push_back({std::string(kInputSnapshot), "", /*packed=*/true});
    for (const PassRecord &record : records)
      if (!record.file.empty())
        files.push_back({record.file, "", /*packed=*/true});
    return;
  }
  PassRecord input;
  std::map<std::string, PassRecord *> byFile{{std::string(kInputSnapshot), &input}};
  for (PassRecord &record : records)
    byFile[record.file] = &record;
  // Use a new context, since resources are renamed in a context that has them already.
  MLIRContext scratch(context->getDialectRegistry());
  scratch.allowUnregisteredDialects();
  std::mutex mutex;
  const Status unpacked =
      unpackSnapshots(archive->contents(), "the record", &scratch, textOptions(),
                      [&](const std::string &name, const UnpackedSnapshot &snapshot) {
                        std::lock_guard lock(mutex);
                        writeSnapshot(llvm::StringRef(name).drop_back(5).str(), snapshot, *byFile.at(name));
                        return true;
                      });
  if (!unpacked)
    note(unpacked.error().message);
}

//===------------------------------------------------------------------------------------------------------------===//
// Failures
//===------------------------------------------------------------------------------------------------------------===//

std::optional<PassRecorder::State::LastSnapshot> PassRecorder::State::newestWith(const std::string &path) {
  if (!keepsEverySnapshot(options.mode))
    return std::nullopt;
  const LastSnapshot *newest = nullptr;
  auto consider = [&](llvm::StringRef other) {
    if (auto it = lastSnapshots.find(other);
        it != lastSnapshots.end() && (!newest || it->second.position > newest->position))
      newest = &it->second;
  };
  consider(path);
  for (llvm::StringRef around = path; !around.empty();) {
    around = pathAround(around);
    consider(around);
  }
  // A later snapshot may contain a newer state of a part.
  if (!newest || newestInside.lookup(path) > newest->position)
    return std::nullopt;
  return *newest;
}

void PassRecorder::State::writeReproducer(MLIRContext *context) {
  const RecordedPass &pass = pipelines.pass(failure->position);
  std::string problem;
  std::vector<std::string> names;
  std::optional<Reproducer> reproducer;
  std::optional<RecordedState> recorded = loadRecordedState(options.directory, failure->position - 1, context, problem);
  if (recorded) {
    ReproducerSource source;
    source.title = options.tool + ": " + passTitle(pass, "");
    source.op = failure->anchor;
    source.arguments = optArguments(options, pipelines.between(recorded->position, failure->position));
    if (recorded->position == failure->position - 1) {
      source.path = failure->path;
      source.pathArguments = optArguments(options, pipelineOnOp(pass));
    }
    reproducer = makeReproducer(std::move(*recorded), std::move(source));
    problem = compiler::writeReproducer(*reproducer, options.directory + "/" + options.reproducer, names);
  }
  note(problem);
  if (!problem.empty())
    return;
  for (const std::string &name : names)
    files.push_back({options.reproducer + "/" + name, ""});
  failure->input = options.reproducer + "/input.mlir";
  failure->reproducer = options.reproducer;
  failure->command = "mica-opt " + options.reproducer + "/input.mlir" + reproducer->arguments;
}

//===------------------------------------------------------------------------------------------------------------===//
// Instrumentation
//===------------------------------------------------------------------------------------------------------------===//

class PassRecorder::Instrumentation : public PassInstrumentation {
public:
  Instrumentation(std::shared_ptr<State> state, size_t manager) : state(std::move(state)), manager(manager) {}

  void runBeforePipeline(std::optional<OperationName> name, const PipelineParentInfo &parent) override {
    state->walk.enterPipeline(name, parent.parentPass);
  }
  void runAfterPipeline(std::optional<OperationName> name, const PipelineParentInfo &parent) override {
    state->walk.leavePipeline();
  }

  void runBeforePass(Pass *pass, Operation *op) override {
    if (!started)
      start(op);
    if (isAdaptor(pass))
      return state->walk.enterAdaptor(pass);
    state->before(pass, op, state->walk.next(), thisThread());
  }

  void runAfterPass(Pass *pass, Operation *op) override { finishPass(pass, /*failed=*/false); }
  void runAfterPassFailed(Pass *pass, Operation *op) override { finishPass(pass, /*failed=*/true); }

private:
  Thread &thisThread() { return state->threads[llvm::get_threadid()]; }

  void start(Operation *op) {
    started = true;
    state->root = op;
    state->threads.clear();
    for (auto &[known, entry] : state->known)
      entry.isOld = true;
    // Starting a pass manager merges nested pipelines; from here on the printed order is the execution order.
    const bool isNews = state->pipelines.read();
    if (isNews)
      state->crashTexts.clear();
    state->walk.start(state->pipelines.roots()[manager]);
    if (!state->hasInput)
      recordInput(*state, op);
    const bool isFirst = !state->crash;
    if (state->options.mode != DumpMode::Off && isFirst)
      state->crash = std::make_unique<CrashRecord>(state->options.directory + "/index.json",
                                                   state->options.directory + "/" + state->options.reproducer);
    if (state->options.mode != DumpMode::Off)
      state->makePack(op->getContext());
    if (state->crash) {
      state->crash->setArchive(state->archive.get());
      if (isNews || isFirst)
        state->crash->setHead(printIndexHead(state->pipelines, state->options));
    }
  }

  void finishPass(Pass *pass, bool failed) {
    if (isAdaptor(pass))
      return state->walk.leaveAdaptor(pass);
    Thread &thread = thisThread();
    if (thread.empty())
      return;
    Running running = std::move(thread.back());
    thread.pop_back();
    state->after(std::move(running), thread, failed);
  }

  std::shared_ptr<State> state;
  size_t manager;
  bool started = false;

public:
  static void recordInput(State &state, Operation *op) {
    state.hasInput = true;
    if (state.options.mode == DumpMode::Off)
      return;
    state.lastSnapshots[""] = {0, std::string(kInputSnapshot)};
    if (state.options.sealsSnapshots) {
      state.makePack(op->getContext());
      state.learn(op, state.archive->fingerprint(op));
      state.archive->keep(kInputSnapshot);
      if (state.plain)
        state.plain->wake();
      return;
    }
    Snapshot snapshot = printSnapshot(op);
    const std::string map = printLineMap(snapshot, kInputSnapshot, /*hashes=*/true);
    PassRecord input;
    state.writeSnapshot("0000_input", {std::move(snapshot.text), map}, input);
  }
};

PassRecorder::PassRecorder(RecorderOptions options) : state(std::make_shared<State>()) {
  state->options = std::move(options);
}
PassRecorder::~PassRecorder() = default;

void PassRecorder::attach(PassManager &pm, llvm::ArrayRef<PhaseSpan> phases) {
  if (state->options.remarks && state->pipelines.size() == 0)
    state->remarks = RemarkCollector::listen(*pm.getContext());
  if (state->options.mode == DumpMode::Patterns && !state->patterns) {
    state->patterns = PatternLog::listen(*pm.getContext());
    if (!state->patterns)
      state->error = "patterns cannot be recorded while another flag (--log-actions-to, --profile-actions-to, "
                     "--mlir-debug-counter) listens to the actions of MLIR";
  }
  state->pipelines.add(pm, phases);
  pm.addInstrumentation(std::make_unique<Instrumentation>(state, state->pipelines.size() - 1));
}

void PassRecorder::recordInput(Operation *op) { Instrumentation::recordInput(*state, op); }

void PassRecorder::State::sortRecords() {
  if (std::exchange(isSorted, true))
    return;
  head = crash ? crash->head() : printIndexHead(pipelines, options);
  crash = nullptr;
  llvm::stable_sort(records, [](const PassRecord &a, const PassRecord &b) {
    return std::tie(a.position, a.anchor) < std::tie(b.position, b.anchor);
  });
}

std::function<void()> PassRecorder::prepare() {
  state->sortRecords();
  if (state->failure || !state->options.sealsSnapshots || !state->archive || state->archive->isEmpty())
    return {};
  return [this] {
    std::string compressed = compress(sortArchive(state->archive->contentPieces()));
    state->isPlain = state->writePlain();
    if (state->isPlain)
      state->plainArchive = std::move(compressed);
    else
      state->write(std::string(artifact::kSnapshotArchiveFile), compressed);
    state->write("index.json", printRecordIndex(records(), failure(), !timesAside(), state->head));
    state->isWritten = true;
  };
}

LogicalResult PassRecorder::finish(MLIRContext *context) {
  state->sortRecords();
  state->writeSnapshots(context);
  // Threads add files in any order; sort them, so that the list is deterministic.
  llvm::sort(state->files, [](const RecordedFile &a, const RecordedFile &b) { return a.name < b.name; });
  if (state->options.mode == DumpMode::Off)
    return success(state->error.empty());
  if (!state->isWritten)
    state->write("index.json", printRecordIndex(records(), failure(), !timesAside(), state->head));
  if (state->failure && context) {
    // The reproducer is written from the index, and the index names the reproducer.
    state->writeReproducer(context);
    state->write("index.json", printRecordIndex(records(), failure(), !timesAside(), state->head));
  }
  return success(state->error.empty());
}

const std::string &PassRecorder::archive() const { return state->plainArchive; }
bool PassRecorder::timesAside() const { return state->options.timesAside && !state->failure; }
const std::string &PassRecorder::directory() const { return state->options.directory; }
const std::deque<PassRecord> &PassRecorder::records() const { return state->records; }
const std::vector<RecordedPass> &PassRecorder::passes() const { return state->pipelines.passes(); }
const std::optional<PassFailure> &PassRecorder::failure() const { return state->failure; }
const std::string &PassRecorder::error() const { return state->error; }
const std::vector<RecordedFile> &PassRecorder::files() const { return state->files; }
