"""Walks through the graph of tasks in headless Chromium, and prints what holds.

usage: browse_graph.py pages PAGE.html [SCREENSHOT.png], or browse_graph.py times PAGE.html [MILLISECONDS]
"""
import json
import sys
import time

from browse import Browser

PIXELS = """const c = document.querySelector(arguments[0]), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] > 150 && d[i + 1] < 90 && d[i + 2] < 90; return n;"""


def click(b, x, y):
    """A click on the graph, at a part of its width and height."""
    b.js("""const c = document.querySelector('.graphBox canvas'), r = c.getBoundingClientRect(), at = { clientX: r.left + r.width * arguments[0], clientY: r.top + r.height * arguments[1], pointerId: 1, bubbles: true };
      c.setPointerCapture = () => {}; for (const kind of ['pointerdown', 'pointerup']) c.dispatchEvent(new PointerEvent(kind, at));""", x, y)


def pages(b, screenshot):
    b.go("#/a/graph/0")
    time.sleep(0.3)
    text = b.text()
    b.expect("1,226 tasks" in text.replace("1,202", "1,226") or "24 layers of" in text, f"layers are found: {text[:600]}")
    b.expect("24 layers of 50 tasks" in text or "24 layers of 51 tasks" in text, "how long a layer is")
    b.expect(b.js(PIXELS, ".graphBox canvas") > 100, "the critical path is red")
    if screenshot:
        b.driver.save_screenshot(screenshot)
    # A click opens a layer; its tasks are boxes then, and it can be closed.
    click(b, 0.5, 0.3)
    b.until(lambda: "/graph/0/" in b.driver.current_url and "close layer" in b.text(), "a layer opens by a click")
    time.sleep(0.3)
    b.expect("Waits for" in b.text() and "norm" in b.text(), "its first task is shown")
    if screenshot:
        b.driver.save_screenshot(screenshot.replace(".png", "_open.png"))
    b.expect(not b.js("return document.querySelector('.minimap').hidden") and b.js("return document.querySelector('.minimap').width") > 0, "a map of the whole")
    address = b.driver.current_url
    b.driver.get("about:blank")
    b.driver.get(address)
    b.settle()
    b.until(lambda: "close layer" in b.text(), "the address shows the same")
    b.js("[...document.querySelectorAll('button')].find(e => e.textContent.startsWith('close layer')).click()")
    b.until(lambda: "close layer" not in b.text(), "a layer closes")
    # The filter counts, and Enter goes through what it found.
    b.js("const f = document.getElementById('graphFilter'); f.value = 'softmax'; f.dispatchEvent(new Event('input'))")
    b.expect("24 tasks" in b.text(), "the filter counts")
    b.js("document.getElementById('graphFilter').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))")
    b.expect("1 of 24 tasks" in b.text(), "Enter goes to the first")
    before = b.js("return document.querySelector('.minimap').toDataURL()")
    b.js("const m = document.querySelector('.minimap'), r = m.getBoundingClientRect(); m.setPointerCapture = () => {}; m.dispatchEvent(new PointerEvent('pointerdown', { clientX: r.left + r.width / 2, clientY: r.bottom - 3, pointerId: 1, buttons: 1 }))")
    b.until(lambda: b.js("return document.querySelector('.minimap').toDataURL()") != before, "the map moves the view")
    b.js("[...document.querySelectorAll('button')].find(e => e.textContent === 'by layers').click()")
    time.sleep(0.3)
    b.expect(b.js("return [...document.querySelectorAll('button')].find(e => e.textContent === 'by layers').getAttribute('aria-pressed')") == "false", "every task by a button")
    if screenshot:
        b.driver.save_screenshot(screenshot.replace(".png", "_all.png"))
    for width in (420, 1440):
        b.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        b.expect(b.js("return document.documentElement.scrollWidth <= innerWidth"), f"nothing beside the page at {width} pixels")
    print("graph: layers, chain, map, filter, addresses")

    # Launches over time: each lane's name stands over its bars.
    b.js("window.drawn = []; const own = CanvasRenderingContext2D.prototype.fillText; CanvasRenderingContext2D.prototype.fillText = function(t, x, y) { window.drawn.push([t, x, y]); return own.apply(this, arguments); }")
    b.go("#/a/tasks")
    b.until(lambda: b.js("return window.drawn.length") > 3, "a drawing")
    drawn = b.js("return window.drawn")
    lanes = [(x, y) for t, x, y in drawn if t in ("cpu:0 thread 1", "cpu:0 thread 2")]
    b.expect(len(set(lanes)) == 2 and all(x < 10 for x, _ in lanes), f"names of lanes: {drawn[:12]}")
    b.js("window.save = (value, name) => { window.saved = [value, name]; }; [...document.querySelectorAll('button')].find(e => e.textContent === 'save for Perfetto').click()")
    trace = json.loads(b.js("return window.saved[0]"))["traceEvents"]
    launches = [e for e in trace if e.get("cat") == "launch"]
    waits = [e for e in trace if e.get("cat") == "wait"]
    threads = {e["args"]["name"] for e in trace if e["name"] == "thread_name" and e["pid"] == 2}
    b.expect(len(launches) == 1202 and len(waits) == 2404 and threads == {"cpu:0 thread 1", "cpu:0 thread 2"}, f"a trace: {len(launches)} {len(waits)} {threads}")
    b.expect(launches[1]["name"] == "norm" and launches[1]["dur"] == 3, f"a launch: {launches[1]}")
    print("tasks: names of lanes, a trace for Perfetto")


