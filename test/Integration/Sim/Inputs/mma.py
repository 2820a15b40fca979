"""A program that multiplies A[i][k] = i + k by B[k][n] = k + 2 n with one nvgpu.mma.sync of a warp and compares each element with
sums of the host; it prints how many are wrong, and the last. usage: mma.py TYPE"""

import sys

# Element, what is added up, m, n, k, and how many elements a register has.
TYPES = {"f16": ("f16", "f32", 16, 8, 16, 2), "bf16": ("bf16", "f32", 16, 8, 16, 2), "tf32": ("f32", "f32", 16, 8, 8, 1),
         "i8": ("i8", "i32", 16, 8, 32, 4), "f64": ("f64", "f64", 8, 8, 4, 1)}


def fragment(name, memory, registers, per, element, place):
    """Loads: `place(register, element)` gives the two indices as (row, column) of offsets to (group, in)."""
    lines = ["%%%s0 = arith.constant dense<0%s> : vector<%dx%dx%s>" % (name, "" if element[0] == "i" else ".0", registers, per, element)]
    count = 0
    for r in range(registers):
        for e in range(per):
            (row, row_of), (col, col_of) = place(r, e)
            at = "%s%d" % (name, count)
            lines += ["%%%s_ro = arith.constant %d : index" % (at, row), "%%%s_co = arith.constant %d : index" % (at, col),
                      "%%%s_r = arith.addi %s, %%%s_ro : index" % (at, row_of, at),
                      "%%%s_c = arith.addi %s, %%%s_co : index" % (at, col_of, at),
                      "%%%s_v = memref.load %s[%%%s_r, %%%s_c] : %s" % (at, memory[0], at, at, memory[1]),
                      "%%%s%d = vector.insert %%%s_v, %%%s [%d, %d] : %s into vector<%dx%dx%s>" % (
                          name, count + 1, at, at, r, e, element, registers, per, element)]
            count += 1
    return lines, "%%%s%d" % (name, count)


