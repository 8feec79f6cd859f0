#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""layers.py must find what it is there to find."""
import pathlib
import tempfile
import unittest

import layers


class LayersTest(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return layers.problems(folder)

    APACHE = "// SPDX-License-Identifier: Apache-2.0\n"
    GPL = "// SPDX-License-Identifier: GPL-3.0-or-later\n"

    def test_a_good_tree_has_none(self):
        self.assertEqual([], self.problems({"core/model/a.h": self.APACHE + '#include "core/base/b.h"\n', "core/base/b.h": self.APACHE,
                                            "ui/w.h": self.GPL + "#include <QWidget>\n"}))

    def test_an_arrow_the_wrong_way(self):
        self.assertIn("core/base may not use core/model", self.problems({"core/base/a.h": self.APACHE + '#include "core/model/m.h"\n'})[0])

    def test_protocol_in_the_window(self):
        self.assertIn("ui may not use core/protocol", self.problems({"ui/a.cpp": self.GPL + '#include "core/protocol/frame.h"\n'})[0])

    def test_qt_below_the_window(self):
        self.assertIn("Qt stays in the window", self.problems({"core/runner/a.cpp": self.APACHE + "#include <QString>\n"})[0])

    def test_torch_outside_the_engine(self):
        self.assertIn("stay in core/engine", self.problems({"app/worker/a.cpp": self.APACHE + "#include <ATen/ATen.h>\n"})[0])

    def test_cycles(self):
        self.assertIn("cycle", self.problems({"core/base/a.h": self.APACHE + '#include "core/base/b.h"\n',
                                              "core/base/b.h": self.APACHE + '#include "core/base/a.h"\n'})[0])

    def test_a_type_whose_header_is_not_included(self):
        case = self.APACHE + "struct Case {\n  int a;\n};\n"
        named = "int of(const Case& it);\n"
        self.assertEqual(["core/model/a.h: names Case, but does not include core/model/case.h"],
                         self.problems({"core/model/case.h": case, "core/model/a.h": self.APACHE + named}))
        for before in ('#include "core/model/case.h"\n', "struct Case;\n", "template <typename T, int Case>\n", "// "):
            self.assertEqual([], self.problems({"core/model/case.h": case, "core/model/a.h": self.APACHE + before + named}))
        through = self.APACHE + '#include "core/model/case.h"\n'
        self.assertEqual([], self.problems({"core/model/case.h": case, "core/model/b.h": through,
                                            "core/model/a.h": self.APACHE + '#include "core/model/b.h"\n' + named}))

    def test_long_files(self):
        self.assertIn("501 lines", self.problems({"core/base/a.h": self.APACHE + "\n" * 500})[0])

    def test_two_types_of_one_name(self):
        frame = self.APACHE + "namespace wb {\nstruct Frame {\n  int a;\n};\n}\n"
        self.assertIn("Frame is defined in core/base/a.h too", self.problems({"core/base/a.h": frame, "core/model/b.h": frame})[0])
        self.assertEqual([], self.problems({"core/base/a.h": frame, "core/model/b.h": self.APACHE + "struct Frame;\n"}))
        nested = self.APACHE + "namespace wb {\nclass Frame::Impl {\n  int a;\n};\n}\n"
        self.assertEqual([], self.problems({"core/base/a.h": frame, "core/model/b.h": nested}))

    def test_keys_of_columns_outside_the_figures(self):
        for name, line in (("ui/a.cpp", 'if (column.key == "verdict") {}'), ("core/report/html/r.css", 'td[data-key="note"] {}'),
                           ("core/report/html/r.js", "box.dataset.key = 1;"), ("app/cli/a.cpp", 'columnOf("speedup");')):
            licence = self.GPL if name.startswith("ui/") else self.APACHE
            self.assertIn(f"{name}:2: reads a column's key", self.problems({name: licence + line + "\n"})[0])
        self.assertEqual([], self.problems({"ui/a.cpp": self.GPL + "if (event->key() == 3 && column.kind == kind) {}\n",
                                            "core/figures/a.cpp": self.APACHE + 'if (column.key == "verdict") {}\n'}))

    def test_rooms_of_the_engine(self):
        self.assertIn("in core/engine check may not use pipeline",
                      self.problems({"core/engine/check/a.cpp": self.APACHE + '#include "core/engine/pipeline/b.h"\n'})[0])
        self.assertIn("in core/engine device may not use .",
                      self.problems({"core/engine/device/a.cpp": self.APACHE + '#include "core/engine/call.h"\n'})[0])
        self.assertIn("has no row", self.problems({"core/engine/attic/a.cpp": self.APACHE + '#include "core/engine/call.h"\n'})[0])
        self.assertEqual([], self.problems({"core/engine/check/compare/a.cpp": self.APACHE + '#include "core/engine/check/oracle.h"\n'}))

    def test_full_folders(self):
        files = {f"core/base/a{i}.h": self.APACHE for i in range(26)}
        self.assertIn("core/base: 26 files", self.problems(files)[0])
        files.popitem()
        files["core/base/rooms/a.h"] = self.APACHE
        self.assertEqual([], self.problems(files))

    def test_licences(self):
        self.assertIn("GPL-3.0-or-later", self.problems({"editor/a.h": self.APACHE})[0])


if __name__ == "__main__":
    unittest.main()
