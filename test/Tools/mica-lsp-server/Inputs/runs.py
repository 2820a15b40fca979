"""runs.py SERVER FOLDER: what runs of FOLDER/fault.mlir and right.mlir report, as diagnostics beside those of the server."""
import pathlib
import sys

from editor import Editor

folder = pathlib.Path(sys.argv[2])
editor = Editor(sys.argv[1], options={"runFlags": ["--input=4xf32=1", "--input=index=7"]})


def published(uri):
    message = editor.until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri)
    return [(d["range"]["start"]["line"] + 1, d.get("source", ""), d["severity"], d["message"].splitlines()[0]) for d in message["params"]["diagnostics"]]


def run(uri):
    editor.count += 1
    number = editor.count
    editor.send({"id": number, "method": "workspace/executeCommand", "params": {"command": "mica.runProgram", "arguments": [uri]}})
    found = published(uri)
    return found, editor.until(lambda m: m.get("id") == number)["result"]


for name in ("fault", "right"):
    file = folder / f"{name}.mlir"
    uri, text = file.as_uri(), file.read_text()
    print(name, "opened:", editor.open(uri, text))
    found, result = run(uri)
    print(name, "ran:", found, result)
    if name == "fault":
        at = {"line": 0, "character": 0}
        actions = editor.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}})["result"]
        print("actions:", [a["title"] for a in actions])
        editor.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text + "// more\n"}]})
        print("edited:", published(uri))
print("refused:", editor.ask("workspace/executeCommand", {"command": "mica.runProgram", "arguments": []})["error"]["message"])
print("exit code", editor.close())
