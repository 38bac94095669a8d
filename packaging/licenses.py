"""Collects the licenses of the crates in the program into one text: python packaging/licenses.py TARGET > THIRD-PARTY.txt

Each license text is printed once, under the crates that carry it. A crate without a license file is listed with the
SPDX expression of its manifest.
"""

import json
import pathlib
import subprocess
import sys

FILES = ("license", "licence", "copying", "copyright", "notice", "unlicense")

GLIBC = """The program contains the GNU C Library, under the GNU Lesser General Public License 2.1 or later,
https://www.gnu.org/licenses/old-licenses/lgpl-2.1.html. The sources of the program and its build script,
`packaging/build`, allow anyone to link it with another version of that library.
"""


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments, "--locked"], check=True, capture_output=True, text=True).stdout


def main(target):
    tree = cargo("tree", "--edges", "normal", "--target", target, "--prefix", "none", "--format", "{p}")
    used = {tuple(line.split()[:2]) for line in tree.splitlines() if line.strip()}
    packages = json.loads(cargo("metadata", "--format-version", "1", "--filter-platform", target))["packages"]
    packages = [p for p in packages if (p["name"], f"v{p['version']}") in used and p["source"]]
    if target.endswith("-gnu"):
        print(GLIBC)
    texts, bare = {}, []
    for package in sorted(packages, key=lambda p: (p["name"], p["version"])):
        name = f"{package['name']} {package['version']} ({package['license'] or 'see its license file'})"
        folder = pathlib.Path(package["manifest_path"]).parent
        files = [f for f in sorted(folder.iterdir()) if f.is_file() and f.name.lower().startswith(FILES)]
        for file in files:
            texts.setdefault(file.read_text(errors="replace").strip(), []).append(name)
        if not files:
            bare.append(name)
    for text, names in texts.items():
        print("=" * 100, *dict.fromkeys(names), "-" * 100, text, "", sep="\n")
    print("=" * 100, "Crates without a license file in their package:", *bare, sep="\n")


main(*sys.argv[1:])
