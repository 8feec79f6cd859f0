#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says which source files of a target can be compiled as one, so that what they all include is compiled once a dozen.

    together.py ROOT              prints what the headers of the project declare and include
    together.py HEADERS SOURCE …  prints for each file that is not alone the number of its group, a space and its path;
                                  HEADERS is a file with what the first form printed

Two files whose unnamed namespaces have a name in common never come into one, and neither do a file that has a type of
its own there and one that sees a header's type of that name: the compiler could not tell them apart.
"""
import functools
import json
import pathlib
import re
import sys

AT_MOST = 12
# What each file sees, since it is compiled beforehand (precompiled.cmake).
ALWAYS = ("core/model/event.h", "core/model/report.h")

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


def included(text):
    return re.findall(r'^#include "([^"]+)"', text, re.M)


def ofHeaders(root):
    """Of each header of the project the types that it declares outside of classes, the functions and its own includes."""
    headers = {}
    for folder in ("app", "core", "editor", "tests", "ui"):
        for header in sorted(pathlib.Path(root, folder).rglob("*.h")):
            text = header.read_text(encoding="utf-8")
            headers[header.relative_to(root).as_posix()] = {
                "types": sorted({found.group(1) for line in text.split("\n") if (found := TYPE.match(line))}),
                "functions": sorted(set(re.findall(r"^\S.*?\b(\w+)\(", text, re.M))),
                "includes": included(text)}
    return headers


def typesIn(headers):
    """A function that gives the types that a file sees through its includes, be it through others."""
    @functools.cache
    def reached(header):
        seen, left = set(), [header]
        while left:
            each = left.pop()
            if each in headers and each not in seen:
                seen.add(each)
                left += headers[each]["includes"]
        return frozenset(name for each in seen for name in headers[each]["types"])

    return lambda text: set().union(*(reached(each) for each in [*included(text), *ALWAYS]))


def batches(headers, sources):
    """Lists of sources that can be compiled as one."""
    functions = {name for each in headers.values() for name in each["functions"]}
    visible = typesIn(headers)
    # The files of a batch, their names, the variables among these, all their words, the types they see, whom they call.
    together = []
    for source in sources:
        text = pathlib.Path(source).read_text(encoding="utf-8")
        names, words = unnamed(text), set(re.findall(r"\w+", text))
        # What would be taken where another file names something else.
        own = variables(text) | set(re.findall(r"^#define (\w+)", text, re.M)) | names & functions
        types = visible(text)
        # One of the system's, such as open(), which would be another file's.
        calls = set(re.findall(r"(?<![\w.:>])(\w+)\(", text)) - names
        for batch in together:
            files, theirNames, theirs, theirWords, theirTypes, theirCalls = batch
            isApart = names & (theirNames | theirCalls) or own & theirWords or theirs & words or theirNames & calls
            if len(files) < AT_MOST and not (isApart or names & theirTypes or theirNames & types):
                files.append(source)
                batch[1:] = theirNames | names, theirs | own, theirWords | words, theirTypes | types, theirCalls | calls
                break
        else:
            together.append([[source], names, own, words, types, calls])
    return [batch[0] for batch in together]


def main(place, *sources):
    if not sources:
        return json.dump(ofHeaders(place), sys.stdout)
    headers = json.loads(pathlib.Path(place).read_text(encoding="utf-8"))
    for number, files in enumerate(files for files in batches(headers, sources) if len(files) > 1):
        for file in files:
            print(number, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
