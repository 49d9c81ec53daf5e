#!/usr/bin/env python3
"""Opens the page of scripts/web in headless Chromium and acts like a user: drops a model and its animation, checks that the image changes
during playback, exports and reads the download. The page may only contact its own server.

    scripts/web-check.py PAGE CHROMIUM PICTURES
"""

import base64
import contextlib
import functools
import http.server
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
import zlib
from pathlib import Path

PAGE, CHROMIUM, PICTURES = sys.argv[1:]
SAMPLES = Path(__file__).resolve().parent.parent / "assets/samples"
# A software driver beside other work: what a person would not wait for is said by figures, not by this.
PATIENCE = 120
# Chromium that was just installed does not always come up: it is started anew, and what it wrote is printed.
STARTS, START_PATIENCE = 3, 60
WIDTH, HEIGHT = 1280, 800

asked = []


class Server(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *_):
        asked.append((self.server.server_port, self.path))


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=PAGE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


class NoAnswer(SystemExit):
    """The browser ended, or does not answer in time."""


class Browser:
    """Chromium, by the DevTools protocol over a pipe: messages of JSON that end with a zero."""

    # WebGPU on the software driver that Chromium brings.
    # The pictures of the page go over the same driver: else they cannot be shown.
    GPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
           "--enable-features=Vulkan", "--use-vulkan=swiftshader", "--use-gl=angle", "--use-angle=swiftshader"]

    def __init__(self, folder, gpu):
        self.log = Path(folder, "chromium.log")
        for start in range(1, STARTS + 1):
            try:
                target = self.start(f"{folder}/profile-{start}", gpu)
                break
            except NoAnswer as error:
                self.close()
                print(f"Chromium, attempt {start}: {error}; output:\n{self.log.read_text(errors='replace')[-4000:]}", flush=True)
                if start == STARTS:
                    raise
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Performance"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)

    def start(self, profile, gpu):
        """Starts Chromium and makes it an empty page."""
        there, self.to = os.pipe()
        self.come, back = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={profile}",
                 f"--window-size={WIDTH},{HEIGHT}", "--no-first-run", "--disable-dev-shm-usage", *gpu, "about:blank"]
        redirect = f'exec "$0" "$@" 3<&{there} 4>&{back}'
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(["bash", "-c", redirect, CHROMIUM, *flags], pass_fds=(there, back),
                                            stdout=subprocess.DEVNULL, stderr=log, start_new_session=True)
        os.close(there)
        os.close(back)
        self.number, self.answers, self.events, self.arrived = 0, {}, [], threading.Condition()
        self.session, self.ended = None, False
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        return self.call("Target.createTarget", START_PATIENCE, url="about:blank")["targetId"]

    def read(self):
        rest = b""
        while True:
            part = os.read(self.come, 1 << 20)
            if not part:
                with self.arrived:
                    self.ended = True
                    self.arrived.notify_all()
                return
            *messages, rest = (rest + part).split(b"\0")
            with self.arrived:
                for message in map(json.loads, messages):
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self.events.append(message)
                self.arrived.notify_all()

    def call(self, method, patience=PATIENCE, **params):
        self.number += 1
        number, message = self.number, {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self.to, data):]
        except BrokenPipeError:
            raise NoAnswer(f"FAILED: the browser ended before {method}") from None
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers or self.ended, patience):
                raise NoAnswer(f"FAILED: no answer to {method} within {patience} s")
            if number not in self.answers:
                raise NoAnswer(f"FAILED: the browser ended before answering {method}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise SystemExit(f"FAILED: {method}: {answer['error']}")
        return answer["result"]

    def said(self, method):
        with self.arrived:
            return [event["params"] for event in self.events if event["method"] == method]

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            return None
        return answer["result"].get("value")

    def status(self):
        text = self.value("globalThis.bonebox?.status?.() ?? null")
        return json.loads(text) if text else {}

    def wait(self, what, ready):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            status = self.status()
            try:
                if ready(status):
                    return status
            except (KeyError, TypeError):
                pass
            time.sleep(0.05)
        self.picture("failed")
        notice = self.value("document.getElementById('notice').hidden ? '' : document.getElementById('sentence').textContent")
        raise SystemExit(f"FAILED: timeout waiting for {what}; notice “{notice}”, log {self.troubles()}, status {self.status()}")

    def open(self, url):
        self.call("Page.navigate", url=url)

    def troubles(self):
        errors = [p["exceptionDetails"].get("exception", {}).get("description") for p in self.said("Runtime.exceptionThrown")]
        errors += [" ".join(str(a.get("value", a.get("description"))) for a in p["args"])
                   for p in self.said("Runtime.consoleAPICalled") if p["type"] == "error"]
        errors += [p["entry"]["text"] for p in self.said("Log.entryAdded") if p["entry"]["level"] == "error"]
        # Each once, and no more than a person reads.
        return list(dict.fromkeys(str(error)[:300] for error in errors))[:20]

    def picture(self, name):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        Path(PICTURES, f"{name}.png").write_bytes(data)
        return pixels(data)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def key(self, key, code, modifiers=0):
        number = ord(key.upper()) if len(key) == 1 else {"Enter": 13, "Escape": 27}[key]
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, modifiers=modifiers, windowsVirtualKeyCode=number, **text)

    def drop(self, *files):
        data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=WIDTH / 2, y=HEIGHT / 2, data=data)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            pass
        # Its helpers, which may outlive it.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.reader.join(10)
        os.close(self.to)
        os.close(self.come)


