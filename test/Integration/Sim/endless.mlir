// A kernel that never ends is told by hang-timeout, with its block; the process ends with exit code 4. The blocks before it are progress, and no hang.
// REQUIRES: compiler
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], timeout=100).returncode != 4)" mica-run --target=sim %s --mica-debug=hang-timeout=0.5 2>&1 | FileCheck %s
// CHECK: mica: hang: no kernel has made progress for 0.{{[0-9]+}} s
// CHECK-NEXT: no kernel is running
// CHECK: the simulator runs kernel 'main_kernel', block (2,1,0)

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c2, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %first = arith.constant 2 : index
    %second = arith.constant 1 : index
    %isx = arith.cmpi eq, %bx, %first : index
    %isy = arith.cmpi eq, %by, %second : index
    %last = arith.andi %isx, %isy : i1
    scf.while : () -> () {
      scf.condition(%last)
    } do {
      gpu.barrier
      scf.yield
    }
    gpu.terminator
  }
  return
}
