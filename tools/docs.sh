#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# Builds the documentation site in build/docs/html. Every warning and every dead link within the site is an error.
# Needs doxygen, python3 3.11 or newer and python3-venv; Sphinx and the rest come with pip into build/docs/venv.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/docs
mkdir -p "$out"

if ! cmp -s docs/requirements.txt "$out/venv/requirements.txt"; then
  rm -rf "$out/venv"
  python3 -m venv "$out/venv"
  "$out/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r docs/requirements.txt
  cp docs/requirements.txt "$out/venv/requirements.txt"
fi

# Doc comments: the public headers, and what public classes derive from.
headers=$(find thrust_rns -name detail -prune -o \( -name '*.h' -o -name '*.cuh' \) -print | sort)
bases=$(find thrust_rns/detail -name 'basic_*.h' | sort)
rm -rf "$out/doxygen"
(cat docs/site/Doxyfile && echo "INPUT = $(echo $headers $bases)") | doxygen -
python3 docs/site/reference.py

sphinx() { "$out/venv/bin/python" -m sphinx -q -W --keep-going -c docs/site -d "$out/doctrees" "$@"; }
rm -rf "$out/html" "$out/doctrees" # a page that is new changes others
sphinx -b html docs "$out/html"
sphinx -b linkcheck docs "$out/linkcheck" # links to other sites are left alone, see linkcheck_ignore
python3 docs/site/check_links.py "$out/html"
echo "$out/html/index.html"
