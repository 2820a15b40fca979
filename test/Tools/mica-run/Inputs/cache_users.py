"""Four users run one model at once with one cache folder that all may write to, from nothing and again.

usage: cache_users.py MODEL.mlir    (as root)
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

USERS = range(1001, 1005)


def start(user, folder, model):
    command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "mica-run", model]
    env = {**os.environ, "HOME": "/nonexistent", "MICA_CACHE_DIR": str(folder / "cache"), "TMPDIR": "/tmp"}
    return subprocess.Popen(command, env=env, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def main():
    folder = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))  # the one of the test run is closed to others
    try:
        folder.chmod(0o755)
        model = folder / "model.mlir"
        shutil.copyfile(sys.argv[1], model)
        model.chmod(0o644)
        (folder / "cache").mkdir()
        (folder / "cache").chmod(0o1777)
        for when in ("first", "again"):
            done = [(run.wait(), *run.communicate()) for run in [start(user, folder, model) for user in USERS]]
            print(when, [code for code, _, _ in done], "results", len({out for _, out, _ in done}),
                  "compiles", sum("kernel" in error and "; " in error for _, _, error in done))
            for code, _, error in done:
                if code:
                    print(error)
        for user in USERS:
            own = folder / "cache" / f"user-{user}"
            print(own.name, oct(own.stat().st_mode & 0o777), own.stat().st_uid)
        # What another user put in the place of one's own is not run.
        shutil.move(folder / "cache" / "user-1001", folder / "cache" / "user-1005")
        run = start(1005, folder, model)
        print(run.communicate()[1], run.returncode)
    finally:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
