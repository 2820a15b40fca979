"""decode_model.py MODEL WORK: compiles a decoder's step of thousands of ops with every snapshot kept, runs it on made-up weights, and
compares with the reference. The compile must stay within 16 GiB and 60 seconds of processor time."""

import resource
import subprocess
import sys

MODEL, WORK = sys.argv[1:3]
ARTIFACT = f"{WORK}/artifact"


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 2**20


subprocess.run(["mica-compile", MODEL, "-o", ARTIFACT, "--force", "--dump-passes=passes"], check=True)
seconds, gigabytes = used()
print(f"compile: {seconds:.1f} s of processor time, {gigabytes:.2f} GiB")
if seconds > 60 or gigabytes > 16:
    sys.exit("the compile takes more than 60 s or 16 GiB")
done = subprocess.run(["mica-run", ARTIFACT, "--check-reference", f"--run-dir={WORK}/run", *sys.argv[3:]], capture_output=True,
                      text=True)
said = [line for line in done.stdout.splitlines() if line.startswith("reference: result")]
print("\n".join(said), done.stderr[-2000:])
same = sum(": same" in line or ": within tolerance" in line for line in said)
print(f"{same} of {len(said)} results agree with the reference")
sys.exit(done.returncode or same != len(said))
