//===- Record.cpp - reading the record of a compile -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Record.h. Keys that shorter or older records lack are treated as unknown.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/Record.h"

#include "mica/Support/Text.h"

#include "mica/Artifact/SnapshotFile.h"

#include "mica/Artifact/BuildRecord.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

static std::string join(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static std::string text(const llvm::json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

static RecordedRun readRun(const llvm::json::Object &object, const artifact::BuildRecord &build) {
  RecordedRun run;
  run.position = object.getInteger("position").value_or(0);
  run.op = text(object, "op");
  run.milliseconds =
      object.getNumber("ms").value_or(build.timeOf(run.position, object.getString("path").value_or(run.op)));
  run.changed = object.getBoolean("changed").value_or(false);
  run.failed = object.getBoolean("failed").value_or(false);
  run.file = text(object, "file");
  run.opsBefore = object.getInteger("ops_before").value_or(-1);
  run.opsAfter = object.getInteger("ops_after").value_or(-1);
  if (const llvm::json::Array *remarks = object.getArray("remarks"))
    for (const llvm::json::Value &value : *remarks)
      if (const llvm::json::Object *item = value.getAsObject()) {
        RecordedRemark remark{text(*item, "message"), {}};
        if (const llvm::json::Array *ids = item->getArray("ids"))
          for (const llvm::json::Value &id : *ids)
            remark.ids.push_back(id.getAsString().value_or("").str());
        run.remarks.push_back(std::move(remark));
      }
  return run;
}

Result<Record> Record::open(const std::string &folder) {
  Record record;
  std::string inner = join(folder, "passes_dump");
  record.directory = llvm::sys::fs::exists(join(inner, "index.json")) ? inner : folder;
  std::string path = join(record.directory, "index.json");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return Error{ErrorCode::NotFound,
                 "'" + folder + "' holds no record: cannot read '" + path + "': " + buffer.getError().message(),
                 "give an artifact compiled without --dump-passes=off, or the folder of mica-opt --record"};
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*buffer)->getBuffer());
  const llvm::json::Object *root = json ? json->getAsObject() : nullptr;
  const llvm::json::Array *passes = root ? root->getArray("passes") : nullptr;
  const llvm::json::Array *runs = root ? root->getArray("records") : nullptr;
  if (!passes || !runs) {
    std::string problem = json ? "no list 'passes' and 'records'" : llvm::toString(json.takeError());
    return Error{ErrorCode::Damaged, path + ": " + problem, "the record was cut off or edited; make it again"};
  }
  record.input = text(*root, "input");
  record.pipelineOfAll = text(*root, "pipeline");
  const artifact::BuildRecord build = artifact::readBuildRecord(folder);
  for (const llvm::json::Value &value : *passes)
    if (const llvm::json::Object *item = value.getAsObject())
      record.pipeline.push_back({item->getInteger("position").value_or(0), text(*item, "pass"), text(*item, "options"),
                                 text(*item, "anchor"), text(*item, "phase")});
  for (const llvm::json::Value &value : *runs)
    if (const llvm::json::Object *item = value.getAsObject())
      record.all.push_back(readRun(*item, build));
  if (const llvm::json::Object *failure = root->getObject("failure"))
    record.failed = RecordedFailure{failure->getInteger("position").value_or(0), text(*failure, "pass"),
                                    text(*failure, "op"), text(*failure, "how")};
  llvm::stable_sort(record.all, [](const RecordedRun &a, const RecordedRun &b) { return a.position < b.position; });
  return record;
}

const RecordedPassInfo *Record::pass(int64_t position) const {
  for (const RecordedPassInfo &info : pipeline)
    if (info.position == position)
      return &info;
  return nullptr;
}

std::string Record::title(int64_t position) const {
  std::string number = std::to_string(position);
  number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
  const RecordedPassInfo *info = pass(position);
  return number + " " + (info ? info->pass : "input");
}

