"""A headless Chromium, driven over its DevTools pipe: nothing but the browser and the standard library is needed."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.patience import PATIENCE

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


# Text that cannot be told from its ground: every visible text against the first ground behind it that is not clear.
CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (color) => {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
      known.set(color, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(color);
  };
  const light = (color) => {
    const part = color.slice(0, 3).map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest("svg, script, style, noscript, select, .skip")) continue;
    const style = getComputedStyle(node);
    let ground = node;
    while (ground && rgba(getComputedStyle(ground).backgroundColor)[3] < 255) ground = ground.parentElement;
    const pair = [light(rgba(style.color)), light(rgba(getComputedStyle(ground || document.body).backgroundColor))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05), size = parseFloat(style.fontSize);
    if (ratio < (size >= 24 || (size >= 18.6 && style.fontWeight >= 700) ? 3 : 4.5)) bad.push(`${ratio.toFixed(2)} ${node.className} ${walker.currentNode.data.trim().slice(0, 20)}`);
  }
  return [...new Set(bad)];
})()"""

# What a reader who sees nothing would miss: pictures without a name, headings that jump, fields without a label.
UNNAMED = """[...document.querySelectorAll('svg:not([aria-hidden]), [role=img], button, select, input')].filter((node) =>
  !node.closest('[aria-hidden]') && !node.getAttribute('aria-label') && !node.textContent.trim() && !node.closest('label') && !node.closest('[role=img][aria-label]'))
  .map((node) => node.outerHTML.slice(0, 120))"""
JUMPS = """(() => { let last = 0; const bad = []; for (const node of document.querySelectorAll('h1, h2, h3, h4')) {
  const level = Number(node.tagName[1]); if (level > last + 1) bad.push(node.textContent); last = level; } return bad; })()"""


def found() -> str:
    """Where a Chromium is; empty when there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((path for name in names if (path := shutil.which(name))), "")


class Browser:
    """One page of one browser. Use it as a context; `folder` holds its profile."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self._rest = b""
        self._session = ""
        self.requests: list[str] = []
        """Every address that the page has asked for."""
        self.complaints: list[str] = []
        """Errors and warnings of scripts."""

    def __enter__(self) -> Self:
        ours_in, self._write = os.pipe()
        self._read, ours_out = os.pipe()
        # The browser takes its orders on descriptor 3 and answers on 4.
        shell = f'exec "$0" "$@" 3<&{ours_in} 4>&{ours_out}'
        words = ["/bin/bash", "-c", shell, found(), *FLAGS, f"--user-data-dir={self._folder}", "about:blank"]
        environment = {**os.environ, "HOME": str(self._folder), "DBUS_SESSION_BUS_ADDRESS": "/dev/null"}
        self._process = subprocess.Popen(
            words, pass_fds=(ours_in, ours_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(ours_in)
        os.close(ours_out)
        targets = self._call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, odd: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._write)
        os.close(self._read)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)

    def _call(self, method: str, **values: Any) -> dict[str, Any]:
        self._number += 1
        order: dict[str, Any] = {"id": self._number, "method": method, "params": values}
        if self._session:
            order["sessionId"] = self._session
        os.write(self._write, json.dumps(order).encode() + b"\0")
        while True:
            said = self._hear()
            if said.get("id") == self._number:
                if "error" in said:
                    raise AssertionError(f"{method}: {said['error']}")
                result: dict[str, Any] = said["result"]
                return result
            self._note(said)

    def _hear(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            if not select.select([self._read], [], [], max(0.0, end - time.monotonic()))[0]:
                raise AssertionError("the browser does not answer")
            part = os.read(self._read, 1 << 20)
            if not part:
                raise AssertionError("the browser has gone")
            self._rest += part
        raw, _, self._rest = self._rest.partition(b"\0")
        heard: dict[str, Any] = json.loads(raw)
        return heard

    def _note(self, said: dict[str, Any]) -> None:
        values = said.get("params", {})
        match said.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(values["request"]["url"])
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(values["exceptionDetails"])[:500])
            case "Log.entryAdded":
                self.complaints.append(values["entry"]["text"])
            case "Runtime.consoleAPICalled" if values["type"] in ("error", "warning"):
                self.complaints.append(json.dumps(values["args"])[:500])

    def window(self, width: int, height: int, *, phone: bool = False, dark: bool = False) -> None:
        """The size of the page, whether fingers touch it, and whether it is wanted dark."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self._call("Emulation.setTouchEmulationEnabled", enabled=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, path: Path, fragment: str = "") -> None:
        """Load a file and wait until its script has run."""
        self._load(path, fragment, "document.documentElement && document.documentElement.dataset.since")

    def show(self, path: Path) -> None:
        """Load a file that has no script."""
        self._load(path, "", "location.protocol == 'file:' && document.readyState == 'complete'")

    def _load(self, path: Path, fragment: str, ready: str) -> None:
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=path.resolve().as_uri() + fragment)
        end = time.monotonic() + PATIENCE
        while not self.ask(ready):
            if self.complaints or time.monotonic() > end:
                raise AssertionError(f"the page does not come up: {self.complaints}")
            time.sleep(0.02)

    def ask(self, script: str) -> Any:
        """The value of an expression."""
        found = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise AssertionError(f"{script}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def key(self, name: str, code: int = 0, text: str = "") -> None:
        """Press a key and let it go."""
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code, text=text)

    def swipe(self, begin: tuple[int, int], end: tuple[int, int]) -> None:
        """A finger goes over the page."""
        for kind, points in (("touchStart", [begin]), ("touchMove", [end]), ("touchEnd", [])):
            self._call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def picture(self, path: Path, whole: bool = False) -> None:
        """A screenshot as PNG, of the window or of the whole page."""
        values: dict[str, Any] = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            size = self._call("Page.getLayoutMetrics")["cssContentSize"]
            values["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", **values)["data"]))