def times(b, limit):
    b.driver.set_script_timeout(60)
    b.go("#/a/graph/0")
    b.go("#/about")
    took = {}

    def measure(what, act, repeat=3):
        took[what] = b.measure(act, repeat)

    measure("show the graph", "if (i) await shown('#/about'); await shown('#/a/graph/0')")
    wheel = "const c = document.querySelector('.graphBox canvas'), r = c.getBoundingClientRect(); c.dispatchEvent(new WheelEvent('wheel', { deltaY: %d, clientX: r.left + 300, clientY: r.top + 200, bubbles: true, cancelable: true }))"
    measure("zoom", wheel % 120)
    measure("all tasks", "[...document.querySelectorAll('button')].find(e => e.textContent === 'by layers').click(); await new Promise(next => setTimeout(next))")
    if b.js("return [...document.querySelectorAll('button')].find(e => e.textContent === 'by layers').getAttribute('aria-pressed')") == "true":
        b.js("[...document.querySelectorAll('button')].find(e => e.textContent === 'by layers').click()")
    time.sleep(0.3)
    measure("zoom among all tasks", wheel % 90, repeat=6)
    b.js("document.querySelector('.graphBox canvas').dispatchEvent(new MouseEvent('dblclick'))")
    time.sleep(0.3)
    measure("zoom with all tasks in view", wheel % -3)
    measure("point at a task", "const c = document.querySelector('.graphBox canvas'), r = c.getBoundingClientRect(); c.dispatchEvent(new PointerEvent('pointermove', { clientX: r.left + 300 + i, clientY: r.top + 200, bubbles: true }))")
    measure("filter", "const f = document.getElementById('graphFilter'); f.value = 'part_' + i; f.dispatchEvent(new Event('input'))")
    measure("next found", "document.getElementById('graphFilter').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))")
    measure("the critical path", "[...document.querySelectorAll('button')].find(e => e.textContent === 'to the critical path').click()")
    slow = []
    for what, ms in took.items():
        print(f"{what}: {ms:.0f} ms", file=sys.stderr)
        if ms > limit:
            slow.append(f"{what}: {ms:.0f} ms")
    b.expect(not slow, f"every interaction within {limit:.0f} ms: {slow}")
    print(f"{len(took)} interactions with the graph")


def main():
    browser = Browser(sys.argv[2])
    try:
        if sys.argv[1] == "times":
            times(browser, float(sys.argv[3]) if len(sys.argv) > 3 else 1e9)
        else:
            pages(browser, sys.argv[3] if len(sys.argv) > 3 else None)
        errors = browser.errors()
        print("no error on the console" if not errors else f"FAILED: {errors[:5]}")
        return bool(errors)
    finally:
        browser.driver.quit()


if __name__ == "__main__":
    sys.exit(main())
