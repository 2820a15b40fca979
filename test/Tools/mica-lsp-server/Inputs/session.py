#!/usr/bin/env python3
"""session.py SERVER: opens a file in the server as an editor does and prints what it answers."""
import json
import sys

from editor import Editor

TEXT = """func.func @f(%x: tensor<4xi1>) -> tensor<4xi1> {
  %0 = mica.relu %x : tensor<4xi1>
  return %0 : tensor<4xi1>
}
"""
URI = "file:///session.mlir"
editor = Editor(sys.argv[1])
print("capabilities:", sorted(editor.capabilities))
for found in editor.open(URI, TEXT):
    print(f"diagnostic: line {found['range']['start']['line'] + 1}: {found['message']}")
editor.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": TEXT.replace("i1", "f32")}]})
print("after the change:", len(editor.until(lambda m: m.get("method") == "textDocument/publishDiagnostics")["params"]["diagnostics"]))
print("hover:", json.dumps(editor.ask("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 10}})["result"]))
print("exit code", editor.close())
