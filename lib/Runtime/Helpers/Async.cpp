//===- Async.cpp - what code of the async dialect calls -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Functions with the names and types of upstream's library mlir_async_runtime. A region of async.execute runs at once,
// on the thread of its caller: whatever can be awaited is done by then, or waits for something that is not. What is
// awaited and cannot become ready, which upstream would wait for without end, is in the error state, and the program
// says so.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Helpers/Helpers.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace mica::runtime {

namespace {
using Resume = void (*)(void *);

enum class State { Pending, Available, Failed };

/// A token, a value or a group. The program counts its references.
struct Object {
  explicit Object(int64_t references) : references(references) {}

  std::atomic<int64_t> references;
  State state = State::Pending;
  int64_t missing = 0;                            ///< of a group: members that are not available yet
  int64_t members = 0;                            ///< of a group
  std::vector<Object *> groups;                   ///< that this is a member of
  std::vector<std::pair<void *, Resume>> waiting; ///< coroutines to resume
  std::unique_ptr<char[]> storage;                ///< of a value
};
} // namespace

static void addRef(Object *object, int64_t count) { object->references += count; }
static void dropRef(Object *object, int64_t count) {
  if ((object->references -= count) == 0)
    delete object;
}

static void settle(Object *object, State state) {
  object->state = state;
  for (Object *group : std::exchange(object->groups, {})) {
    if (state == State::Failed)
      group->state = State::Failed;
    if (--group->missing == 0) {
      if (group->state == State::Pending)
        group->state = State::Available;
      for (auto [handle, resume] : std::exchange(group->waiting, {}))
        resume(handle);
    }
    dropRef(group, 1);
  }
  for (auto [handle, resume] : std::exchange(object->waiting, {}))
    resume(handle);
}

/// A token or value has two owners: whoever awaits it, and the code that makes it available.
static Object *createToken() { return new Object(2); }
static Object *createValue(int64_t size) {
  auto *value = new Object(2);
  value->storage = std::make_unique<char[]>(static_cast<size_t>(size));
  return value;
}
static Object *createGroup(int64_t size) {
  auto *group = new Object(1);
  group->missing = size;
  if (size == 0)
    group->state = State::Available;
  return group;
}
static int64_t addTokenToGroup(Object *token, Object *group) {
  if (token->state == State::Pending) {
    addRef(group, 1);
    token->groups.push_back(group);
  } else {
    if (token->state == State::Failed)
      group->state = State::Failed;
    if (--group->missing == 0 && group->state == State::Pending)
      group->state = State::Available;
  }
  return group->members++;
}
static void emplace(Object *object) {
  settle(object, State::Available);
  dropRef(object, 1);
}
static void setError(Object *object) {
  settle(object, State::Failed);
  dropRef(object, 1);
}
/// Nobody makes available what is pending while something waits for it.
static bool isError(Object *object) { return object->state != State::Available; }
static void await(Object *) {}
static void *storageOf(Object *value) { return value->storage.get(); }
static void execute(void *handle, Resume resume) { resume(handle); }
static void awaitAndExecute(Object *object, void *handle, Resume resume) {
  if (object->state == State::Pending)
    object->waiting.push_back({handle, resume});
  else
    resume(handle);
}
static int64_t workerThreads() { return 1; }
static void printThread() { writeOut("Current thread id: 1\n"); }

template <typename F> static void *addressOf(F *function) { return reinterpret_cast<void *>(function); }

void appendAsyncHelpers(std::vector<Helper> &helpers) {
  const std::string prefix = "mlirAsyncRuntime";
  helpers.insert(helpers.end(), {{prefix + "AddRef", addressOf(addRef)},
                                 {prefix + "DropRef", addressOf(dropRef)},
                                 {prefix + "CreateToken", addressOf(createToken)},
                                 {prefix + "CreateValue", addressOf(createValue)},
                                 {prefix + "CreateGroup", addressOf(createGroup)},
                                 {prefix + "AddTokenToGroup", addressOf(addTokenToGroup)},
                                 {prefix + "GetValueStorage", addressOf(storageOf)},
                                 {prefix + "Execute", addressOf(execute)},
                                 {prefix + "PrintCurrentThreadId", addressOf(printThread)},
                                 // Upstream spells it so.
                                 {"mlirAsyncRuntimGetNumWorkerThreads", addressOf(workerThreads)}});
  for (const char *kind : {"Token", "Value"}) {
    helpers.push_back({prefix + "Emplace" + kind, addressOf(emplace)});
    helpers.push_back({prefix + "Set" + kind + "Error", addressOf(setError)});
  }
  for (const char *kind : {"Token", "Value", "Group"})
    helpers.push_back({prefix + "Is" + kind + "Error", addressOf(isError)});
  for (const char *kind : {"Token", "Value", "AllInGroup"}) {
    helpers.push_back({prefix + "Await" + kind, addressOf(await)});
    helpers.push_back({prefix + "Await" + kind + "AndExecute", addressOf(awaitAndExecute)});
  }
}

} // namespace mica::runtime
