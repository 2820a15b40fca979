//===- Sandbox.cpp - confining a run ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See Sandbox.h. Landlock: https://docs.kernel.org/userspace-api/landlock.html
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Sandbox.h"

#include "lib/RunTool/RunFolder.h"
#include "lib/Support/FileDescriptor.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

constexpr uint64_t kReadRights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kWriteRights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                  LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM;
/// Further rights that no run has anywhere.
constexpr uint64_t kOtherRights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                  LANDLOCK_ACCESS_FS_MAKE_BLOCK;
/// Defined by newer kernels than the headers of Debian 12: renames between folders, and truncation.
constexpr uint64_t kReferRight = uint64_t(1) << 13, kTruncateRight = uint64_t(1) << 14;
/// The rights that apply to files; a rule for a file may contain no others.
constexpr uint64_t kFileRights =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_EXECUTE | kTruncateRight;

/// The Landlock version of this kernel; 0: none.
int landlockVersion() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

Error cannotConfine(const std::string &what) {
  return Error{ErrorCode::Unsupported, "the run cannot be confined: " + what + ": " + std::strerror(errno),
               "it needs Landlock and seccomp (Linux 5.13 or later, with both switched on); nothing was run"};
}

Status confineFiles(const SandboxPaths &paths) {
  const int version = landlockVersion();
  if (version == 0)
    return cannotConfine("this kernel has no Landlock");
  const uint64_t later = (version >= 2 ? kReferRight : 0) | (version >= 3 ? kTruncateRight : 0);
  const uint64_t write = kWriteRights | later;
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = kReadRights | write | kOtherRights;
  const FileDescriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0)));
  if (!rules)
    return cannotConfine("files cannot be confined");
  auto allow = [&](const fs::path &path, uint64_t rights) -> Status {
    const FileDescriptor opened(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!opened)
      return {};
    std::error_code error;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = fs::is_directory(path, error) ? rights : rights & kFileRights;
    rule.parent_fd = opened.get();
    if (::syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
      return cannotConfine("cannot allow " + path.string());
    return {};
  };
  for (const fs::path &path : paths.read)
    MICA_RETURN_IF_ERROR(allow(path, kReadRights));
  for (const fs::path &path : paths.write)
    MICA_RETURN_IF_ERROR(allow(path, kReadRights | write));
  if (::syscall(SYS_landlock_restrict_self, rules.get(), 0) != 0)
    return cannotConfine("files cannot be confined");
  return {};
}

/// Denies sockets, new programs and processes, access to other processes or the kernel, and changes of files that
/// Landlock does not cover: permissions, owners, times, attributes.
Status confineCalls() {
  static constexpr const char *kDenied[] = {"socket",
                                            "connect",
                                            "bind",
                                            "listen",
                                            "accept",
                                            "accept4",
                                            "sendto",
                                            "sendmsg",
                                            "sendmmsg",
                                            "execve",
                                            "execveat",
                                            "fork",
                                            "vfork",
                                            "ptrace",
                                            "kcmp",
                                            "bpf",
                                            "mount",
                                            "process_vm_readv",
                                            "process_vm_writev",
                                            "perf_event_open",
                                            "unshare",
                                            "setns",
                                            "keyctl",
                                            "add_key",
                                            "request_key",
                                            "userfaultfd",
                                            "chmod",
                                            "fchmod",
                                            "fchmodat",
                                            "fchmodat2",
                                            "chown",
                                            "fchown",
                                            "lchown",
                                            "fchownat",
                                            "utime",
                                            "utimes",
                                            "utimensat",
                                            "futimesat",
                                            "setxattr",
                                            "lsetxattr",
                                            "fsetxattr",
                                            "setxattrat",
                                            "removexattr",
                                            "lremovexattr",
                                            "fremovexattr",
                                            "removexattrat",
                                            "pidfd_open",
                                            "pidfd_send_signal",
                                            "tkill",
                                            "rt_sigqueueinfo",
                                            "rt_tgsigqueueinfo",
                                            "process_madvise",
                                            "process_mrelease",
                                            "migrate_pages",
                                            "move_pages",
                                            "setpriority",
                                            "ioprio_set",
                                            "shmget",
                                            "shmat",
                                            "msgget",
                                            "semget",
                                            "mq_open",
                                            "io_uring_setup",
                                            "open_by_handle_at",
                                            "pidfd_getfd"};
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter)
    return cannotConfine("system calls cannot be confined");
  int failed = 0;
  auto deny = [&](const char *name, auto... conditions) {
    if (const int number = seccomp_syscall_resolve_name(name); number != __NR_SCMP_ERROR && failed == 0)
      failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, sizeof...(conditions), conditions...);
  };
  for (const char *name : kDenied)
    deny(name);
  // A process may signal only itself, to abort.
  const auto self = static_cast<scmp_datum_t>(::getpid());
  const scmp_arg_cmp toOthers{/*arg=*/0, SCMP_CMP_NE, self, /*datum_b=*/0};
  deny("kill", toOthers);
  deny("tgkill", toOthers);
  // Allows threads but no processes, which could outlive the run and its limits. The flags of clone3 are in memory,
  // where a filter cannot read them; the C library then falls back to clone.
  deny("clone", scmp_arg_cmp{/*arg=*/0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0});
  if (failed == 0)
    failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  // Denies setting limits of another process; 0 is itself.
  if (failed == 0)
    failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 2, scmp_arg_cmp{0, SCMP_CMP_NE, 0, 0},
                              scmp_arg_cmp{2, SCMP_CMP_NE, 0, 0});
  // Denies injecting input into the shared terminal.
  for (const scmp_datum_t request : {TIOCSTI, TIOCLINUX})
    deny("ioctl", scmp_arg_cmp{/*arg=*/1, SCMP_CMP_MASKED_EQ, 0xffffffff, request});
  if (failed == 0)
    failed = seccomp_load(filter);
  seccomp_release(filter);
  errno = -failed;
  return failed == 0 ? Status() : cannotConfine("system calls cannot be confined");
}

