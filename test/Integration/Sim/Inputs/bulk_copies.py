"""Bulk copies of tensors (nvgpu.tma.async.load and store), drawn at random, against NumPy.

usage: bulk_copies.py WORK --count=N --seed=S

Draws one to five dimensions, sizes, boxes, element types, swizzles, and coordinates in the tensor, over its edges and outside. A load is
compared as it lies in workgroup memory; a store writes back what a load of another tensor brought.
"""
import numpy as np

import against_numpy

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
SWIZZLES = {0: "none", 32: "swizzle_32b", 64: "swizzle_64b", 128: "swizzle_128b"}


def swizzled(tile, swizzle):
    """A box as it lies in memory: row after row, and then pieces of a 128-byte line change places by the line's number."""
    flat = np.frombuffer(tile.tobytes(), np.uint8).reshape(-1, 16)
    out = flat.copy()
    for i, piece in enumerate(flat):
        line = i // 8
        out[i - i % 8 + (i % 8 ^ (line % (swizzle // 16) if swizzle else 0))] = piece
    return out.reshape(-1)


def draw(rng):
    element = rng.choice(list(TYPES))
    dtype = TYPES[element]
    width = np.dtype(dtype).itemsize
    rank = rng.randrange(1, 6)
    swizzle = rng.choice([0, 0, 32, 64, 128])
    # A row has whole 16-byte pieces, or as many bytes as the swizzle; the box has at most 16 KiB.
    inner = swizzle // width if swizzle else 16 // width * rng.randrange(1, 9)
    box, left = [inner], 16384 // (inner * width)
    for _ in range(rank - 1):
        box.append(rng.randrange(1, min(left, 9) + 1))
        left //= box[-1]
    sizes = [max(16 // width, rng.randrange(1, 2 * inner) // (16 // width) * (16 // width))] + [rng.randrange(1, 2 * b + 1) for b in box[1:]]
    where = [rng.choice([0, 0, rng.randrange(-b, s + 2)]) for b, s in zip(box, sizes)]
    # The outermost dimension first, as NumPy has it.
    shape, boxShape, start = sizes[::-1], box[::-1], where[::-1]
    high = 1000
    x = np.array([rng.randrange(-high, high) for _ in range(int(np.prod(shape)))]).astype(dtype).reshape(shape)
    y = np.array([rng.randrange(-high, high) for _ in range(int(np.prod(shape)))]).astype(dtype).reshape(shape)
    tile = np.zeros(boxShape, dtype)
    inside = [slice(max(0, -s), max(max(0, -s), min(b, n - s))) for s, b, n in zip(start, boxShape, shape)]
    outside = [slice(i.start + s, i.stop + s) if i.stop > i.start else slice(0, 0) for i, s in zip(inside, start)]
    if all(i.stop > i.start for i in inside):
        tile[tuple(inside)] = x[tuple(outside)]
        expectedY = y.copy()
        expectedY[tuple(outside)] = x[tuple(outside)]
    else:
        expectedY = y
    bytes_ = tile.nbytes
    span = -(-bytes_ // 1024) * 1024
    text = "x".join(map(str, shape)) + "x" + element
    boxText = "x".join(map(str, boxShape)) + "x" + element
    map_ = f"!nvgpu.tensormap.descriptor<tensor = memref<{boxText}, 3>, swizzle = {SWIZZLES[swizzle]}, l2promo = none, oob = zero, interleave = none>"
    barriers = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>"
    tileType = f"memref<{boxText}, #gpu.address_space<workgroup>>"
    coordinates = "\n    ".join(f"%w{i} = arith.constant {w} : index" for i, w in enumerate(where))
    at = ", ".join(f"%w{i}" for i in range(rank))
    boxes = "\n  ".join(f"%b{i} = arith.constant {b} : index" for i, b in enumerate(boxShape))
    boxOperands = ", ".join(f"%b{i}" for i in range(rank))
    program = f"""!map = {map_}
!barriers = {barriers}
func.func @main(%x: memref<{text}>, %y: memref<{text}>, %image: memref<{span}xi8>) {{
  %k1 = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %bytes = arith.constant {span} : i32
  {boxes}
  %anyX = memref.cast %x : memref<{text}> to memref<*x{element}>
  %anyY = memref.cast %y : memref<{text}> to memref<*x{element}>
  %mapX = nvgpu.tma.create.descriptor %anyX box[{boxOperands}] : memref<*x{element}> -> !map
  %mapY = nvgpu.tma.create.descriptor %anyY box[{boxOperands}] : memref<*x{element}> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %k1, %gy = %k1, %gz = %k1) threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %k1, %sz = %k1)
      dynamic_shared_memory_size %bytes {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %all = arith.constant {bytes_} : index
    %even = arith.constant 0 : i1
    {coordinates}
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %tile = memref.view %memory[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to {tileType}
    %bar = nvgpu.mbarrier.create -> !barriers
    %isFirst = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %isFirst : !barriers
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %all, predicate = %isFirst : !barriers
    nvgpu.tma.async.load %mapX[{at}], %bar[%c0] to %tile, predicate = %isFirst : !map, !barriers -> {tileType}
    nvgpu.mbarrier.try_wait.parity %bar[%c0], %even, %all : !barriers
    scf.for %i = %tx to %all step %c64 {{
      %v = memref.load %memory[%i] : memref<?xi8, #gpu.address_space<workgroup>>
      memref.store %v, %image[%i] : memref<{span}xi8>
    }}
    nvgpu.tma.async.store %tile to %mapY[{at}], predicate = %isFirst : {tileType} -> !map
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    gpu.terminator
  }}
  return
}}
"""
    memory = np.zeros(span, np.int8)
    expectedMemory = memory.copy()
    expectedMemory[:bytes_] = swizzled(tile, swizzle).view(np.int8)
    return program, {"x": x, "y": y, "image": memory}, [expectedY, expectedMemory]


against_numpy.main(draw)
