// A program as the compiler would make it, by hand: y = x * w + 1 for each row, and the number of rows.
#define _GNU_SOURCE
#include "mica/ABI/Host.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

MICA_DEFINE_PROGRAM_HEADER(0, "tests");

/// Does what the code of an artifact should not: FAKE_ACTION, on FAKE_FILE. Whether it could.
static int misbehave(const char *action) {
  const char *file = getenv("FAKE_FILE");
  if (!strcmp(action, "write"))
    return open(file, O_WRONLY | O_CREAT, 0666) >= 0;
  if (!strcmp(action, "truncate"))
    return truncate(file, 0) == 0;
  if (!strcmp(action, "read"))
    return open(file, O_RDONLY) >= 0;
  if (!strcmp(action, "unlink"))
    return unlink(file) == 0;
  if (!strcmp(action, "mkdir"))
    return mkdir(file, 0777) == 0;
  if (!strcmp(action, "symlink"))
    return symlink("/etc/passwd", file) == 0;
  if (!strcmp(action, "write-by-child")) {
    const pid_t child = fork();
    if (child == 0)
      _exit(open(file, O_WRONLY) >= 0);
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && status != 0;
  }
  if (!strcmp(action, "chmod"))
    return chmod(file, 0777) == 0;
  if (!strcmp(action, "utime"))
    return utimensat(AT_FDCWD, file, 0, 0) == 0;
  if (!strcmp(action, "queue-signal"))
    return sigqueue(getppid(), 0, (union sigval){0}) == 0;
  if (!strcmp(action, "prlimit")) {
    const struct rlimit limit = {64, 64};
    return prlimit(getppid(), RLIMIT_NOFILE, &limit, 0) == 0;
  }
  if (!strcmp(action, "type"))
    return ioctl(0, TIOCSTI, "x") == 0 || errno != EPERM;
  if (!strcmp(action, "tcp"))
    return socket(AF_INET, SOCK_STREAM, 0) >= 0;
  if (!strcmp(action, "udp"))
    return socket(AF_INET6, SOCK_DGRAM, 0) >= 0;
  if (!strcmp(action, "unix"))
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
  if (!strcmp(action, "exec"))
    return system("true") == 0;
  if (!strcmp(action, "kill-parent"))
    return kill(getppid(), SIGTERM) == 0;
  if (!strcmp(action, "kill-all"))
    return kill(-1, 0) == 0;
  if (!strcmp(action, "ptrace"))
    return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0;
  if (!strcmp(action, "memory"))
    return malloc((size_t)1 << 34) != 0;
  return 1;
}

int32_t mica_kernel_affine(const mica_kernel_args_v1 *args) {
  const float *x = args->buffers[0], *w = args->buffers[1];
  float *y = args->buffers[2];
  for (int64_t row = args->part; row < args->scalars[0]; row += args->parts)
    for (int64_t i = 0; i < 3; ++i)
      y[3 * row + i] = x[3 * row + i] * w[i] + 1;
  return 0;
}

int32_t mica_kernel_count(const mica_kernel_args_v1 *args) {
  if (getenv("FAKE_HANG"))
    for (volatile int64_t i = 0;; ++i) {
    }
  if (getenv("FAKE_CRASH"))
    *(volatile int *)8 = 1;
  if (getenv("FAKE_ERROR"))
    return 7;
  if (getenv("FAKE_ACTION") && misbehave(getenv("FAKE_ACTION")))
    return 8;
  *(int64_t *)args->buffers[0] = args->scalars[0];
  return 0;
}

int32_t mica_entry_affine(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  const int64_t sizes[2] = {dims[0], 3};
  void *y = api->result(ctx, 0, sizes, 2), *n = api->result(ctx, 1, 0, 0);
  if (!y || !n)
    return 1;
  void *const buffers[3] = {args[0], y, n};
  if (api->submit(ctx, 0, buffers, dims))
    return 1;
  return api->wait(ctx);
}

int32_t mica_entry_refuse(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims) {
  return api->fail(ctx, "the model asked for it");
}
