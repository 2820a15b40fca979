"""An editor's side of the language server protocol, for tests."""
import json
import pathlib
import subprocess
import urllib.parse


class Editor:
    """Starts the server in `folder`; `capabilities` are the editor's."""

    def __init__(self, server, folder=None, capabilities=None, root=None, options=None):
        self.server = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder)
        self.count, self.notes = 0, []
        self.capabilities = self.ask("initialize", {"processId": None, "rootUri": root, "capabilities": capabilities or {},
                                                    "initializationOptions": options or {}})["result"]["capabilities"]
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.server.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.server.stdout.read(length))

    def until(self, wanted):
        """The next message that is wanted; those before it are kept in `notes`."""
        while not wanted(message := self.receive()):
            self.notes.append(message)
        return message

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.count += 1
        number = self.count
        self.send({"method": method, "params": params, "id": number})
        return self.until(lambda m: m.get("id") == number and "method" not in m)

    def open(self, uri, text):
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}})
        return self.until(lambda m: m.get("method") == "textDocument/publishDiagnostics")["params"]["diagnostics"]

    def close(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.server.wait(timeout=30)


def path_of(uri):
    return pathlib.Path(urllib.parse.unquote(uri.removeprefix("file://")))


def apply(text, edits):
    """The text after the edits of one answer. Positions count UTF-16 units."""
    lines = text.split("\n")

    def at(place):
        units = "\n".join(lines[:place["line"]] + [""]) if place["line"] else ""
        rest = lines[place["line"]].encode("utf-16-le")[:2 * place["character"]].decode("utf-16-le")
        return len(units) + len(rest)
    for start, end, new in sorted(((at(e["range"]["start"]), at(e["range"]["end"]), e["newText"]) for e in edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text