def main():
    kind = sys.argv[1]
    element, total, m, n, k, per = TYPES[kind]
    a_type, b_type, c_type = "memref<%dx%dx%s>" % (m, k, element), "memref<%dx%dx%s>" % (k, n, element), "memref<%dx%dx%s>" % (m, n, total)
    rows = m // 8
    halves = 1 if kind == "f64" else 2
    step = per * 4
    a, a_value = fragment("a", ("%A", a_type), rows * halves, per, element,
                          lambda r, e: ((8 * (r % rows), "%group"), (step * (r // rows) + e, "%first")))
    b, b_value = fragment("b", ("%B", b_type), halves, per, element,
                          lambda r, e: ((step * r + e, "%first"), (0, "%group")))
    vector = lambda registers, each, of: "vector<%dx%dx%s>" % (registers, each, of)
    integer = total == "i32"
    body = ["%lane = gpu.lane_id", "%four = arith.constant 4 : index", "%two = arith.constant 2 : index",
            "%per = arith.constant " + str(per) + " : index", "%group = arith.divui %lane, %four : index",
            "%in = arith.remui %lane, %four : index", "%first = arith.muli %in, %per : index",
            "%col = arith.muli %in, %two : index"] + a + b
    body += ["%%zero = arith.constant dense<0%s> : %s" % ("" if integer else ".0", vector(rows, 2, total)),
             "%%d = nvgpu.mma.sync(%s, %s, %%zero) {mmaShape = [%d, %d, %d]%s} : (%s, %s, %s) -> %s" % (
                 a_value, b_value, m, n, k, ", tf32Enabled" if kind == "tf32" else "", vector(rows * halves, per, element),
                 vector(halves, per, element), vector(rows, 2, total), vector(rows, 2, total))]
    for r in range(rows):
        for e in range(2):
            body += ["%%o%d%d = arith.constant %d : index" % (r, e, 8 * r), "%%p%d%d = arith.constant %d : index" % (r, e, e),
                     "%%r%d%d = arith.addi %%group, %%o%d%d : index" % (r, e, r, e),
                     "%%c%d%d = arith.addi %%col, %%p%d%d : index" % (r, e, r, e),
                     "%%v%d%d = vector.extract %%d[%d, %d] : %s from %s" % (r, e, r, e, total, vector(rows, 2, total)),
                     "memref.store %%v%d%d, %%C[%%r%d%d, %%c%d%d] : %s" % (r, e, r, e, r, e, c_type)]
    cast = (lambda to, value: "arith.trunci %s : i64 to %s" % (value, to)) if element == "i8" else \
        (lambda to, value: "arith.sitofp %s : i64 to %s" % (value, to))

    def fill(name, kind_of, height, width, factor):
        return """
    %%%(n)sh = arith.constant %(h)d : index
    %%%(n)sw = arith.constant %(w)d : index
    scf.for %%i = %%c0 to %%%(n)sh step %%c1 {
      scf.for %%j = %%c0 to %%%(n)sw step %%c1 {
        %%i64 = arith.index_cast %%i : index to i64
        %%j64 = arith.index_cast %%j : index to i64
        %%f = arith.constant %(f)d : i64
        %%jf = arith.muli %%j64, %%f : i64
        %%sum = arith.addi %%i64, %%jf : i64
        %%value = %(cast)s
        memref.store %%value, %%%(n)s[%%i, %%j] : %(t)s
      }
    }""" % {"n": name, "h": height, "w": width, "f": factor, "cast": cast(element, "%sum"), "t": kind_of}

    to_double = {"i32": "arith.sitofp %got : i32 to f64", "f32": "arith.extf %got : f32 to f64",
                 "f64": "arith.addf %got, %nothing : f64"}[total]
    print("""module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @product(%%A: %s, %%B: %s, %%C: %s) kernel {
      %s
      gpu.return
    }
  }
  func.func private @printF64(f64)
  func.func private @printNewline()
  func.func @main() {
    %%c0 = arith.constant 0 : index
    %%c1 = arith.constant 1 : index
    %%c32 = arith.constant 32 : index
    %%nothing = arith.constant 0.0 : f64
    %%a = memref.alloc() : %s
    %%b = memref.alloc() : %s
    %%c = memref.alloc() : %s%s%s
    gpu.launch_func @kernels::@product blocks in (%%c1, %%c1, %%c1) threads in (%%c32, %%c1, %%c1) args(%%a : %s, %%b : %s, %%c : %s)
    %%wrong = memref.alloca() : memref<f64>
    %%last = memref.alloca() : memref<f64>
    memref.store %%nothing, %%wrong[] : memref<f64>
    %%m = arith.constant %d : index
    %%n = arith.constant %d : index
    %%k = arith.constant %d : index
    scf.for %%i = %%c0 to %%m step %%c1 {
      scf.for %%j = %%c0 to %%n step %%c1 {
        %%none = arith.constant 0 : i64
        %%two = arith.constant 2 : i64
        %%i64 = arith.index_cast %%i : index to i64
        %%j64 = arith.index_cast %%j : index to i64
        %%j2 = arith.muli %%j64, %%two : i64
        %%sum = scf.for %%l = %%c0 to %%k step %%c1 iter_args(%%s = %%none) -> (i64) {
          %%l64 = arith.index_cast %%l : index to i64
          %%x = arith.addi %%i64, %%l64 : i64
          %%y = arith.addi %%l64, %%j2 : i64
          %%p = arith.muli %%x, %%y : i64
          %%next = arith.addi %%s, %%p : i64
          scf.yield %%next : i64
        }
        %%want = arith.sitofp %%sum : i64 to f64
        %%got = memref.load %%c[%%i, %%j] : %s
        %%had = %s
        memref.store %%had, %%last[] : memref<f64>
        %%differs = arith.cmpf une, %%want, %%had : f64
        scf.if %%differs {
          %%one = arith.constant 1.0 : f64
          %%before = memref.load %%wrong[] : memref<f64>
          %%more = arith.addf %%before, %%one : f64
          memref.store %%more, %%wrong[] : memref<f64>
        }
      }
    }
    %%count = memref.load %%wrong[] : memref<f64>
    func.call @printF64(%%count) : (f64) -> ()
    func.call @printNewline() : () -> ()
    %%value = memref.load %%last[] : memref<f64>
    func.call @printF64(%%value) : (f64) -> ()
    func.call @printNewline() : () -> ()
    return
  }
}""" % (a_type, b_type, c_type, "\n      ".join(body), a_type, b_type, c_type, fill("a", a_type, m, k, 1), fill("b", b_type, k, n, 2),
        a_type, b_type, c_type, m, n, k, c_type, to_double))


main()
