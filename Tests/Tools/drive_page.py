"""Opens a page in a headless Chromium and does what a person would: drive_page.py PAGE STEP...

Steps: `eval JAVASCRIPT` prints a result as JSON; `click SELECTOR`, `keys NAME...`, `type TEXT`,
`size WIDTH HEIGHT`, `reload`, `media light|dark|print`, `shot FILE`, `wait FILE` for what is saved, in the
working directory; `noscript` before all others. Ends with status 1 if the page asks for anything
from elsewhere, breaks its own policy, opens a dialogue, or fails; leaves nothing running.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

page, steps = os.path.abspath(sys.argv[1]), sys.argv[2:]
program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
if program is None:
    sys.exit("the tests of pages need a Chromium: apt-get install chromium-headless-shell")

KEYS = {
    "Tab": (9, "Tab", ""), "Space": (32, "Space", " "), "Enter": (13, "Enter", "\r"),
    "ArrowDown": (40, "ArrowDown", ""), "ArrowUp": (38, "ArrowUp", ""),
}
faults = []


class Browser:
    def __init__(self, profile):
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()

        def connect():
            # The browser reads from 3 and writes to 4.
            os.dup2(down_read, 10)
            os.dup2(up_write, 11)
            os.dup2(10, 3)
            os.dup2(11, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={profile}"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(down_read)
        os.close(up_write)
        self.input, self.output = up_read, down_write
        self.buffer, self.number, self.session = b"", 0, None
        self.events = []

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.input, 1 << 16)
            if not piece:
                sys.exit("the browser ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        name, what = event.get("method"), event.get("params", {})
        if name == "Log.entryAdded" and what["entry"]["level"] == "error":
            faults.append(what["entry"]["text"])
        elif name == "Runtime.exceptionThrown":
            faults.append(json.dumps(what["exceptionDetails"]))
        elif name == "Page.javascriptDialogOpening":
            faults.append(f"a dialogue: {what['message']}")
        elif name == "Network.requestWillBeSent":
            url = what["request"]["url"]
            if url != "file://" + page and not url.startswith("blob:"):
                faults.append(f"a request: {url}")
        self.events.append(name)

    def wait(self, name):
        while name not in self.events:
            self.note(self.read())

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def click(self, selector):
        place = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ["mousePressed", "mouseReleased"]:
            self.call(
                "Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left",
                clickCount=1)

    def press(self, name):
        code, key, text = KEYS[name]
        event = {"windowsVirtualKeyCode": code, "code": key, "key": text if text == " " else key}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)


def run(browser):
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    browser.call(
        "Browser.setDownloadBehavior", behavior="allow", downloadPath=os.getcwd())
    browser.session = browser.call(
        "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ["Page", "Runtime", "Log", "Network"]:
        browser.call(f"{domain}.enable")
    rest = list(steps)
    if rest and rest[0] == "noscript":
        browser.call("Emulation.setScriptExecutionDisabled", value=True)
        rest.pop(0)
    browser.call("Page.navigate", url="file://" + page)
    browser.wait("Page.loadEventFired")
    for step in rest:
        verb, _, argument = step.partition(" ")
        if verb == "eval":
            print(json.dumps(browser.evaluate(argument), ensure_ascii=False))
        elif verb == "click":
            browser.click(argument)
        elif verb == "reload":
            # What a page keeps reaches the browser's process a little later.
            time.sleep(0.3)
            browser.events.clear()
            browser.call("Page.reload")
            browser.wait("Page.loadEventFired")
        elif verb == "keys":
            for name in argument.split():
                browser.press(name)
        elif verb == "type":
            browser.call("Input.insertText", text=argument)
        elif verb == "size":
            width, height = map(int, argument.split())
            browser.call(
                "Emulation.setDeviceMetricsOverride", width=width, height=height,
                deviceScaleFactor=1, mobile=False)
        elif verb == "media":
            scheme = "light" if argument == "print" else argument
            browser.call(
                "Emulation.setEmulatedMedia", media="print" if argument == "print" else "",
                features=[{"name": "prefers-color-scheme", "value": scheme}])
        elif verb == "shot":
            picture = browser.call("Page.captureScreenshot", captureBeyondViewport=False)
            with open(argument, "wb") as file:
                file.write(base64.b64decode(picture["data"]))
        elif verb == "wait":
            # A browser holds the name of a download with an empty file until all of it is there.
            end = time.monotonic() + 10
            while not os.path.exists(argument) or os.path.getsize(argument) == 0:
                if time.monotonic() > end:
                    sys.exit(f"{argument} was not saved")
                time.sleep(0.02)
        else:
            sys.exit(f"no such step: {step}")


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    try:
        run(browser)
    finally:
        os.killpg(browser.process.pid, 9)
        browser.process.wait()
if faults:
    sys.exit("\n".join(faults))
