"""Walks through the pages of mica-report diff, and through a report that is served while its log grows, in headless Chromium.

usage: browse_diff.py logs|structure|first|attack PAGE.html, browse_diff.py serve LOG, or browse_diff.py large PAGE.html [MILLISECONDS]
"""
import pathlib
import signal
import subprocess
import sys

from browse import Browser, check_inert


def everywhere(b, addresses):
    """Dark, light, wide and narrow: nothing stands beside the page."""
    for theme, dark in (("dark", True), ("light", False)):
        b.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        b.expect((b.js("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] < 128")) == dark, f"{theme} by the system")
    for width in (1400, 420):
        b.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        for address in addresses:
            b.go(address)
            b.expect(b.js("return document.documentElement.scrollWidth <= innerWidth"), f"nothing beside the page at {width} pixels of {address}")
    print("dark, light, wide, narrow")


def click(b, text, within="#main a"):
    found = b.js("const a = [...document.querySelectorAll(arguments[1])].find(a => a.textContent.trim() === arguments[0]); if (a) a.click(); return Boolean(a)", text, within)
    b.expect(found, f"a link '{text}'")


def logs(b):
    for part in ("differ", "a.log", "b.log", "only after", "guard_count", "compile time"):
        b.expect(part in b.text(), f"the comparison says '{part}'")
    b.key("c")
    b.key("5/0")
    b.expect(b.js("return [...document.querySelectorAll('#list a')].filter(a => a.style.display !== 'none').length") == 1, "the filter of units")
    b.js("document.getElementById('filter').value = ''; document.getElementById('filter').dispatchEvent(new Event('input')); document.activeElement.blur()")
    click(b, "[1/0]")
    b.until(lambda: b.title() == "[1/0]", "the page of a compile")
    b.settle()
    b.expect("8" in b.text() and "9" in b.text() and "guard_count" in b.text(), "its facts")
    print("units: what is on one side, facts, filter")
    b.go("#/")
    click(b, "[1/0_1]")
    b.until(lambda: b.title() == "[1/0_1]", "the page of an attempt")
    b.settle()
    click(b, "inductor_output_code.py")
    b.until(lambda: "1 line removed, 2 lines added" in b.text(), "lines of a product beside each other")
    address = b.driver.current_url
    b.driver.get("about:blank")
    b.driver.get(address)
    b.until(lambda: "1 line removed, 2 lines added" in b.text(), "the same by its address")
    b.key("o")
    b.until(lambda: b.driver.current_url.endswith("#/"), "the comparison by o")
    b.settle()
    b.go("#/d/999")
    b.expect("Nothing here" in b.title(), "a unit that is not there")
    print("products: lines, keys, addresses")
    everywhere(b, ["#/", "#/d/0", "#/d/1", "#/d/2/0", "#/about"])


def structure(b):
    click(b, "[0/0]")
    b.until(lambda: b.title() == "[0/0]", "the compile")
    b.settle()
    b.expect("1 op changed" in b.text(), "changes are counted in ops")
    click(b, "tensor.mlir")
    b.until(lambda: "tensor.mlir" in b.title(), "the page of a snapshot")
    b.settle()
    b.expect("math.exp" in b.text() and "math.sqrt" in b.text(), "what changed")
    b.key("n")
    b.until(lambda: "1 of 1: changed" in b.text() and b.driver.current_url.endswith("/1"), "the change by n")
    b.expect(b.js("return document.querySelectorAll('.panes .bands > div').length") >= 2, "changed lines are marked on both sides")
    here = b.js("return location.hash")
    b.go("#/d/0")
    click(b, "snapshots.json")
    b.until(lambda: "snapshots.json" in b.title(), "a text")
    b.key("n")
    b.expect(b.driver.current_url.split("#")[1].count("/") == 3, "n is of changes by structure only")
    print("IR: changes by structure, n, addresses")
    everywhere(b, ["#/", "#/d/0", here])


def first(b):
    """Two artifacts: the first pass whose result differs stands above the units, with its change."""
    box = b.js("return document.getElementById('firstDifference').innerText")
    b.expect("math.exp" in box and "math.sqrt" in box and "1 op changed" in box, f"the change is shown: {box}")
    b.expect(b.js("const d = document.querySelector('#firstDifference details'); return d && !d.open && d.querySelectorAll('tbody tr').length") > 0, "later texts are folded")
    passes = b.js("return [...document.querySelectorAll('#firstDifference details tbody tr')].map(r => Number(r.cells[0].textContent))")
    b.expect(passes == sorted(passes), f"in the order of the passes: {passes}")
    click(b, "both texts")
    b.until(lambda: "1 of 1: changed" in b.text(), "both texts at the change")
    print("the first difference on top, what follows folded")
    everywhere(b, ["#/"])


