#!/usr/bin/env python3
"""Tests the explorer in Chromium: every subject, every preset, clicks, the URL, errors, and phones.

    page.py SITE [--pictures FOLDER]

A picture of every subject is written to FOLDER.
"""

import argparse
import functools
import http.server
import pathlib
import shutil
import sys
import threading

from playwright.sync_api import sync_playwright


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Explorer:
    """A page of the explorer. What goes wrong is collected in `wrong`."""

    def __init__(self, page, address):
        self.page, self.address, self.wrong = page, address, []
        page.on("console", lambda m: m.type == "error" and self.wrong.append(f"console: {m.text}"))
        page.on("pageerror", lambda e: self.wrong.append(f"script: {e}"))

    def expect(self, condition, sentence):
        if not condition:
            self.wrong.append(f"{self.page.url[len(self.address) :]}: {sentence}")

    def open(self, fragment=""):
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}/index.html{fragment}")
        self.settle()

    def settle(self):
        self.page.wait_for_function("document.body.dataset.ready && !document.querySelector('#answer.waiting')")

    def set(self, name, value):
        self.page.locator(f"[name={name}]").fill(value)
        self.page.wait_for_timeout(50)
        self.settle()

    def errors(self):
        return self.page.locator("pre.error").all_inner_texts()


def subjects(e, folder):
    e.open()
    for link in [each.get_attribute("href") for each in e.page.locator("nav a").all()]:
        e.open(link)
        e.expect(not e.errors(), f"an error: {e.errors()}")
        e.expect(e.page.locator("#answer > div").count() > 0, "no answer")
        if folder:
            e.page.screenshot(path=folder / f"{link[1:].split('?')[0]}.png", full_page=True)


def operations(e):
    e.open("#operation")
    names = e.page.locator("[name=name] option").all_inner_texts()
    for name in names:
        e.page.locator("[name=name]").select_option(name)
        e.page.wait_for_timeout(50)
        e.settle()
        e.expect(e.page.locator(".command").count() > 0, f"{name} shows nothing")
    e.expect(len(names) >= 15, f"{len(names)} operations")


def presets(e):
    e.open()
    options = [each.get_attribute("value") for each in e.page.locator("#preset option").all()][1:]
    for value in options:
        e.page.locator("#preset").select_option(value)
        e.page.wait_for_timeout(50)
        e.settle()
        e.expect(not e.errors(), f"an error: {e.errors()}")
        e.expect(e.page.locator("#answer svg").count() == 1, "no picture")
    e.expect(len(options) >= 20, f"{len(options)} presets")


def clicks_and_parts(e):
    e.open("#layout?layout=S[(8,4):(4@lane,1@lane)]&shape=8,4&view=both&bits=16")
    cells = e.page.locator("#answer svg rect:has(title)")
    e.expect(cells.count() >= 32, f"{cells.count()} cells to click")
    cells.nth(5).click()
    e.page.wait_for_function("!document.querySelector('#chosen').hidden")
    said = e.page.locator("#chosen").inner_text()
    e.expect("lane" in said and "(" in said, f"a click says {said!r}")
    e.page.wait_for_function("document.querySelector('[name=part_D]').value !== ''")
    e.expect(e.page.locator("[name=part_D]").input_value() == "(8,4):(4@lane,1@lane)", "D is not shown")
    e.set("part_R", "2:32@lane")
    e.expect(
        e.page.locator("[name=layout]").input_value() == "S[(8,4):(4@lane,1@lane)] + R[2:32@lane]",
        "R does not get into the layout",
    )
    e.expect("R%5B2" in e.page.url, "the URL does not follow")
    shared = e.page.url
    e.open(shared[len(e.address) + len("/index.html") :])
    e.expect("R[2:32@lane]" in e.page.locator("[name=layout]").input_value(), "the URL is not read")


def errors(e):
    e.open("#layout?layout=S[(8,4):(1,8]&shape=8,4&view=both")
    e.expect(e.page.locator("pre.error u").count() == 1, "no position is underlined")
    e.set("layout", "S[(8,4):(1,8)]")
    e.expect(not e.errors(), "the error stays")
    e.set("shape", "8,5")
    e.expect(bool(e.errors()), "a shape of another size is accepted")


def large(e):
    """10^6 elements: the longest task of the page while it is drawn, typed in and clicked."""
    e.page.add_init_script(
        "window.longest = 0; new PerformanceObserver(list => { for (const each of list.getEntries())"
        " window.longest = Math.max(window.longest, each.duration); }).observe({type: 'longtask'});"
    )
    e.open("#layout?layout=S[(1000,1000):(1000,1)]&shape=1000,1000&view=both")
    e.expect(e.page.locator("#answer svg").count() == 1, "no picture of 10^6 elements")
    e.page.evaluate("window.longest = 0")
    e.page.locator("[name=layout]").press("End")
    e.page.locator("[name=layout]").type(" + 5")
    e.page.wait_for_timeout(50)
    e.settle()
    e.expect(not e.errors(), f"an error: {e.errors()}")
    return e.page.evaluate("window.longest")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args(arguments)
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    handler = functools.partial(Quiet, directory=options.site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    wrong = []
    with sync_playwright() as browsers:
        chromium = browsers.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for size, dark in (((1280, 900), "light"), ((390, 800), "dark")):
            context = chromium.new_context(
                viewport={"width": size[0], "height": size[1]}, color_scheme=dark
            )
            context.set_default_timeout(120_000)
            e = Explorer(context.new_page(), address)
            folder = options.pictures and options.pictures / f"{size[0]}-{dark}"
            if folder:
                folder.mkdir(exist_ok=True)
            subjects(e, folder)
            clicks_and_parts(e)
            errors(e)
            wide = e.page.evaluate("document.documentElement.scrollWidth")
            e.expect(wide <= size[0], f"the page is {wide} wide on a screen of {size[0]}")
            if dark == "light":
                operations(e)
                presets(e)
                longest = large(e)
            wrong += e.wrong
        chromium.close()
    server.shutdown()
    print("\n".join([*wrong, f"longest task while typing with 10^6 elements: {longest:.0f} ms", f"{len(wrong)} mistakes"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
