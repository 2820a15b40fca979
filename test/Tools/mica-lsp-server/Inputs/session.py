#!/usr/bin/env python3
"""session.py SERVER: opens a file in the server as an editor does and prints what it answers."""
import json
import subprocess
import sys

TEXT = """func.func @f(%x: tensor<4xi1>) -> tensor<4xi1> {
  %0 = mica.relu %x : tensor<4xi1>
  return %0 : tensor<4xi1>
}
"""
URI = "file:///session.mlir"
server = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def send(method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    length = 0
    while (line := server.stdout.readline().strip()):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(server.stdout.read(length))


def until(wanted):
    while not wanted(message := receive()):
        pass
    return message


send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
print("capabilities:", sorted(until(lambda m: m.get("id") == 1)["result"]["capabilities"]))
send("initialized", {})
send("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "mlir", "version": 1, "text": TEXT}})
for found in until(lambda m: m.get("method") == "textDocument/publishDiagnostics")["params"]["diagnostics"]:
    print(f"diagnostic: line {found['range']['start']['line'] + 1}: {found['message']}")
send("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": TEXT.replace("i1", "f32")}]})
print("after the change:", len(until(lambda m: m.get("method") == "textDocument/publishDiagnostics")["params"]["diagnostics"]))
send("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 10}}, 2)
print("hover:", json.dumps(until(lambda m: m.get("id") == 2)["result"]))
send("shutdown", None, 3)
until(lambda m: m.get("id") == 3)
send("exit", None)
print("exit code", server.wait(timeout=30))
