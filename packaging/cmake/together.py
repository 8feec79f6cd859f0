#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says which source files of a target can be compiled as one, so that what they all include is compiled once a dozen.

    together.py ROOT            prints the names of the types that headers of the project declare, and of its functions
    together.py TYPES SOURCE …  prints for each file that is not alone the number of its group, a space and its path;
                                TYPES is a file with what the first form printed

Two files whose unnamed namespaces have a name in common never come into one, and a file that has a type of its own there
stays alone where a header of the project declares one of that name: the compiler could not tell them apart.
"""
import pathlib
import re
import sys

AT_MOST = 12

# A line that begins in the first column declares something, as the project's format has it.
DECLARED = re.compile(r"(?:^|[\s*&])(~?\w+)\s*(?:\(|=|\{|;|\[|:(?!:)|$)")
TYPE = re.compile(r"^(?:template\s*<.*?>\s*)?(?:struct|class|enum class|enum|union|using(?=\s+\w+\s*=))\s+(?:\[\[\w+\]\]\s*)?(\w+)")


def declared(lines):
    """The names that lines in the first column declare."""
    names = set()
    for line in lines:
        if not line or line[0] in " }#/*" or re.match(r"[A-Z_]+\(|(using )?namespace |using \w+::", line):
            continue
        if found := TYPE.match(line):
            names.add(found.group(1))
        elif found := DECLARED.search(re.sub(r"<[^<>]*(?:<[^<>]*(?:<[^<>]*>)?[^<>]*>)*[^<>]*>", "", line)):
            names.add(found.group(1))
            names |= set(re.findall(r", (\w+) = ", line))
    return names


def unnamed(text):
    """The names of a file's unnamed namespaces, its macros, its functions that are static, and its local aliases."""
    names = set(re.findall(r"^#define (\w+)", text, re.M))
    names |= declared(re.findall(r"^static .*", text, re.M))
    names |= set(re.findall(r"^ +using (\w+) =", text, re.M))  # would hide one of the others'
    for block in re.findall(r"^namespace \{\n(.*?)^\}  // namespace$", text, re.M | re.S):
        names |= declared(block.split("\n"))
    return names


def variables(text):
    """The variables among them, which may be hidden by what stands inside functions of other files."""
    names = set()
    for block in re.findall(r"^namespace \{\n(.*?)^\}  // namespace$", text, re.M | re.S):
        for statement in re.findall(r"^([a-z][^;{=(]*(?:;|[{=][^;]*;?|$))", re.sub(r"//.*", "", block), re.M):
            head = re.split(r"[;{=]", statement)[0]
            if re.match(r"(template|struct|class|enum|using|namespace|union)\b", head):
                continue
            names |= set(re.findall(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", head)) | set(re.findall(r",\s+(\w+)\s*[={;]", statement))
    return names


def ofHeaders(root):
    """The types that headers of the project declare outside of classes, and all that is called there."""
    types, functions = set(), set()
    for folder in ("app", "core", "editor", "tests", "ui"):
        for header in pathlib.Path(root, folder).rglob("*.h"):
            text = header.read_text(encoding="utf-8")
            types |= {found.group(1) for line in text.split("\n") if (found := TYPE.match(line))}
            functions |= set(re.findall(r"^\S.*?\b(\w+)\(", text, re.M))
    return types, functions


def batches(types, functions, sources):
    """Lists of sources that can be compiled as one."""
    together = []  # the files of a batch, all their names, the variables among them, and all their words
    for source in sources:
        text = pathlib.Path(source).read_text(encoding="utf-8")
        names, words = unnamed(text), set(re.findall(r"\w+", text))
        # What would be taken where another file names something else.
        own = variables(text) | set(re.findall(r"^#define (\w+)", text, re.M)) | names & functions
        if names & types:
            continue
        for batch in together:
            files, theirNames, theirs, theirWords = batch
            if len(files) < AT_MOST and not (names & theirNames or own & theirWords or theirs & words):
                files.append(source)
                batch[1:] = theirNames | names, theirs | own, theirWords | words
                break
        else:
            together.append([[source], names, own, words])
    return [batch[0] for batch in together]


def main(place, *sources):
    if not sources:
        for names in ofHeaders(place):
            print(*sorted(names))
        return
    types, functions = (set(line.split()) for line in pathlib.Path(place).read_text(encoding="utf-8").split("\n")[:2])
    for number, files in enumerate(files for files in batches(types, functions, sources) if len(files) > 1):
        for file in files:
            print(number, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
