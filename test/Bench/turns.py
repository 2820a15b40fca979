# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of functions that run in turns, so that what else the machine does meets them all."""
import time


def turns(contenders, pairs, threads=1):
    """Lists of `pairs` samples, in microseconds a call, by name; `contenders`: functions by name."""
    def sample(run, count):
        start = time.perf_counter()
        for _ in range(count):
            run()
        return (time.perf_counter() - start) / count * 1e6

    counts = {name: max(1, int(8000 / sample(run, 2))) for name, run in contenders.items()}
    samples = {name: [] for name in contenders}
    for _ in range(pairs):
        for name, run in contenders.items():
            # Threads of the others still spin, and those that slept start on the caller's CPU.
            if threads > 1:
                time.sleep(0.06)
                sample(run, max(2, 4 * counts[name]))
            sample(run, max(1, counts[name] // 4))
            samples[name].append(sample(run, counts[name]))
    return samples
