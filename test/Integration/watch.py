"""Saves files under mica-run --watch and checks each run.

usage: watch.py MICA_COMPILE MICA_RUN WORK_DIR
"""
import os
import pathlib
import subprocess
import sys
import threading

COMPILE, RUN, WORK = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
MODEL = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = mica.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = mica.add %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
os.environ["MICA_CACHE_DIR"] = str(WORK / "cache")
runs = 0


class Watch:
    """A mica-run --watch; next() gives what it printed until it waits again."""

    def __init__(self, program):
        self.child = subprocess.Popen([RUN, str(program), "--watch", "--input=4xf32=10"], text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.killer = threading.Timer(120, self.child.kill)
        self.killer.start()

    def next(self):
        text = ""
        for line in self.child.stdout:
            if "waiting for" in line:
                return text
            text += line
        sys.exit(f"watch.py: mica-run ended with {self.child.wait()}: {text}")

    def end(self):
        self.child.terminate()
        self.child.wait()
        self.killer.cancel()


def expect(said, *texts):
    global runs
    for text in texts:
        if text not in said:
            sys.exit(f"watch.py: no {text!r} in: {said}")
    runs += 1


def replace(file, old, new):
    text = file.read_text()
    assert old in text, f"{file}: {old}"
    # As editors save: whole, under the old name.
    file.with_suffix(".new").write_text(text.replace(old, new))
    file.with_suffix(".new").rename(file)


model, folder = WORK / "model.mlir", WORK / "artifact"
model.write_text(MODEL)
subprocess.run([COMPILE, str(model), "-o", str(folder)], check=True, capture_output=True)
kernel = next(folder.glob("kernels/*/kernel.mlir"))
watch = Watch(folder)
expect(watch.next(), "11", "14")
replace(kernel, "arith.addf", "arith.mulf")
expect(watch.next(), "rebuilt from kernels/", "10", "40")
replace(kernel, "arith.mulf", "arith.mulg")
expect(watch.next(), "kernel.mlir:", "error")
replace(kernel, "arith.mulg", "arith.subf")
expect(watch.next(), "rebuilt from kernels/", "9", "6")
watch.end()
watch = Watch(model)
watch.next()
replace(model, "mica.add", "mica.sub")
expect(watch.next(), "9", "6")
watch.end()
print(runs, "runs as saved")
