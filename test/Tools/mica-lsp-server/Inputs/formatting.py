"""formatting.py SERVER: the edits of textDocument/formatting, after them, and of a text that does not parse."""
import sys

from editor import Editor, apply

TEXT = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
%0 = mica.relu %x {note = "\U0001d41a\u00e9"} : tensor<4xf32>   \u0020
  // \u00e9 a comment
      return %0 : tensor<4xf32>
      }"""
URI = "file:///nowhere/format.mlir"
editor = Editor(sys.argv[1])
print("formats:", editor.capabilities["documentFormattingProvider"])
editor.open(URI, TEXT)
formatted = apply(TEXT, editor.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}})["result"])
print(formatted, end="[end]\n")
editor.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": formatted}]})
print("after that:", editor.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}})["result"])
editor.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": 3}, "contentChanges": [{"text": "  func.func @f( {\n"}]})
print("edits of a text that does not parse:", editor.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}})["result"])
print("said:", [m["params"]["message"] for m in editor.notes if m.get("method") == "window/logMessage"])
print("of a text that is not open:", editor.ask("textDocument/formatting", {"textDocument": {"uri": "file:///other.mlir"}})["result"])
print("exit code", editor.close())
