"""lenses.py SERVER FOLDER: what became of each op of FOLDER/model.mlir, above it, when hovering, and in a snapshot that is chosen."""
import pathlib
import sys

from editor import Editor, path_of

folder = pathlib.Path(sys.argv[2])
uri = folder.joinpath("model.mlir").as_uri()
text = folder.joinpath("model.mlir").read_text()
shows = {"window": {"showDocument": {"support": True}}}
editor = Editor(sys.argv[1], capabilities=shows)
print("commands:", editor.capabilities["executeCommandProvider"]["commands"])
editor.open(uri, text)
document = {"textDocument": {"uri": uri}}
lenses = editor.ask("textDocument/codeLens", document)["result"]
for lens in lenses:
    print(f"lens: line {lens['range']['start']['line'] + 1}: {lens['command']['title']}")
print("hover:", editor.ask("textDocument/hover", {**document, "position": {"line": 2, "character": 10}})["result"]["contents"]["value"].split("---")[-1].strip())
hovered = editor.ask("textDocument/hover", {**document, "position": {"line": 1, "character": 9}})["result"]["contents"]["value"]
print("page:", [part.strip() for part in hovered.split("---") if part.strip().startswith("**`mica.exp`**")])
at = {"line": 2, "character": 10}
actions = editor.ask("textDocument/codeAction", {**document, "range": {"start": at, "end": at}, "context": {"diagnostics": []}})["result"]
print("action:", [a["title"] for a in actions])

# A click: the editor is asked which place to show, and shows it.
explained = editor.ask("workspace/executeCommand", {"command": lenses[1]["command"]["command"], "arguments": lenses[1]["command"]["arguments"]})["result"]
print("explained:", explained.splitlines()[0])
question = next(m for m in editor.notes if m.get("method") == "window/showMessageRequest")
titles = [a["title"] for a in question["params"]["actions"]]
wanted = next(t for t in titles if "assign-ids" in t)
print("offered:", wanted, "of", len(titles))
editor.send({"id": question["id"], "result": {"title": wanted}})
shown = editor.until(lambda m: m.get("method") == "window/showDocument")
line = shown["params"]["selection"]["start"]["line"]
path = path_of(shown["params"]["uri"])
print("shown:", path.name, "|", path.read_text().splitlines()[line].split(" loc(")[0].strip())
editor.send({"id": shown["id"], "result": {"success": True}})

# The same by line; an op that is not there; a wrong request; a text without an artifact.
print("by line:", editor.ask("workspace/executeCommand", {"command": "mica.showOp", "arguments": [uri, 1]})["result"].splitlines()[0])
for arguments in ([uri, 77], [3], ["file:///nowhere/x.mlir", 0]):
    print("refused:", editor.ask("workspace/executeCommand", {"command": "mica.showOp", "arguments": arguments})["error"]["message"].splitlines()[0])

# After an edit the lenses say that they are of an earlier text.
editor.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text + "// more\n"}]})
print("edited:", editor.ask("textDocument/codeLens", document)["result"][0]["command"]["title"])
print("exit code", editor.close())

# An editor that shows no documents gets the text; one with lenses of its own gets none.
editor = Editor(sys.argv[1])
editor.open(uri, text)
editor.ask("workspace/executeCommand", {"command": "mica.showOp", "arguments": [uri, 1]})
print("message:", next(m for m in editor.notes if m.get("method") == "window/showMessage")["params"]["message"].splitlines()[0])
editor.close()
editor = Editor(sys.argv[1], options={"codeLens": False})
print("without lenses:", "codeLensProvider" not in editor.capabilities)
editor.server.stdin.close()
print("input that ends:", editor.server.wait(timeout=30))