/// Waits for `child`, and kills it after `seconds` (0: never). Returns whether it ended by itself.
bool waitFor(pid_t child, double seconds, int &status) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    const pid_t ended = ::waitpid(child, &status, seconds > 0 ? WNOHANG : 0);
    if (ended == child || (ended < 0 && errno != EINTR))
      return true;
    if (seconds > 0 && std::chrono::steady_clock::now() >= end) {
      ::kill(child, SIGKILL);
      while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      return false;
    }
    if (seconds > 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// Adds the folder to which `file` is written, if it is set.
void addFolderOf(std::vector<fs::path> &paths, const fs::path &file) {
  if (!file.empty())
    paths.push_back(file.has_parent_path() ? file.parent_path() : fs::path("."));
}

} // namespace

Status confineProcess(const SandboxPaths &paths, const SandboxLimits &limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return cannotConfine("privileges cannot be given up");
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (limits.memoryBytes > 0 && limitAddressSpace(limits.memoryBytes) != 0)
    return cannotConfine("memory cannot be limited");
  MICA_RETURN_IF_ERROR(confineFiles(paths));
  return confineCalls();
}

SandboxPaths systemPaths() {
  // From /etc and /dev no more is needed.
  return {.read = {"/usr", "/lib", "/lib64", "/proc", "/sys", "/etc/ld.so.cache", "/dev/urandom"},
          .write = {"/dev/null", "/dev/tty", "/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm",
                    "/dev/nvidia-uvm-tools", "/dev/dri"}};
}

Result<SandboxPaths> sandboxPaths(const Options &options, const fs::path &folder) {
  SandboxPaths paths = systemPaths();
  paths.read.push_back(folder);
  for (const std::optional<InputSpec> &input : options.inputs)
    if (input && input->kind == InputSpec::Kind::File)
      paths.read.push_back(input->file);
  paths.read.insert(paths.read.end(), options.inputArchives.begin(), options.inputArchives.end());
  if (!options.goldenData.empty())
    paths.read.push_back(options.goldenData.extension() == ".json" ? fs::absolute(options.goldenData).parent_path()
                                                                   : options.goldenData);
  addFolderOf(paths.write, options.saveGolden);

  MICA_ASSIGN_OR_RETURN(const std::vector<fs::path> places, RunFolder::places(folder, options.runDir));
  paths.write.insert(paths.write.end(), places.begin(), places.end());
  paths.temporary = places.front();
  for (const ArchiveMember &output : options.outputs)
    addFolderOf(paths.write, output.file);
  addFolderOf(paths.write, options.outputArchive);
  for (Switch file : {Switch::OpLogFile, Switch::LaunchLedger, Switch::DumpDir})
    addFolderOf(paths.write, options.debug.text(file));
  if (const std::optional<std::string> trace = environmentValue("MICA_TRACE"))
    paths.write.push_back(*trace);
  return paths;
}

Result<int> runConfined(const SandboxPaths &paths, const SandboxLimits &limits, const std::function<int()> &run) {
  std::fflush(nullptr);
  // The child reports an error of the confinement through the pipe.
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return systemError("make a pipe to", "the confined run", errno);
  FileDescriptor reading(ends[0]), writing(ends[1]);
  const pid_t child = ::fork();
  if (child < 0)
    return systemError("start", "the confined run", errno);
  if (child == 0) {
    if (const Status confined = confineProcess(paths, limits); !confined) {
      const std::string text = confined.error().message + "\n" + confined.error().hint;
      (void)!::write(writing.get(), text.data(), text.size());
      ::_exit(1);
    }
    if (!paths.temporary.empty())
      ::setenv("TMPDIR", paths.temporary.c_str(), /*replace=*/1);
    (void)writing.close();
    const int code = run();
    std::fflush(nullptr);
    ::_exit(code);
  }
  (void)writing.close();
  int status = 0;
  const bool ended = waitFor(child, limits.seconds, status);
  char text[1024];
  if (const ssize_t bytes = ::read(reading.get(), text, sizeof text); bytes > 0) {
    const std::vector<std::string> lines = splitText({text, static_cast<size_t>(bytes)}, '\n');
    return Error{ErrorCode::Unsupported, lines[0], lines.size() > 1 ? lines[1] : ""};
  }
  if (!ended)
    return Error{ErrorCode::Hang, "the confined run took longer than its limit, and was ended",
                 "--sandbox=seconds=N sets the limit"};
  if (WIFSIGNALED(status))
    return Error{
        ErrorCode::Difference,
        "the confined run was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
            ::strsignal(WTERMSIG(status)) + ")",
        "the program's code did this, or it needs what a confined run may not do; --mica-debug=assert-level=all "
        "finds accesses outside of buffers"};
  return WEXITSTATUS(status);
}

} // namespace mica::runtool
