# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""reference.py: makes docs/reference/, a page for each public header, from the headers and Doxygen's XML in build/docs.

Doxygen gives functions and aliases to their namespace. Here each goes back to the file that declares it, so that
Breathe's `doxygenfile` shows a header as it reads. Nothing lists headers by hand.
"""
import copy
import pathlib
import re
import shutil
import xml.etree.ElementTree as ElementTree

GROUPS = {  # folder: heading, introduction
    "": ("Headers for any compiler", "A host compiler is enough, and each runs under nvcc too. Including `device_vector.h` is "
         "enough for Thrust's calls over vectors of numbers, `thrust_rns.h` includes everything but GMP."),
    "device": ("Device layer", "Calls in the style of CUB, for nvcc: the caller owns memory and streams."),
    "block": ("Block layer", "For kernels of your own, with nvcc."),
}
BASE_CLASSES = ("Members of the vectors", "Classes in `detail/` whose names are not for users, but whose members are.")


def public_headers(root):
    """(path below thrust_rns/, group) of each header with a page, and of each class behind public ones."""
    folder = root / "thrust_rns"
    headers = sorted(p.relative_to(folder) for p in folder.rglob("*") if p.suffix in (".h", ".cuh"))
    for path in headers:
        group = path.parent.as_posix().replace(".", "")
        if group != "detail":
            yield path.as_posix(), group
        elif path.name.startswith("basic_"):
            yield path.as_posix(), "detail"


def is_base_class(name):
    return name.startswith("thrust_rns::detail::basic_") and "::" not in name.removeprefix("thrust_rns::detail::")


def compounds(xml):
    for path in sorted(xml.glob("*.xml")):
        if path.stem not in ("index", "Doxyfile"):
            yield path, ElementTree.parse(path)


def give_members_to_files(xml, target):
    """Copies the XML; files get what Doxygen lists under namespace thrust_rns, and lose what users do not see."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(xml, target)
    files, members = {}, {}
    for path, tree in compounds(target):
        compound = tree.getroot()[0]
        for section in compound.findall("sectiondef"):
            if section.get("kind").startswith(("private", "protected")):
                compound.remove(section)
        if compound.get("kind") in ("class", "struct"):
            tree.write(path, encoding="utf-8", xml_declaration=True)
        if compound.get("kind") == "file":
            files[compound.find("location").get("file")] = (path, tree)
        elif compound.get("kind") == "namespace" and compound.findtext("compoundname") == "thrust_rns":
            for section in compound.findall("sectiondef"):
                for member in section.findall("memberdef"):
                    key = (member.find("location").get("file"), section.get("kind"))
                    members.setdefault(key, []).append(member)
    for file, (path, tree) in files.items():
        compound = tree.getroot()[0]
        for child in list(compound):
            hidden = child.tag == "innerclass" and "detail" in child.text and not is_base_class(child.text)
            if hidden or child.tag in ("innernamespace", "includes", "includedby", "incdepgraph", "invincdepgraph"):
                compound.remove(child)
        place = [child.tag for child in compound].index("briefdescription")
        for kind in ("enum", "typedef", "var", "func"):
            found = members.get((file, kind))
            if found:
                section = ElementTree.Element("sectiondef", {"kind": kind})
                section.extend(copy.deepcopy(found))
                compound.insert(place, section)
                place += 1
        tree.write(path, encoding="utf-8", xml_declaration=True)
    index = ElementTree.parse(target / "index.xml")
    names = {path.stem: file for file, (path, _) in files.items()}
    for compound in index.getroot():
        if compound.get("refid") in names:
            compound.find("name").text = names[compound.get("refid")]  # two headers may differ in their folder only
    index.write(target / "index.xml", encoding="utf-8", xml_declaration=True)


def first_sentence(header):
    """What the header says of itself behind @file, or of its base class, up to the first full stop."""
    code = header.read_text(encoding="utf-8")
    match = re.search(r"/// @file\n((?:/// .+\n)+)", code)
    if header.parent.name == "detail":
        match = re.search(r"\n\n((?:/// .+\n)+)(?:///.*\n)*template <[^\n]*>\nclass basic_", code)
    if not match:
        return ""
    text = " ".join(line[4:].strip() for line in match[1].splitlines())
    return re.split(r"(?<=\.)\s|:$", text)[0]


def write_pages(root, pages):
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    groups = {}
    for name, group in public_headers(root):
        groups.setdefault(group, []).append(name)
        stem = re.sub(r"[/.]", "_", name)
        lines = [name, "=" * len(name), "", ".. code-block:: cpp", "", f"   #include <thrust_rns/{name}>", "",
                 ".. cpp:namespace:: thrust_rns", "", f".. doxygenfile:: thrust_rns/{name}", ""]
        if group == "detail":
            del lines[3:7]
        (pages / f"{stem}.rst").write_text("\n".join(lines), encoding="utf-8")
    index = ["# Reference", "", "One page for each public header, made from its doc comments: the contract of each call, with work,",
             "memory, exactness, streams and errors. Every example in them is compiled and run by the tests.", ""]
    for group, names in sorted(groups.items(), key=lambda item: (item[0] == "detail", item[0])):
        heading, text = BASE_CLASSES if group == "detail" else GROUPS.get(group, (f"{group}/", ""))
        index += [f"## {heading}", "", text, "", "| header | what it holds |", "|---|---|"]
        for name in names:
            stem = re.sub(r"[/.]", "_", name)
            index.append(f"| [{name}]({stem}.rst) | {first_sentence(root / 'thrust_rns' / name)} |")
        index += ["", "```{toctree}", ":hidden:", "", *(re.sub(r"[/.]", "_", name) for name in names), "```", ""]
    (pages / "index.md").write_text("\n".join(index), encoding="utf-8")


root = pathlib.Path(__file__).resolve().parents[2]
give_members_to_files(root / "build/docs/doxygen/xml", root / "build/docs/doxygen/by_header")
write_pages(root, root / "docs/reference")
