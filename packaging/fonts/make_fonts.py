#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes resources/fonts from Debian's fonts-inter and fonts-jetbrains-mono (both SIL OFL 1.1).

Qt 6.4 cannot switch OpenType features (QFont::setFeature came with 6.7), so what the window needs is baked in: tabular
digits, so that numbers in tables do not jitter, and no ligatures, so that `>>=` stays three characters in the editor.
Inter's name is reserved by its licence, hence "WB Sans" and "WB Mono".

  python3 -m venv V && V/bin/pip install fonttools && V/bin/python packaging/fonts/make_fonts.py resources/fonts
"""
import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

INTER = pathlib.Path("/usr/share/fonts/opentype/inter")
MONO = pathlib.Path("/usr/share/fonts/truetype/jetbrains-mono")
# source, family, style, file
FONTS = [
    (INTER / "Inter-Regular.otf", "WB Sans", "Regular", "WBSans-Regular.otf"),
    (INTER / "Inter-Medium.otf", "WB Sans", "Medium", "WBSans-Medium.otf"),
    (INTER / "Inter-SemiBold.otf", "WB Sans", "SemiBold", "WBSans-SemiBold.otf"),
    (MONO / "JetBrainsMono-Regular.ttf", "WB Mono", "Regular", "WBMono-Regular.ttf"),
    (MONO / "JetBrainsMono-Bold.ttf", "WB Mono", "Bold", "WBMono-Bold.ttf"),
]
RANGES = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x2B0, 0x2FF), (0x370, 0x3FF),   # Latin, modifiers, Greek
    (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x2070, 0x209C), (0x20A0, 0x20BF),   # punctuation, super- and subscripts, currency
    (0x2100, 0x214F), (0x2150, 0x218F), (0x2190, 0x21FF), (0x2200, 0x22FF),   # letter-like, fractions, arrows, mathematics
    (0x2300, 0x23FF), (0x2500, 0x257F), (0x2580, 0x259F), (0x25A0, 0x25FF),   # technical, box drawing, blocks, shapes
    (0x2600, 0x26FF), (0x2713, 0x2717), (0xFFFD, 0xFFFD),
]


def single_substitutions(font: TTFont, feature: str) -> dict[str, str]:
    """Glyph to glyph, for a feature made of single substitutions."""
    table = font["GSUB"].table
    result: dict[str, str] = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag != feature:
            continue
        for index in record.Feature.LookupListIndex:
            for sub in table.LookupList.Lookup[index].SubTable:
                sub = getattr(sub, "ExtSubTable", sub)
                if hasattr(sub, "mapping"):
                    result.update(sub.mapping)
    return result


def bake_tabular_digits(font: TTFont) -> None:
    tabular = single_substitutions(font, "tnum")
    for table in font["cmap"].tables:
        for code in list(table.cmap):
            # Digits and what stands among them; letters keep their shape.
            if chr(code) in "0123456789+-−±.,:%×":
                table.cmap[code] = tabular.get(table.cmap[code], table.cmap[code])
    # Inter's Medium and SemiBold are interpolated: their tabular digits differ by up to three units.
    digits = [font.getBestCmap()[ord(digit)] for digit in "0123456789"]
    width = max(font["hmtx"][glyph][0] for glyph in digits)
    for glyph in digits:
        font["hmtx"][glyph] = (width, font["hmtx"][glyph][1])


def rename(font: TTFont, family: str, style: str) -> None:
    names = font["name"]
    ribbi = style in ("Regular", "Bold")
    postscript = f"{family.replace(' ', '')}-{style}"
    for record in list(names.names):
        if record.nameID in (3, 16, 17, 18, 21, 22, 25) or record.nameID >= 256:
            names.removeNames(nameID=record.nameID)
    values = {1: family if ribbi else f"{family} {style}", 2: style if ribbi else "Regular", 3: f"Warpbench;{postscript}",
              4: f"{family} {style}", 6: postscript}
    if not ribbi:
        values |= {16: family, 17: style}
    for name_id, value in values.items():
        names.removeNames(nameID=name_id)
        names.setName(value, name_id, 3, 1, 0x409)
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames = [postscript]
        top = cff.topDictIndex[0]
        top.FullName, top.FamilyName, top.Weight = f"{family} {style}", family, style


def make(source: pathlib.Path, family: str, style: str, target: pathlib.Path) -> None:
    font = TTFont(source, recalcTimestamp=False)
    bake_tabular_digits(font)
    options = subset.Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]   # neither calt nor liga
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    options.hinting = family == "WB Mono"
    options.notdef_outline = True
    options.glyph_names = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for low, high in RANGES for code in range(low, high + 1)])
    subsetter.subset(font)
    rename(font, family, style)
    font.save(target)
    print(f"{target.name}: {target.stat().st_size // 1024} KiB, {len(font.getGlyphOrder())} glyphs")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for source, family, style, file in FONTS:
        make(source, family, style, folder / file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