Result<int64_t> Record::position(const std::string &word) const {
  int64_t number = 0;
  if (!llvm::StringRef(word).getAsInteger(10, number)) {
    int64_t last = pipeline.empty() ? 0 : pipeline.back().position;
    if (number >= 0 && number <= last)
      return number;
    return Error{ErrorCode::InvalidInput, "the pipeline of '" + directory + "' has no pass " + word,
                 "passes are numbered 1 to " + std::to_string(last) + "; 0 is the input"};
  }
  std::vector<std::string> places, names;
  int64_t found = 0;
  for (const RecordedPassInfo &info : pipeline) {
    names.push_back(info.pass);
    if (info.pass == word) {
      places.push_back(std::to_string(info.position));
      found = info.position;
    }
  }
  if (places.size() == 1)
    return found;
  if (places.empty())
    return Error{ErrorCode::InvalidInput, "no pass '" + word + "' in the pipeline of '" + directory + "'",
                 unknownNameHint(word, {names.begin(), names.end()})};
  return Error{ErrorCode::InvalidInput,
               "pass '" + word + "' runs " + std::to_string(places.size()) + " times in '" + directory + "'",
               "say which by its position: " + llvm::join(places, ", ")};
}

std::vector<std::string> Record::changedOps(int64_t after, int64_t upTo) const {
  std::vector<std::string> ops;
  for (const RecordedRun &run : all)
    if (run.position > after && run.position <= upTo && !run.file.empty() && !llvm::is_contained(ops, run.op))
      ops.push_back(run.op);
  return ops;
}

/// Whether the op called `inner` is nested in `outer`: "k.body" in "k", and everything in "".
static bool isInside(llvm::StringRef inner, llvm::StringRef outer) {
  return inner != outer && (outer.empty() || (inner.starts_with(outer) && inner[outer.size()] == '.'));
}

std::vector<const RecordedRun *> Record::snapshotsOf(const std::string &op, int64_t position) const {
  // The newest snapshot of the op or of an op around it, then the newer ones of nested ops.
  const RecordedRun *base = nullptr;
  for (const RecordedRun &run : all)
    if (run.position <= position && !run.file.empty() && (run.op == op || isInside(op, run.op)))
      base = &run;
  std::vector<const RecordedRun *> snapshots{base};
  for (const RecordedRun &run : all)
    if (run.position <= position && !run.file.empty() && isInside(run.op, op) &&
        (!base || run.position > base->position)) {
      // Replaces an older snapshot of the same op, or of one nested in it.
      llvm::erase_if(snapshots, [&](const RecordedRun *older) {
        return older != base && (older->op == run.op || isInside(older->op, run.op));
      });
      snapshots.push_back(&run);
    }
  return snapshots;
}

std::string Record::fingerprint(const std::string &op, int64_t position) const {
  std::string files;
  for (const RecordedRun *run : snapshotsOf(op, position)) {
    llvm::SmallString<256> path(directory);
    llvm::sys::path::append(path, run ? run->file : input);
    if (Result<std::string> text = artifact::readText(path.str().str()))
      files += *text;
  }
  return files;
}

/// The op at the symbol path `path` ("k", "k.body") from `root`; null if there is none.
static Operation *findOp(Operation *root, llvm::StringRef path) {
  if (path.empty())
    return root;
  for (Region &region : root->getRegions())
    for (Operation &op : region.getOps()) {
      auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      // The outermost module of a snapshot may be missing in the path.
      if (!name && isa<ModuleOp>(op))
        if (Operation *inner = findOp(&op, path))
          return inner;
      if (!name || !path.starts_with(name.getValue()))
        continue;
      llvm::StringRef rest = path.drop_front(name.size());
      if (rest.empty())
        return &op;
      if (rest.consume_front("."))
        if (Operation *inner = findOp(&op, rest))
          return inner;
    }
  return nullptr;
}

/// The root of op paths in `document`: the op itself if the document is that of a kernel.
static Operation *named(const Document &document, bool isPart) {
  ModuleOp root = document.root.get();
  return isPart && !root.getBody()->empty() ? &root.getBody()->front() : root.getOperation();
}

