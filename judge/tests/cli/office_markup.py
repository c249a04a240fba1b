"""Looks for markup that arises from texts of strangers in the answers of an office.

Reads a JSON list of answers, each with `path`, `kind` (the media type) and `body`. Every text of a stranger has `zq` in it, also as the
name of an element and of an attribute. It parses each answer by the standard library and shares no code with judge. It prints how
many answers of each kind have such a text.
"""

import csv
import io
import json
import sys
import xml.etree.ElementTree
from collections import Counter
from html.parser import HTMLParser

BIDIRECTIONAL = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# What the pages have of their own.
HARMLESS = {"a", "abbr", "article", "b", "bdi", "body", "br", "button", "caption", "code", "dd", "details", "dialog", "div", "dl", "dt", "em", "fieldset",
            "footer", "form", "h1", "h2", "h3", "head", "header", "html", "input", "label", "legend", "li", "link", "main", "meta",
            "nav", "ol", "option", "output", "p", "pre", "section", "select", "small", "span", "strong", "style", "summary", "table",
            "tbody", "td", "textarea", "th", "thead", "time", "title", "tr", "ul"}
# The replay of a game has drawings and controls of its own.
OF_REPLAYS = {"svg", "g", "rect", "path", "text", "circle", "line", "polygon", "figure", "figcaption", "use", "defs", "symbol",
              "noscript", "progress", "canvas", "template", "article", "aside", "hr", "kbd", "i", "u", "mark", "q", "sup", "sub",
              "colgroup", "col", "tfoot", "tspan", "clippath", "pattern", "marker", "polyline", "desc"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path, self.scripts = path, 0

    def fail(self, why):
        sys.exit(f"{self.path}, line {self.getpos()[0]}: {why}")

    def handle_starttag(self, tag, attrs):
        if tag == "script":
            self.scripts += 1
        elif tag == "base" and "zq" not in str(attrs):
            pass
        elif tag not in HARMLESS | OF_REPLAYS:
            self.fail(f"element {tag} {attrs}")
        for name, value in attrs:
            if name.startswith("on") or "zq" in name or not name.replace("-", "").replace(":", "").isalnum():
                self.fail(f"attribute {name} of {tag}")
            if name in ("href", "src", "action", "formaction") and value != "data:," and \
                    (value or "").strip().lower().startswith(("javascript", "data")):
                self.fail(f"{name}={value}")
            if name in ("style", "srcdoc") and "zq" in (value or ""):
                self.fail(f"{name}={value}")

    def handle_comment(self, data):
        self.fail(f"comment {data[:80]}")

    def handle_decl(self, decl):
        if decl.lower() != "doctype html":
            self.fail(f"declaration {decl[:80]}")

    def unknown_decl(self, data):
        self.fail(f"declaration {data[:80]}")

    def handle_pi(self, data):
        self.fail(f"instruction {data[:80]}")


def html(path, body):
    for place, letter in enumerate(body):
        if letter in BIDIRECTIONAL or (ord(letter) < 32 and letter not in "\n\t\r") or 0x7F <= ord(letter) < 0xA0:
            sys.exit(f"{path}: {letter!r} after {body[max(0, place - 60):place]!r}")
    # The parser waits for the end of a comment without one.
    if "<!--" in body:
        sys.exit(f"{path}: a comment begins")
    page = Page(path)
    page.feed(body)
    page.close()
    return page


def inside(path, value):
    """The HTML in JSON that pages and clients put into a document."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("table", "row_html", "feedback_html") and isinstance(item, str):
                html(f"{path} {key}", item)
            elif key == "rows" and isinstance(item, dict):
                for name, row in item.items():
                    html(f"{path} {name}", row)
            else:
                inside(path, item)
    elif isinstance(value, list):
        for item in value:
            inside(path, item)


def main():
    seen = Counter()
    for answer in json.load(open(sys.argv[1], encoding="utf-8")):
        path, kind, body = answer["path"], answer["kind"].split(";")[0], answer["body"]
        seen[kind] += "zq" in body
        if kind == "text/html":
            page = html(path, body)
            # That of the site, and those of a replay, whose number no text changes.
            if page.scripts > (3 if "/replay" in path else 1):
                sys.exit(f"{path}: {page.scripts} scripts")
        elif kind == "application/json":
            inside(path, json.loads(body))
        elif kind == "application/x-ndjson":
            for line in body.split("\n"):
                if line:
                    inside(path, json.loads(line))
        elif kind == "application/atom+xml":
            for element in xml.etree.ElementTree.fromstring(body).iter():
                if not element.tag.startswith("{http://www.w3.org/2005/Atom}") or "zq" in element.tag:
                    sys.exit(f"{path}: element {element.tag}")
                if any("zq" in name or name.startswith("on") for name in element.attrib):
                    sys.exit(f"{path}: attributes {element.attrib}")
        elif kind == "text/event-stream":
            for line in body.splitlines():
                if line.startswith("data: "):
                    inside(path, json.loads(line[6:]))
                elif line and line.split(":")[0] not in ("id", "retry", ""):
                    sys.exit(f"{path}: line {line[:80]}")
        elif kind == "text/csv":
            rows = list(csv.reader(io.StringIO(body)))
            if any(len(row) != len(rows[0]) for row in rows):
                sys.exit(f"{path}: rows of different lengths")
            if any(cell[:1] in ("=", "+", "@", "\t", "\r") for row in rows for cell in row):
                sys.exit(f"{path}: a formula")
        elif kind not in ("text/plain", "application/octet-stream"):
            sys.exit(f"{path}: {kind}")
    print(json.dumps(seen))


main()
