# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""check_links.py FOLDER: every link and image of the built pages leads to a file of the site, and to an id that it has."""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.targets = {"", "top"}, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id") or "")
        for name in ("href", "src", "data"):
            if attributes.get(name):
                self.targets.append(attributes[name])


folder = pathlib.Path(sys.argv[1]).resolve()
pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
dead, links = [], 0
for path, page in pages.items():
    for target in page.targets:
        url = urllib.parse.urlsplit(target)
        if url.scheme or url.netloc:
            continue
        links += 1
        file = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
        if not file.is_file() or not file.is_relative_to(folder):
            dead.append(f"{path.relative_to(folder)}: {target}: no such file")
        elif file in pages and urllib.parse.unquote(url.fragment) not in pages[file].ids:
            dead.append(f"{path.relative_to(folder)}: {target}: no such place")
if dead or not links:
    sys.exit("\n".join(dead) or "no links")
print(f"{len(pages)} pages, {links} links within them")