/// The line that closes the op that begins on line `first` and whose last nested op begins on line `last`: the first
/// one after it with the indentation of `first`. `last` if the text is not indented normally.
static int64_t closingLine(const std::vector<std::string> &text, int64_t first, int64_t last) {
  auto indent = [&](int64_t line) { return text[line - 1].find_first_not_of(' '); };
  if (first > last || last > static_cast<int64_t>(text.size()))
    return last;
  for (int64_t line = last + 1; line <= static_cast<int64_t>(text.size()); ++line) {
    const size_t here = indent(line);
    if (here == std::string::npos || here > indent(first))
      continue;
    return here == indent(first) && text[line - 1][here] == '}' ? line : last;
  }
  return last;
}

/// `kept`, an op of `document`, alone; views show only its lines of the file.
static Document keepOnly(const Document &document, Operation *kept) {
  Document part = copyPart(document, kept);
  int64_t first = INT64_MAX, last = 0;
  for (const auto &[op, line] : part.lines) {
    first = std::min(first, line);
    last = std::max(last, line);
  }
  last = std::max(last, closingLine(part.text, first, last));
  part.hidden.clear();
  for (int64_t line = 1; line <= static_cast<int64_t>(part.text.size()); ++line)
    if (line < first || line > last)
      part.hidden.push_back(line);
  return part;
}

/// Replaces `old` by the one op of `snapshot`, with its properties.
static void substitute(Document &document, Operation *old, Document snapshot) {
  Operation *newer = &snapshot.root->getBody()->front();
  newer->remove();
  old->getBlock()->getOperations().insert(old->getIterator(), newer);
  old->walk([&](Operation *op) { document.origins.erase(op); });
  old->erase();
  for (auto &[op, origin] : snapshot.origins)
    document.origins[op] = std::move(origin);
}

/// The rest of the path of `op` relative to the snapshot that contains it.
static llvm::StringRef pathInside(llvm::StringRef op, const RecordedRun *holder) {
  if (holder) {
    op.consume_front(holder->op);
    op.consume_front(".");
  }
  return op;
}

static Error noSnapshotBefore(const Record &record, int64_t position) {
  return Error{ErrorCode::NotFound,
               "the record in '" + record.folder() + "' has no snapshot before pass " + record.title(position + 1),
               "record with --dump-passes=passes"};
}

/// The part of `document`, a snapshot of `holder` (null: of the program), for `op` after pass `position`.
static Result<Document> savedPart(const Record &record, const Document &document, const RecordedRun *holder,
                                  const std::string &op, int64_t position) {
  Operation *inner = findOp(named(document, holder && !holder->op.empty()), pathInside(op, holder));
  if (!inner)
    return Error{ErrorCode::NotFound, "'" + op + "' does not exist yet after pass " + record.title(position),
                 "ask for later passes, or for the program's: leave out --op"};
  return keepOnly(document, inner);
}

/// "{  a=1  b=2 }" -> "{a=1 b=2}".
static std::string tidyOptions(llvm::StringRef options) {
  if (!options.consume_front("{") || !options.consume_back("}"))
    return options.str();
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(options, words);
  return words.empty() ? "" : "{" + llvm::join(words, " ") + "}";
}

std::vector<std::string> irtools::pipelinesOf(const RecordedPassInfo &info) {
  llvm::SmallVector<llvm::StringRef> anchors;
  llvm::StringRef rest = llvm::StringRef(info.anchor).rtrim(")");
  rest.split(anchors, '(', -1, false);
  std::vector<std::string> pipelines;
  for (size_t drop = 0; drop < std::max<size_t>(anchors.size(), 1); ++drop) {
    std::string text = info.pass + tidyOptions(info.options);
    // The outermost anchor is kept; those between it and the innermost are dropped.
    for (size_t i = anchors.size(); i-- > 1 + drop;)
      text = anchors[i].str() + "(" + text + ")";
    // An anchor that is not a module is kept: function passes are nested in the module.
    if (drop > 0 && anchors.size() > 1 && anchors.back() != "builtin.module" && drop + 1 >= anchors.size())
      break;
    pipelines.push_back("builtin.module(" + text + ")");
  }
  return pipelines;
}

