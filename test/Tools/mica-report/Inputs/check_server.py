"""Starts mica-report --serve and asks it for what it should give and what it should not.

usage: check_server.py LOG
"""
import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

log = pathlib.Path(sys.argv[1])
process = subprocess.Popen(["mica-report", str(log), "--serve"], stdout=subprocess.PIPE, text=True)
address = process.stdout.readline().strip()
port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/", address).group(1))


def ask(path, method="GET", host=None, headers=()):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest(method, path, skip_host=True)
    if host is None or host:
        connection.putheader("Host", host or f"127.0.0.1:{port}")
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read(), dict(answer.getheaders())


def expect(holds, what):
    if not holds:
        process.kill()
        sys.exit("FAILED: " + what)


try:
    code, body, headers = ask("/")
    expect(code == 200 and b"mica-report" in body and headers["X-Content-Type-Options"] == "nosniff" and "connect-src 'self'" in body.decode(), "the page")
    expect(ask("/index.html?x=1")[0] == 200 and ask("/data/report.js")[2]["Content-Type"].startswith("text/javascript"), "its files")
    expect(ask("/", host=f"localhost:{port}")[0] == 200, "localhost")
    code, body, headers = ask("/data/report.js", method="HEAD")
    expect(code == 200 and body == b"" and int(headers["Content-Length"]) > 10, "HEAD")
    print("pages and their files")

    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", "", f"127.0.0.1:{port}@evil.example"):
        expect(ask("/", host=host or "")[0] == 403, f"host {host!r} is refused")
    expect(ask("/", headers=[("Host", "evil.example")])[0] == 403, "two hosts are refused")
    expect(ask("/data/report.js", headers=[("Origin", "http://evil.example")])[0] == 403, "another page is refused")
    print("foreign hosts and pages: refused")

    secret = log.parent / "secret.txt"
    secret.write_text("secret")
    for path in ("/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "//etc/passwd", "/data/../../secret.txt", "/etc/passwd", "/data", "/data/", "/.", "/nothing", "/index.html/x", "/index.html%00.js", "/\\..\\x", str(secret)):
        code, body, _ = ask(path)
        expect(code in (400, 404) and b"secret" not in body and b"root:" not in body, f"path {path} gives {code}")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT"):
        expect(ask("/", method=method)[0] == 405, method)
    print("other paths and methods: refused")

    # Nonsense, silence and half a request hold nobody up.
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(8)]
    idle[0].sendall(b"GET / HT")
    idle[1].sendall(b"\x00\xff" * 40000)
    began = time.time()
    expect(ask("/")[0] == 200 and time.time() - began < 3, "an answer beside connections that say nothing")
    print("silent connections hold nobody up")

    before = ask("/version")[1]
    with log.open("a") as file:
        file.write(log.read_text().splitlines()[0].replace('"torch_version"', '"another"') + "\n")
    end = time.time() + 60
    while ask("/version")[1] == before and time.time() < end:
        time.sleep(0.1)
    expect(ask("/version")[1] != before, "the report follows the log")
    print("the report follows the log")
    addresses = subprocess.run(["cat", "/proc/net/tcp"], capture_output=True, text=True).stdout
    listening = [line.split()[1] for line in addresses.splitlines()[1:] if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")]
    expect(listening == [f"0100007F:{port:04X}"], f"it listens on 127.0.0.1 only: {listening}")
    print("on 127.0.0.1 only")
finally:
    process.send_signal(signal.SIGINT)
expect(process.wait(timeout=20) == 0, "Ctrl-C ends it with 0")
print("Ctrl-C: exit code 0")
