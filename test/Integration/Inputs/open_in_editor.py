#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens a file in a language server as an editor does, and ends with the server's exit code; 1 where no answer came.

usage: open_in_editor.py SERVER FILE
"""
import json
import pathlib
import subprocess
import sys


def message(method, parameters, number=None):
    body = {"jsonrpc": "2.0", "method": method, "params": parameters} | ({} if number is None else {"id": number})
    text = json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


server, file = sys.argv[1], pathlib.Path(sys.argv[2])
document = {"uri": file.resolve().as_uri(), "languageId": "mlir", "version": 1, "text": file.read_text()}
requests = (message("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 0) + message("initialized", {})
            + message("textDocument/didOpen", {"textDocument": document}) + message("shutdown", {}, 1) + message("exit", {}))
done = subprocess.run([server], input=requests, capture_output=True)
sys.exit(done.returncode or b"publishDiagnostics" not in done.stdout)