def pixels(data):
    """The rows of an 8-bit PNG, with the bytes of a pixel."""
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, _, depth, color = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and color in (2, 6), (depth, color)
            step = 3 if color == 2 else 4
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    raw, rows, before, stride = zlib.decompress(packed), [], bytearray(width * step), width * step
    for start in range(0, len(raw), stride + 1):
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for i in range(stride):
            left = row[i - step] if i >= step else 0
            up = before[i]
            if kind == 1:
                row[i] = row[i] + left & 255
            elif kind == 2:
                row[i] = row[i] + up & 255
            elif kind == 3:
                row[i] = row[i] + (left + up >> 1) & 255
            elif kind == 4:
                corner = before[i - step] if i >= step else 0
                guess = left + up - corner
                row[i] = row[i] + min((left, up, corner), key=lambda v: abs(guess - v)) & 255
        rows.append(row)
        before = row
    return step, rows


def differing(one, other, rect):
    """Pixels in a rectangle whose colours differ."""
    (step, a), (_, b) = one, other
    left, top, width, height = (int(v) for v in rect)
    return sum(a[y][x * step:x * step + 3] != b[y][x * step:x * step + 3]
               for y in range(top, min(top + height, len(a))) for x in range(left, left + width))


def colours(picture, rect):
    step, rows = picture
    left, top, width, height = (int(v) for v in rect)
    return len({bytes(rows[y][x * step:x * step + 3]) for y in range(top, min(top + height, len(rows))) for x in range(left, left + width)})


def check(what, true):
    if not true:
        raise SystemExit(f"FAILED: {what}")
    print(f"ok       {what}", flush=True)


