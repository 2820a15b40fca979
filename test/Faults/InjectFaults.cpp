//===- InjectFaults.cpp - a library that makes one call of the system fail ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For LD_PRELOAD. It counts the calls that a process makes from main() on, by their kind, and lets one of them fail as
// the system would. walk_faults.py drives it by the environment:
//
//   FAULT_PROGRAM=mica-run   the program in which faults are injected; others run as ever
//   FAULT_KIND=alloc         which kind of call: the names in kKinds
//   FAULT_AT=17              which call of that kind fails, from 1; `17+`: that one and all after it
//   FAULT_RECORD=FILE        no fault: FILE gets a line `kind index` for the first call from each place of the
//                                 program (a distinct stack), and after each the number of calls so far
//   FAULT_CLOCK=back         CLOCK_REALTIME goes back by a minute with every look at it
//
// What the C library calls inside itself (fopen's open, malloc's mmap) is not reached; its own allocations are.
//
//===------------------------------------------------------------------------------------------------------------===//

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

enum Kind { Alloc, Open, Read, Write, Sync, Rename, Folder, Map, Thread, Exec, Lock, KindCount };

struct KindInfo {
  const char *name;
  int error; ///< what the call that fails says
};
constexpr KindInfo kKinds[KindCount] = {{"alloc", ENOMEM},  {"open", EMFILE},   {"read", EIO},     {"write", ENOSPC},
                                        {"sync", EIO},      {"rename", ENOSPC}, {"mkdir", ENOSPC}, {"mmap", ENOMEM},
                                        {"thread", EAGAIN}, {"exec", ENOMEM},   {"lock", ENOLCK}};

struct State {
  bool armed = false;
  bool forever = false;
  bool clockGoesBack = false;
  int kind = -1;
  int64_t at = 0;
  int record = -1;
  std::atomic<int64_t> counts[KindCount] = {};
  std::atomic<int64_t> looks = 0;
  /// Hashes of the stacks that were seen; 0: free.
  std::atomic<uint64_t> seen[1 << 16] = {};
};
State state;

/// What the library itself does is not counted.
__attribute__((tls_model("initial-exec"))) thread_local bool isInside = false;

uint64_t stackHash() {
  void *frames[10];
  const int count = backtrace(frames, 10);
  uint64_t hash = 1469598103934665603ull;
  for (int i = 2; i < count; ++i)
    hash = (hash ^ reinterpret_cast<uintptr_t>(frames[i])) * 1099511628211ull;
  return hash | 1;
}

bool isNew(uint64_t hash) {
  constexpr size_t kSlots = sizeof(state.seen) / sizeof(state.seen[0]);
  for (size_t i = hash % kSlots, tries = 0; tries < kSlots; i = (i + 1) % kSlots, ++tries) {
    uint64_t there = 0;
    if (state.seen[i].compare_exchange_strong(there, hash))
      return true;
    if (there == hash)
      return false;
  }
  return false;
}

/// Whether this call of `kind` is the one that fails; errno is then set.
bool fails(Kind kind) {
  if (!state.armed || isInside)
    return false;
  const int64_t index = ++state.counts[kind];
  if (state.record >= 0) {
    isInside = true;
    const int former = errno;
    if (isNew(stackHash() ^ uint64_t(kind))) {
      char line[64];
      const int size = snprintf(line, sizeof line, "%s %lld\n", kKinds[kind].name, static_cast<long long>(index));
      syscall(SYS_write, state.record, line, size);
    }
    errno = former;
    isInside = false;
    return false;
  }
  if (kind != state.kind || (state.forever ? index < state.at : index != state.at))
    return false;
  errno = kKinds[kind].error;
  return true;
}

/// The function that this library stands in front of.
template <typename Function> Function next(Function, const char *name) {
  const bool wasInside = isInside;
  isInside = true;
  auto *found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  isInside = wasInside;
  return found;
}
#define NEXT(NAME) static const auto real = next(&NAME, #NAME)

