"""Products of a warpgroup (nvvm.wgmma.mma_async) of matrices in workgroup memory, drawn at random, against NumPy.

usage: wgmma_products.py WORK --count=N --seed=S

Draws element types, columns, the layout of each matrix (along k or across it, swizzled by 0, 32, 64 or 128 bytes, offsets between blocks),
signs and whether sums are added. Matrices are laid out here, in units of 16 bytes, by the layouts that CUTLASS calls canonical.
"""
import numpy as np

import against_numpy

# Bits of e4m3 and e5m2 for small whole numbers.
E4M3 = {0: 0, 1: 0x38, 2: 0x40, 3: 0x44, 4: 0x48, -1: 0xB8, -2: 0xC0, -3: 0xC4, -4: 0xC8}
E5M2 = {0: 0, 1: 0x3C, 2: 0x40, 3: 0x42, 4: 0x44, -1: 0xBC, -2: 0xC0, -3: 0xC2, -4: 0xC4}


def bytes_of(kind, number):
    if kind == "f16":
        return np.float16(number).tobytes()
    if kind == "bf16":
        return np.float32(number).tobytes()[2:]
    if kind == "tf32":
        return np.float32(number).tobytes()
    if kind in ("e4m3", "e5m2"):
        return bytes([(E4M3 if kind == "e4m3" else E5M2)[number]])
    return bytes([number & 255])


WIDTH = {"f16": 2, "bf16": 2, "tf32": 4, "e4m3": 1, "e5m2": 1, "s8": 1, "u8": 1}
MODES = {0: 0, 128: 1, 64: 2, 32: 3}