def downloaded(browser, folder):
    """The next file that the browser saves."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        # Those that are still written have names of the browser's own.
        done = [file for file in Path(folder).iterdir() if not file.name.endswith(".crdownload") and not file.name.startswith(".")]
        if done:
            return done[0]
        time.sleep(0.05)
    browser.picture("failed")
    raise SystemExit(f"FAILED: no download; {browser.status().get('last_log')} {browser.troubles()}")


def read_glb(data):
    magic, version, length = struct.unpack("<4sII", data[:12])
    size, kind = struct.unpack("<I4s", data[12:20])
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON"), data[:20]
    return json.loads(data[20:20 + size])


def whole_page(browser, port, folder):
    begun = time.monotonic()
    browser.open(f"http://127.0.0.1:{port}/?status")
    browser.wait("the window", lambda s: s["painted"] > 2)
    first = time.monotonic() - begun
    browser.wait("the device", lambda s: s["gpu"])
    begun = time.monotonic()
    browser.open(f"http://127.0.0.1:{port}/?status")
    browser.wait("the window after reloading", lambda s: s["painted"] > 2)
    print(f"figure   window shown after {first:.2f} s, {time.monotonic() - begun:.2f} s with a warm cache", flush=True)
    check("the window opens", colours(browser.picture("page-empty"), (0, 0, WIDTH, HEIGHT)) > 50)

    browser.drop(SAMPLES / "Ossie.psk", SAMPLES / "Ossie.psa")
    status = browser.wait("the dropped model and its animation", lambda s: s["model"] and s["clip"] and s["playing"] and not s["busy"])
    check("a dropped PSK and PSA form one animated model", status["matched"] >= 20)
    urls = [event["request"]["url"] for event in browser.said("Network.requestWillBeSent")]
    foreign = [url for url in urls if not url.startswith((f"http://127.0.0.1:{port}/", "blob:", "data:", "about:"))]
    check(f"all {len(urls)} requests are for the page's own files: {foreign}", urls and not foreign)
    view = status["rects"]["viewport"]
    before = browser.picture("page-playing")
    check("the model is rendered", colours(before, view) > 200)
    frame = status["frame"]
    browser.wait("a later frame", lambda s: abs(s["frame"] - frame) > 2)
    moved = differing(before, browser.picture("page-playing-later"), view)
    check(f"the image changes during playback: {moved} pixels", moved > 200)

    at, painted = metrics(browser), browser.status()["painted"]
    time.sleep(4)
    work, frames = metrics(browser) - at, browser.status()["painted"] - painted
    print(f"figure   {work / max(frames, 1) * 1000:.1f} ms of main-thread time per frame, {frames / 4:.0f} frames per second", flush=True)

    browser.key(" ", "Space")
    browser.wait("the pause", lambda s: not s["playing"])
    still = browser.status()["frame"]
    left, top, width, height = status["rects"]["scrub"]
    for kind, x in (("mouseMoved", 0.7), ("mousePressed", 0.7), ("mouseMoved", 0.65), ("mouseMoved", 0.6), ("mouseReleased", 0.6)):
        pressed = kind != "mouseReleased" and x != 0.7 or kind == "mousePressed"
        painted = browser.status()["painted"]
        browser.mouse(kind, left + width * x, top + height / 2, button="none" if kind == "mouseMoved" and x == 0.7 else "left",
                      buttons=int(pressed), clickCount=int(kind != "mouseMoved"))
        # A drag is a drag where the pointer is seen at several places.
        browser.wait("a frame with the pointer", lambda s: s["painted"] > painted)
    last = status["frames"] - 1
    browser.wait("the scrubbed frame", lambda s: abs(s["frame"] / last - 0.6) < 0.06 and s["frame"] != still)
    check("the mouse scrubs", True)

    downloads = Path(folder, "downloads")
    downloads.mkdir()
    browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
    browser.mouse("mouseMoved", view[0] + view[2] / 2, view[1] + view[3] / 2)
    painted = browser.status()["painted"]
    browser.key("e", "KeyE", modifiers=2)
    browser.wait("the export dialog", lambda s: s["painted"] > painted + 1)
    browser.picture("page-export")
    browser.key("Enter", "Enter")
    file = downloaded(browser, downloads)
    glb = read_glb(file.read_bytes())
    counts = [len(glb.get(what, [])) for what in ("meshes", "skins", "animations", "images")]
    check(f"{file.name} is downloaded and reads back: {counts[0]} meshes, {counts[1]} skins, {counts[2]} animations, {counts[3]} images",
          all(counts[:3]))

    # Several files are one download.
    painted = browser.status()["painted"]
    browser.key("p", "KeyP", modifiers=2)
    browser.wait("the palette", lambda s: s["palette"] and s["painted"] > painted + 1)
    browser.call("Input.insertText", text="export all open files")
    painted = browser.status()["painted"]
    browser.wait("what is found", lambda s: s["painted"] > painted)
    browser.picture("page-palette")
    file.unlink()
    browser.key("Enter", "Enter")
    file = downloaded(browser, downloads)
    with zipfile.ZipFile(file) as packed:
        names = packed.namelist()
        broken = packed.testzip()
    check(f"all exports are one download, {file.name}, with {len(names)} complete files", file.name == "Bonebox.zip" and len(names) > 3 and not broken and any(n.endswith(".glb") for n in names))

    # Two gigabytes that take no room: the browser is told of their size alone.
    large = Path(folder, "large.umx")
    with open(large, "wb") as file:
        file.truncate(2 << 30)
    browser.drop(large)
    said, end = None, time.monotonic() + PATIENCE
    while not said and time.monotonic() < end:
        said = browser.value("document.getElementById('toast')?.textContent ?? null")
        time.sleep(0.05)
    check(f"a file of 2 GiB is refused with a message: “{said}”", said and "2.0 GiB" in said and "large.umx" in said)
    check("the window keeps working", browser.status()["model"] is not None)


def metrics(browser):
    return next(m["value"] for m in browser.call("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")


def links(browser, port):
    other = serve()
    browser.open(f"http://127.0.0.1:{port}/?status&open=samples/Bonebox.szs")
    status = browser.wait("the sample of the address", lambda s: "Bonebox.szs" in s["files"] and s["painted"] > 2 and not s["busy"])
    check("an address opens a sample", status["files"] == ["Bonebox.szs"])
    browser.picture("page-link")
    browser.open(f"http://127.0.0.1:{port}/?status&open=http://127.0.0.1:{other}/page.js")
    status = browser.wait("what is said of another server", lambda s: not s["files"] and s["last_log"])
    check(f"a file of another server is refused with a message: “{status['last_log']}”", "own server" in status["last_log"])
    refused = browser.value(f"fetch('http://127.0.0.1:{other}/page.js').then(() => 'answered', () => 'refused')")
    check("the page's policy blocks other servers", refused == "refused" and other not in {p for p, _ in asked})
    return other


def early_drop(browser, port):
    browser.call("Fetch.enable", patterns=[{"urlPattern": "*.wasm"}])
    browser.open(f"http://127.0.0.1:{port}/?status")
    end = time.monotonic() + PATIENCE
    while not (paused := browser.said("Fetch.requestPaused")) and time.monotonic() < end:
        time.sleep(0.05)
    check("the program is loading", len(paused) == 1 and not browser.status())
    browser.drop(SAMPLES / "Helix.model")
    browser.call("Fetch.continueRequest", requestId=paused[0]["requestId"])
    browser.call("Fetch.disable")
    status = browser.wait("a model that was dropped before the program was there", lambda s: s["model"] and s["painted"] > 2 and not s["busy"])
    check("files dropped during loading are shown afterwards", status["files"] == ["Helix.model"])


def no_troubles(browser, but="127.0.0.1:none"):
    troubles = [trouble for trouble in browser.troubles() if but not in trouble]
    check(f"no browser errors: {troubles}", not troubles)


def with_webgl(browser, port, _):
    browser.open(f"http://127.0.0.1:{port}/?status&open=samples/Ossie.psk&open=samples/Ossie.psa")
    status = browser.wait("the sample, by WebGL", lambda s: s["model"] and s["clip"] and s["gpu"] and s["painted"] > 9 and not s["busy"])
    view, frame = status["rects"]["viewport"], status["frame"]
    before = browser.picture("page-webgl")
    check("with only WebGL 2 the model is rendered", colours(before, view) > 200)
    browser.wait("a later frame", lambda s: abs(s["frame"] - frame) > 2)
    check("with only WebGL 2 the model is animated", differing(before, browser.picture("page-webgl-later"), view) > 200)
    no_troubles(browser)


def without_gpu(browser, port, _):
    browser.open(f"http://127.0.0.1:{port}/?status")
    end = time.monotonic() + PATIENCE
    said = ""
    while time.monotonic() < end and "WebGPU" not in said:
        said = browser.value("document.getElementById('notice').hidden ? '' : document.getElementById('sentence').textContent") or ""
        time.sleep(0.1)
    browser.picture("page-no-gpu")
    check(f"without WebGPU and WebGL the page shows a message: “{said}”", "WebGPU" in said)


def with_webgpu(browser, port, folder):
    whole_page(browser, port, folder)
    early_drop(browser, port)
    # What is refused on purpose is noted as an error.
    no_troubles(browser, f"127.0.0.1:{links(browser, port)}")


# What a browser can do, and what is looked at there.
BROWSERS = {
    "webgpu": (Browser.GPU, with_webgpu),
    "webgl": (["--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-features=WebGPU"], with_webgl),
    "none": (["--disable-gpu", "--disable-3d-apis", "--disable-features=WebGPU"], without_gpu),
}


def main():
    Path(PICTURES).mkdir(parents=True, exist_ok=True)
    port = serve()
    for name, (gpu, look) in BROWSERS.items():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            browser = Browser(folder, gpu)
            try:
                look(browser, port, folder)
            finally:
                browser.close()


if __name__ == "__main__":
    main()
