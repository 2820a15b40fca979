"""cached.py SERVER FOLDER: lenses of FOLDER/model.mlir from the artifact in the cache, and a packed snapshot of it."""
import pathlib
import sys

from editor import Editor, path_of

file = pathlib.Path(sys.argv[2], "model.mlir")
uri, text = file.as_uri(), file.read_text()
editor = Editor(sys.argv[1], capabilities={"window": {"showDocument": {"support": True}}})
editor.open(uri, text)
lenses = editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
print(len(lenses), "lenses")
editor.ask("workspace/executeCommand", {"command": "mica.showOp", "arguments": lenses[1]["command"]["arguments"]})
question = next(m for m in editor.notes if m.get("method") == "window/showMessageRequest")
wanted = next(a["title"] for a in question["params"]["actions"] if "assign-ids" in a["title"])
editor.send({"id": question["id"], "result": {"title": wanted}})
shown = editor.until(lambda m: m.get("method") == "window/showDocument")["params"]
path = path_of(shown["uri"])
print(f"shown: {path}: {path.read_text().splitlines()[shown['selection']['start']['line']].strip()}")
editor.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text + "\n"}]})
print("after an edit:", len(editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]), "lenses")
editor.close()