void arm() {
  const char *program = getenv("FAULT_PROGRAM");
  if (!program || strcmp(program, program_invocation_short_name) != 0)
    return;
  isInside = true;
  void *frame = nullptr;
  backtrace(&frame, 1); // loads a library at its first call
  if (const char *kind = getenv("FAULT_KIND"))
    for (int i = 0; i < KindCount; ++i)
      if (strcmp(kind, kKinds[i].name) == 0)
        state.kind = i;
  if (const char *at = getenv("FAULT_AT")) {
    state.at = atoll(at);
    state.forever = at[strlen(at) - 1] == '+';
  }
  if (const char *clock = getenv("FAULT_CLOCK"))
    state.clockGoesBack = strcmp(clock, "back") == 0;
  if (const char *record = getenv("FAULT_RECORD"))
    state.record =
        static_cast<int>(syscall(SYS_openat, AT_FDCWD, record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  isInside = false;
  state.armed = true;
}

int (*realMain)(int, char **, char **);
int armedMain(int argc, char **argv, char **envp) {
  arm();
  const int code = realMain(argc, argv, envp);
  // What runs at exit can report nothing any more.
  state.armed = false;
  return code;
}

} // namespace

extern "C" {

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(), void (*fini)(),
                      void (*rtldFini)(), void *stackEnd) {
  realMain = main;
  NEXT(__libc_start_main);
  return real(armedMain, argc, argv, init, fini, rtldFini, stackEnd);
}

void *malloc(size_t size) { return fails(Alloc) ? nullptr : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(Alloc) ? nullptr : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return fails(Alloc) ? nullptr : __libc_realloc(memory, size); }
void *memalign(size_t alignment, size_t size) { return fails(Alloc) ? nullptr : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails(Alloc) ? nullptr : __libc_memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (fails(Alloc))
    return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

static mode_t modeOf(int flags, va_list &rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = modeOf(flags, rest);
  va_end(rest);
  NEXT(open);
  return fails(Open) ? -1 : real(path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = modeOf(flags, rest);
  va_end(rest);
  NEXT(openat);
  return fails(Open) ? -1 : real(folder, path, flags, mode);
}
FILE *fopen(const char *path, const char *mode) {
  NEXT(fopen);
  return fails(Open) ? nullptr : real(path, mode);
}
// With offsets of 64 bits the two are one.
static_assert(sizeof(off_t) == 8);
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));
FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

ssize_t read(int file, void *to, size_t size) {
  NEXT(read);
  return fails(Read) ? -1 : real(file, to, size);
}
ssize_t pread(int file, void *to, size_t size, off_t offset) {
  NEXT(pread);
  return fails(Read) ? -1 : real(file, to, size, offset);
}

/// Messages must come through.
static bool isMessage(int file) { return file == STDERR_FILENO; }

ssize_t write(int file, const void *from, size_t size) {
  NEXT(write);
  return !isMessage(file) && fails(Write) ? -1 : real(file, from, size);
}
ssize_t pwrite(int file, const void *from, size_t size, off_t offset) {
  NEXT(pwrite);
  return fails(Write) ? -1 : real(file, from, size, offset);
}
ssize_t writev(int file, const struct iovec *pieces, int count) {
  NEXT(writev);
  return !isMessage(file) && fails(Write) ? -1 : real(file, pieces, count);
}
int ftruncate(int file, off_t size) noexcept {
  NEXT(ftruncate);
  return fails(Write) ? -1 : real(file, size);
}
int fflush(FILE *stream) {
  NEXT(fflush);
  return stream != stderr && fails(Write) ? EOF : real(stream);
}

int fsync(int file) {
  NEXT(fsync);
  return fails(Sync) ? -1 : real(file);
}

int rename(const char *from, const char *to) noexcept {
  NEXT(rename);
  return fails(Rename) ? -1 : real(from, to);
}
int link(const char *from, const char *to) noexcept {
  NEXT(link);
  return fails(Rename) ? -1 : real(from, to);
}
int symlink(const char *from, const char *to) noexcept {
  NEXT(symlink);
  return fails(Rename) ? -1 : real(from, to);
}
long syscall(long number, ...) noexcept {
  va_list rest;
  va_start(rest, number);
  long a[6];
  for (long &argument : a)
    argument = va_arg(rest, long);
  va_end(rest);
  NEXT(syscall);
  if (number == SYS_renameat2 && fails(Rename))
    return -1;
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int mkdir(const char *path, mode_t mode) noexcept {
  NEXT(mkdir);
  return fails(Folder) ? -1 : real(path, mode);
}
char *mkdtemp(char *pattern) noexcept {
  NEXT(mkdtemp);
  return fails(Folder) ? nullptr : real(pattern);
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  NEXT(mmap);
  return fails(Map) ? MAP_FAILED : real(at, size, protection, flags, file, offset);
}
void *mmap64(void *at, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  NEXT(mmap64);
  return fails(Map) ? MAP_FAILED : real(at, size, protection, flags, file, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *argument) noexcept {
  NEXT(pthread_create);
  return fails(Thread) ? EAGAIN : real(thread, attributes, body, argument);
}

int execve(const char *path, char *const argv[], char *const envp[]) noexcept {
  NEXT(execve);
  return fails(Exec) ? -1 : real(path, argv, envp);
}

int flock(int file, int operation) noexcept {
  NEXT(flock);
  return fails(Lock) ? -1 : real(file, operation);
}

int clock_gettime(clockid_t clock, struct timespec *now) noexcept {
  NEXT(clock_gettime);
  const int code = real(clock, now);
  if (state.armed && state.clockGoesBack && clock == CLOCK_REALTIME && code == 0)
    now->tv_sec -= 60 * ++state.looks;
  return code;
}

} // extern "C"