def attack(b):
    seen, wait = set(), ["#/", "#/about", "#/d/-1", "#/d/__proto__", "#/d/0/__proto__", "#/d/0/0/%3Cimg src=x onerror=window.mica_attack=1%3E"]
    while wait and len(seen) < 80:
        address = wait.pop(0)
        if address in seen:
            continue
        seen.add(address)
        b.go(address)
        check_inert(b)
        wait += b.js("return [...new Set([...document.querySelectorAll('#main a, #list a')].map(a => a.getAttribute('href')).filter(h => h && h.startsWith('#/')))].slice(0, 40)")
    print(f"{len(seen)} pages of a hostile comparison: inert")


def large(b, limit):
    """From the event to the frame after it, on programs of 10,000 ops, 100 of which differ."""
    b.driver.set_script_timeout(60)
    times = {}

    def measure(what, act, repeat=4):
        times[what] = b.measure(act, repeat)

    units = b.js("return comparison.different.map(u => [u.index, u.name, u.products.map(p => [p.index, p.name])])")
    b.expect(units and any(name.startswith("kernel ") for _, name, _ in units), f"a kernel differs: {units}")
    measure("the comparison", "await shown('#/about'); await shown('#/')")
    for unit, name, products in units[:4]:
        measure(name, f"await shown('#/'); await shown('#/d/{unit}')")
        for product, file in products[:6]:
            b.go(f"#/d/{unit}/{product}")
            b.go("#/")
            measure(f"{name}, {file}", f"await shown('#/'); await shown('#/d/{unit}/{product}')")
    measure("filter", "const box = document.getElementById('filter'); box.value = 'k' + i; box.dispatchEvent(new Event('input'))")
    slow = []
    for what, took in times.items():
        print(f"{what}: {took:.0f} ms", file=sys.stderr)
        if took > limit:
            slow.append(f"{what}: {took:.0f} ms")
    b.expect(not slow, f"every interaction within {limit:.0f} ms: {slow}")
    print(f"{len(times)} interactions with a comparison of 10,000 ops")


def serve(log):
    """A page that is open shows what is new, in its place, and no request leaves the machine."""
    server = subprocess.Popen(["mica-report", log, "--serve"], stdout=subprocess.PIPE, text=True)
    browser = None
    try:
        browser = b = Browser(server.stdout.readline().strip())
        b.expect("7 compiles" in b.text(), "the report over HTTP")
        b.go("#/c/0.1")
        b.expect("inductor_output_code.py" in b.text(), "the page of a compile")
        print("served: pages over HTTP")
        with pathlib.Path(log).open("a") as file:
            file.write('V1206 15:30:00.000000 1 x.py:1] {"dynamo_start": {"stack": []}, "frame_id": 9, "frame_compile_id": 0, "attempt": 0}\n')
        b.until(lambda: b.js("return Boolean([...document.querySelectorAll('#list a')].find(a => a.dataset.key.startsWith('9.0')))"), "a compile that began meanwhile")
        b.settle()
        b.expect(b.driver.current_url.endswith("#/c/0.1") and "inductor_output_code.py" in b.text(), "and the page is where it was")
        print("served: what is new is shown in its place")
        errors = b.errors()
        print("no error on the console" if not errors else f"FAILED: {errors[:5]}")
        return bool(errors)
    finally:
        if browser:
            browser.driver.quit()
        server.send_signal(signal.SIGINT)
        server.wait(timeout=20)


def main():
    if sys.argv[1] == "serve":
        return serve(sys.argv[2])
    browser = Browser(sys.argv[2])
    try:
        if sys.argv[1] == "large":
            large(browser, float(sys.argv[3]) if len(sys.argv) > 3 else 1e9)
        else:
            {"logs": logs, "structure": structure, "first": first, "attack": attack}[sys.argv[1]](browser)
        errors = browser.errors()
        print("no error on the console" if not errors else f"FAILED: {errors[:5]}")
        return bool(errors)
    finally:
        browser.driver.quit()


if __name__ == "__main__":
    sys.exit(main())