class Matrix:
    """`count` rows of a, or columns of b, of `k` elements each, in memory from `start` on."""

    def __init__(self, rng, kind, count, k, start):
        self.kind, self.count, self.k, self.start = kind, count, k, start
        self.width = WIDTH[kind]
        self.isAcross = self.width == 2 and rng.random() < 0.5
        self.swizzle = rng.choice([0, 32, 64, 128])
        high = 9 if self.width > 1 else 5
        low = 0 if kind == "u8" else 1 - high
        self.values = np.array([[rng.randrange(low, high) for _ in range(k)] for _ in range(count)])
        self.unit = max(self.swizzle // 16, 1)
        blocksAcross, blocksK = -(-count // 8), k * self.width // 16
        gap = rng.choice([0, 8 * self.unit])
        if not self.isAcross:
            # ((8,n),(2)) : ((unit, SBO), (1)), or without a swizzle 2 : LBO.
            self.sbo = 8 * self.unit * (1 if self.swizzle else blocksK) + gap
            self.lbo = 8 if not self.swizzle else rng.choice([1, 0, 64])
        elif not self.swizzle:
            # ((1,n),(8,k)) : ((., SBO), (1, LBO)).
            self.sbo, self.lbo = 8 + gap, blocksAcross * (8 + gap)
        else:
            # ((unit,n),(8,k)) : ((1, LBO), (unit, SBO)).
            self.sbo = 8 * self.unit
            self.lbo = self.sbo * -(-k // 8) + gap

    def unit_at(self, i, j):
        """The 16-byte unit, and the byte in it, of element j along k of row i, before the swizzle."""
        if not self.isAcross:
            piece, rest = divmod(j * self.width, 16)
            step = 1 if self.swizzle else self.lbo
            return i % 8 * self.unit + i // 8 * self.sbo + piece * step, rest
        piece, rest = divmod(i * self.width, 16)
        if not self.swizzle:
            return piece * self.sbo + j % 8 + j // 8 * self.lbo, rest
        return piece % self.unit + piece // self.unit * self.lbo + j % 8 * self.unit + j // 8 * self.sbo, rest

    def place(self, image):
        """Writes the matrix; returns how far it reaches."""
        most = 0
        for i in range(self.count):
            for j in range(self.k):
                unit, rest = self.unit_at(i, j)
                unit += self.start // 16
                # 16-byte units of a 128-byte line change places by the number of the line.
                line, piece = divmod(unit, 8)
                at = (line * 8 + (piece ^ line % self.unit)) * 16 + rest
                image[at:at + self.width] = bytes_of(self.kind, int(self.values[i, j]))
                most = max(most, at + self.width)
        return most

    def descriptor(self):
        return self.start // 16 | self.lbo << 16 | self.sbo << 32 | MODES[self.swizzle] << 62


def draw(rng):
    kind = rng.choice(["f16", "f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8"])
    other = {"e4m3": rng.choice(["e4m3", "e5m2"]), "e5m2": rng.choice(["e4m3", "e5m2"]), "s8": rng.choice(["s8", "u8"]),
             "u8": rng.choice(["s8", "u8"])}.get(kind, kind)
    n = 8 * rng.randrange(1, 33)
    isInteger = kind in ("s8", "u8")
    hasHalfSums = kind in ("f16", "e4m3", "e5m2") and rng.random() < 0.3
    if isInteger:
        n = rng.choice([8, 16, 24, 32, 48, 64, 128, 192, 256])
    k = 32 // WIDTH[kind]
    image = bytearray(120 * 1024)
    a = Matrix(rng, kind, 64, k, 0)
    end = a.place(image)
    b = Matrix(rng, other, n, k, -(-end // 1024) * 1024)
    end = b.place(image)
    assert end <= len(image)
    size = -(-end // 1024) * 1024
    image = np.frombuffer(bytes(image[:size]), np.int8)
    scaleD = rng.choice(["one", "one", "zero"])
    scaleA, scaleB = ("one", "one") if isInteger else (rng.choice(["one", "neg"]), rng.choice(["one", "neg"]))
    element = "i32" if isInteger or hasHalfSums else "f32"
    count = n // 4 if hasHalfSums else n // 2
    typeD = "f16" if hasHalfSums else "s32" if isInteger else "f32"
    struct = f"!llvm.struct<({', '.join([element] * count)})>"
    c = np.array([[rng.randrange(-50, 50) for _ in range(n // 2)] for _ in range(128)])
    start = c.astype(np.float16).view(np.int32) if hasHalfSums else c.astype(np.int32 if isInteger else np.float32)
    lines = []
    for i in range(count):
        lines += [f"%i{i} = arith.constant {i} : index", f"%c{i} = memref.load %c[%tx, %i{i}] : memref<128x{count}x{element}>",
                  f"%s{i} = llvm.insertvalue %c{i}, %{'none' if i == 0 else f's{i - 1}'}[{i}] : {struct}"]
    a_layout, b_layout = "col" if a.isAcross else "row", "row" if b.isAcross else "col"
    mma = (f"%r = nvvm.wgmma.mma_async %da, %db, %s{count - 1}, <m = 64, n = {n}, k = {k}>, D[<{typeD}>, <{scaleD}>], "
           f"A[<{kind}>, <{scaleA}>, <{a_layout}>], B[<{other}>, <{scaleB}>, <{b_layout}>] : {struct} -> {struct}")
    stores = []
    for i in range(count):
        stores += [f"%r{i} = llvm.extractvalue %r[{i}] : {struct}", f"memref.store %r{i}, %d[%tx, %i{i}] : memref<128x{count}x{element}>"]
    body = "\n    ".join([f"%none = llvm.mlir.poison : {struct}", *lines, "nvvm.wgmma.fence.aligned", mma, "nvvm.wgmma.commit.group.sync.aligned",
                          "nvvm.wgmma.wait.group.sync.aligned 0", *stores])
    da, db = (x if x < 2 ** 63 else x - 2 ** 64 for x in (a.descriptor(), b.descriptor()))
    program = f"""func.func @main(%image: memref<{size}xi8>, %c: memref<128x{count}x{element}>, %d: memref<128x{count}x{element}>) {{
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %threads = arith.constant 128 : index
  %size = arith.constant {size} : index
  %bytes = arith.constant {size} : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %k1, %gy = %k1, %gz = %k1) threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %k1, %sz = %k1)
      dynamic_shared_memory_size %bytes {{
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    scf.for %i = %tx to %size step %threads {{
      %v = memref.load %image[%i] : memref<{size}xi8>
      memref.store %v, %memory[%i] : memref<?xi8, #gpu.address_space<workgroup>>
    }}
    nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
    gpu.barrier
    %da = arith.constant {da} : i64
    %db = arith.constant {db} : i64
    {body}
    gpu.terminator
  }}
  return
}}
"""
    # Register e of lane l of warp w: row 16 w + l / 4 + 8 (e / 2 mod 2), column 8 (e / 4) + 2 (l mod 4) + e mod 2.
    t, e = np.meshgrid(np.arange(128), np.arange(n // 2), indexing="ij")
    rows, columns = 16 * (t // 32) + t % 32 // 4 + 8 * (e // 2 % 2), 8 * (e // 4) + 2 * (t % 4) + e % 2
    sign = (-1 if scaleA == "neg" else 1) * (-1 if scaleB == "neg" else 1)
    product = (sign * (a.values @ b.values.T))[rows, columns]
    expected = product + (c if scaleD == "one" else 0)
    expected = expected.astype(np.float16).view(np.int32) if hasHalfSums else expected.astype(start.dtype)
    return program, {"image": image, "c": start, "d": np.zeros_like(start)}, [expected]


against_numpy.main(draw)
