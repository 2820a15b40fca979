"""The table of rng_bit_generator: Threefry2x32 and Philox4x32 in Python's integers, one element at a time.

Both generators reproduce the known answers of Random123 (Salmon et al., SC 2011). Which counter gives which element is as in XLA.
"""
import numpy as np

from cases import Case, Result
from elements import BY_NAME, tensor

M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def threefry(key, counter):
    words = [*key, 0x1BD11BDA ^ key[0] ^ key[1]]
    x, y = (counter[0] + words[0]) & M32, (counter[1] + words[1]) & M32
    for round_number in range(20):
        turn = (13, 15, 26, 6, 17, 29, 16, 24)[round_number % 8]
        x = (x + y) & M32
        y = ((y << turn | y >> 32 - turn) & M32) ^ x
        if round_number % 4 == 3:
            step = round_number // 4 + 1
            x, y = (x + words[step % 3]) & M32, (y + words[(step + 1) % 3] + step) & M32
    return x, y


def philox(key, counter):
    a, b, c, d = counter
    for round_number in range(10):
        k = [(word + round_number * weyl) & M32 for word, weyl in zip(key, (0x9E3779B9, 0xBB67AE85))]
        left, right = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (right >> 32) ^ b ^ k[0], right & M32, (left >> 32) ^ d ^ k[1], left & M32
    return a, b, c, d


assert threefry((0, 0), (0, 0)) == (0x6B200159, 0x99BA4EFE)
assert threefry((M32, M32), (M32, M32)) == (0x1CB996FC, 0xBB002BE7)
assert threefry((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3)) == (0xC4923A9C, 0x483DF7A0)
assert philox((0, 0), (0, 0, 0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
assert philox((M32, M32), (M32,) * 4) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
assert philox((0xA4093822, 0x299F31D0), (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344)) == (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


def halves(word):
    return word & M32, word >> 32


def by_threefry(state, shape, bits):
    """Elements of 64 bits are blocks; others halves of blocks, which are neighbours in the first dimension of even size, or in the largest."""
    key, start = halves(state[0]), state[1]
    sizes = list(shape) or [1]
    even = [d for d, n in enumerate(shape) if n % 2 == 0]
    split = even[0] if even else int(np.argmax(sizes))
    if bits < 64:
        sizes[split] = (sizes[split] + 1) // 2
    out = np.empty(shape, object)
    for where in np.ndindex(*shape):
        block = list(where) or [0]
        if bits < 64:
            block[split] //= 2
        words = threefry(key, halves((start + int(np.ravel_multi_index(block, sizes))) & M64))
        out[where] = words[0] | words[1] << 32 if bits == 64 else words[(list(where) or [0])[split] % 2]
    return [state[0], (start + int(np.prod(sizes))) & M64], out


def by_philox(state, shape, bits):
    """The words of block after block. A state of two words starts at the counter state[0] * 2^64 + state[1]."""
    key, per_block = halves(state[0]), 2 if bits == 64 else 4
    start = state[1] | (state[2] if len(state) == 3 else state[0]) << 64
    count = int(np.prod(shape))
    out = np.empty(count, object)
    for n in range(count):
        counter = (start + n // per_block) & ((1 << 128) - 1)
        words = philox(key, (*halves(counter & M64), *halves(counter >> 64)))
        at = n % per_block
        out[n] = words[2 * at] | words[2 * at + 1] << 32 if bits == 64 else words[at]
    after = start + -(-count // per_block)
    return [state[0], after & M64, *([after >> 64 & M64] if len(state) == 3 else [])], out.reshape(shape)


STATES = [[0, 0], [0x0123456789ABCDEF, 0xFEDCBA9876543210], [M64, M64 - 2], [7, M64, M64], [5, 1 << 63, 11], [1, M32 - 1, 0]]
SHAPES = [(), (1,), (2,), (7,), (8,), (3, 5), (3, 4), (4, 6), (5, 1, 3), (2, 3, 2), (0, 3), (1, 1)]
KINDS = {"ui8": ["ui8"], "ui16": ["ui16", "f16"], "ui32": ["ui32", "i32", "f32"], "ui64": ["ui64", "i64"], "ui4": ["ui4"]}


def all_cases():
    word = BY_NAME["ui64"]
    for number, (algorithm, state) in enumerate((a, s) for a in ("THREE_FRY", "PHILOX", "DEFAULT") for s in STATES):
        if algorithm == "THREE_FRY" and len(state) != 2:
            continue
        for shape in SHAPES[number % 2::2] if algorithm == "DEFAULT" else SHAPES:
            for unsigned, names in KINDS.items():
                name = names[(number + len(shape)) % len(names)]
                e, bits = BY_NAME[name], BY_NAME[unsigned].bits
                after, drawn = (by_threefry if algorithm == "THREE_FRY" else by_philox)(state, shape, bits)
                values = BY_NAME[unsigned].array(drawn.reshape(-1), shape)
                if e.kind == "f":
                    values = values.view(np.float32) if e.bits == 32 else e.decode(values.view(np.int16))
                elif e.kind == "s":
                    values = values.view(e.held)
                given = tensor(word, (len(state),))
                yield Case(f"rng_bit_generator {algorithm} of {len(state)} words {number} {shape} {name}", [(word, word.array(state))],
                           f"%0:2 = stablehlo.rng_bit_generator %a, algorithm = {algorithm} : ({given}) -> ({given}, {tensor(e, shape)})",
                           Result(word, word.array(after)), Result(e, values))
