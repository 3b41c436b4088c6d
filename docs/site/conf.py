# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""Configuration of Sphinx; tools/docs.sh builds the site."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
version_h = (ROOT / "thrust_rns/version.h").read_text(encoding="utf-8")

project = "thrust_rns"
author = copyright = "the thrust_rns authors"
version = release = ".".join(re.findall(r"define THRUST_RNS_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", version_h))

extensions = ["breathe", "myst_parser"]
exclude_patterns = ["site", "data"]
suppress_warnings = ["duplicate_declaration.cpp"]  # overloads that differ in their constraints only
highlight_language = "cpp"

myst_heading_anchors = 3

breathe_projects = {"thrust_rns": str(ROOT / "build/docs/doxygen/by_header")}
breathe_default_project = "thrust_rns"
breathe_default_members = ("members",)
breathe_show_include = False
breathe_domain_by_extension = {"h": "cpp", "cuh": "cpp"}

html_theme = "furo"
html_title = f"thrust_rns {release}"
html_static_path = ["static"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False

linkcheck_ignore = [r"https?://"]  # those of other sites are not looked up


def links_to_folders(app, document, source):
    """A page links to folders of the repository, which the site has not: their names remain."""

    def plain(match):
        return match[0] if not (ROOT / "docs" / match[2]).is_dir() else f"`{match[2].removeprefix('../')}`"

    source[0] = re.sub(r"\[([^\]]+)\]\((\.\./[^)#]+)\)", plain, source[0])


def pages_not_listed(app, document, source):
    """A page that no list of index.md names comes after algorithms."""
    if document == "index":
        listed = re.findall(r"^[\w/]+$", source[0], re.MULTILINE)
        others = sorted(page.stem for page in (ROOT / "docs").glob("*.md") if page.stem not in ("index", *listed))
        source[0] = source[0].replace("\nalgorithms\n", "\n".join(["", "algorithms", *others, ""]), 1)


def setup(app):
    app.connect("source-read", links_to_folders)
    app.connect("source-read", pages_not_listed)
