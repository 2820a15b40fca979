# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a page that is generated, or checks that it is current."""
import difflib
import sys


def update(source, page, text, origin, command, check):
    """Writes `text` to `page`, a path in the folder `source`; with `check` prints what differs instead. `origin`: what the page is made
    from; `command` makes it. Returns the exit code."""
    path = source / page
    if not check:
        path.write_text(text)
        return 0
    current = path.read_text() if path.exists() else ""
    if current == text:
        print(f"{page} is current")
        return 0
    sys.stdout.writelines(difflib.unified_diff(current.splitlines(True), text.splitlines(True), page, origin))
    print(f"{page} is not what {origin} say: run `{command}`")
    return 1