Result<Document> Record::state(const std::string &op, int64_t position, MLIRContext &context) const {
  std::vector<const RecordedRun *> snapshots = snapshotsOf(op, position);
  std::string name = snapshots.front() ? snapshots.front()->file : input;
  if (name.empty())
    return noSnapshotBefore(*this, position);
  MICA_ASSIGN_OR_RETURN(Document document, readDocument(join(directory, name), context));
  if (!document.root)
    return document;
  if (!pathInside(op, snapshots.front()).empty()) {
    MICA_ASSIGN_OR_RETURN(Document part, savedPart(*this, document, snapshots.front(), op, position));
    document = std::move(part);
  }
  if (snapshots.size() == 1)
    return document;
  for (const RecordedRun *run : llvm::drop_begin(snapshots)) {
    MICA_ASSIGN_OR_RETURN(Document snapshot, readDocument(join(directory, run->file), context));
    llvm::StringRef inner = run->op;
    inner.consume_front(op);
    inner.consume_front(".");
    Operation *outer = named(document, !op.empty());
    Operation *old = outer ? findOp(outer, inner) : nullptr;
    if (old && !snapshot.root)
      return snapshot; // It does not parse, and neither does the program with it.
    if (!old || !llvm::hasSingleElement(*snapshot.root->getBody()))
      continue; // of an op that was removed later
    substitute(document, old, std::move(snapshot));
  }
  printAgain(document, /*elides=*/false);
  document.name += " and " + std::to_string(snapshots.size() - 1) + " newer parts of it";
  return document;
}

Result<SharedDocument> RecordStates::file(const std::string &name) {
  if (SharedDocument document = known[name].lock())
    return document;
  MICA_ASSIGN_OR_RETURN(Document read, readDocument(join(record.directory, name), context));
  SharedDocument document = std::make_shared<const Document>(std::move(read));
  known[name] = document;
  return document;
}

Result<SharedDocument> RecordStates::state(const std::string &op, int64_t position) {
  MICA_ASSIGN_OR_RETURN(SharedDocument document, find(op, position));
  newest[op] = document;
  return document;
}

Result<SharedDocument> RecordStates::find(const std::string &op, int64_t position) {
  const std::vector<const RecordedRun *> snapshots = record.snapshotsOf(op, position);
  const std::string name = snapshots.front() ? snapshots.front()->file : record.input;
  if (name.empty())
    return noSnapshotBefore(record, position);
  if (snapshots.size() == 1 && pathInside(op, snapshots.front()).empty())
    return file(name);
  std::string key = op;
  for (const RecordedRun *run : snapshots)
    key += "\n" + (run ? run->file : record.input);
  if (SharedDocument document = known[key].lock())
    return document;
  std::optional<Document> made;
  if (snapshots.size() == 1) {
    MICA_ASSIGN_OR_RETURN(SharedDocument holder, file(name));
    whole = std::move(holder);
    if (!whole->root)
      return whole;
    MICA_ASSIGN_OR_RETURN(Document part, savedPart(record, *whole, snapshots.front(), op, position));
    made = std::move(part);
  } else {
    MICA_ASSIGN_OR_RETURN(Document composed, record.state(op, position, context));
    made = std::move(composed);
  }
  SharedDocument document = std::make_shared<const Document>(std::move(*made));
  known[key] = document;
  return document;
}

const std::string &RecordStates::hashOf(const std::string &name) {
  auto [at, isNew] = hashes.try_emplace(name);
  if (!isNew)
    return at->second;
  if (artifact::isSealed(record.directory))
    (void)artifact::unseal(record.directory); // errors are reported when the state is read
  Hasher hasher;
  for (const std::string &file : artifact::snapshotFiles(name)) {
    const Result<std::string> contents = readFile(join(record.directory, file));
    hasher.update(contents ? hashHex(*contents) : "none");
  }
  return at->second = hasher.hex();
}

std::string RecordStates::keyOf(const std::string &op, int64_t from, int64_t to) {
  std::string key = op;
  for (int64_t position : {from, to}) {
    key += "\n";
    for (const RecordedRun *run : record.snapshotsOf(op, position)) {
      const std::string &name = run ? run->file : record.input;
      key += "\n" + name + " " + hashOf(name);
    }
  }
  return hashHex(key);
}
