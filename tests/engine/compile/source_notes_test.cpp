// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/source_notes.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "core/base/files/file.h"
#include "core/engine/compile/text/python_names.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// "line: message" of each note.
std::vector<std::string> said(const std::vector<Diagnostic>& notes) {
  std::vector<std::string> all;
  for (const Diagnostic& note : notes) {
    EXPECT_EQ(note.severity, Severity::note);
    EXPECT_EQ(note.place.file, "k");
    EXPECT_THAT(note.message, HasSubstr("This is no verdict."));
    all.push_back(std::to_string(note.place.line) + ": " +
                  note.message.substr(0, note.message.find("):") + 1));
  }
  return all;
}
std::vector<std::string> cpp(const char* text) {
  return said(notesOnCpp(text, "k"));
}
std::vector<std::string> python(const char* text) {
  return said(notesOnPython(text, "k"));
}

TEST(SourceNotes, OfCppSayWhatItUsesAndWhere) {
  EXPECT_THAT(cpp("#include <thread>\nvoid f() {\n  std::thread a(g);\n  std::thread b(g);\n}\n"),
              ElementsAre("3: The source starts threads (std::thread and 1 more)"));
  EXPECT_THAT(cpp("auto s = c10::cuda::getStreamFromPool();"),
              ElementsAre("1: The source makes streams of its own (getStreamFromPool)"));
  EXPECT_THAT(
      cpp("int f() { if (fork() == 0) ::system(\"x\"); return open(path, 0); }"),
      ElementsAre("1: The source starts processes (fork and 1 more)", "1: The source opens files (open)"));
  EXPECT_THAT(cpp("TORCH_LIBRARY_IMPL(aten, CPU, m) {}\nauto t = std::chrono::steady_clock::now();"),
              ElementsAre("1: The source changes what others use (TORCH_LIBRARY_IMPL)",
                          "2: The source reads clocks (std::chrono)"));
  EXPECT_THAT(cpp("mprotect(page, n, 0); sigaction(SIGSEGV, &a, nullptr);"),
              ElementsAre("1: The source reaches into the process's memory or libraries (mprotect)",
                          "1: The source handles signals, sets timers or priorities (sigaction)"));
}

TEST(SourceNotes, OfCppPassOverWhatOnlyHasTheName) {
  EXPECT_THAT(cpp("// std::thread\nconst char* s = \"fork()\";\n#if 0\nstd::thread t;\n#endif\n"), IsEmpty());
  EXPECT_THAT(cpp("at::Tensor b = a.clone(); file.open(x); my::system(3); int open = 3; void signal(int x);"),
              IsEmpty());
  EXPECT_THAT(cpp("TORCH_LIBRARY_IMPL(mine, CPU, m) {}"), IsEmpty());
  EXPECT_THAT(cpp("auto s = at::cuda::getCurrentCUDAStream();"), IsEmpty());
}

TEST(SourceNotes, OfPythonSayWhatItUsesAndWhere) {
  EXPECT_THAT(python("import torch\nimport os, threading\ns = torch.cuda.Stream()\n"),
              ElementsAre("3: The source makes streams of its own (torch.cuda.Stream)",
                          "2: The source starts threads (threading)"));
  EXPECT_THAT(
      python("from subprocess import run\nimport inspect as i\nimport sys\nf = sys._getframe(1)\n"),
      ElementsAre("1: The source starts processes (subprocess)",
                  "2: The source looks at its callers or at the objects of others (inspect and 1 more)"));
  EXPECT_THAT(python("import torch\ntorch.relu = f\nsetattr(torch.nn.functional, 'relu', f)\n"),
              ElementsAre("2: The source changes what others use (torch.relu and 1 more)"));
  EXPECT_THAT(python("def f():\n    from time import perf_counter\n    with open('x') as g: pass\n"),
              ElementsAre("3: The source opens files (open)", "2: The source reads clocks (time)"));
  EXPECT_THAT(python("import socket;import signal\n"),
              ElementsAre("1: The source uses the network (socket)",
                          "1: The source handles signals, sets timers or priorities (signal)"));
}

TEST(SourceNotes, OfPythonPassOverWhatOnlyHasTheName) {
  EXPECT_THAT(
      python("# import threading\n\"\"\"import socket\n'''\"\"\"\ns = r'import gc'; t = f\"{open(1)}\"\n"),
      IsEmpty());
  EXPECT_THAT(python("import torch\ntorch.backends.cudnn.benchmark = True\nif torch.x == 3: pass\n"
                     "f(torch.out=3)\nself.signal = 3\nx.open(3)\ntime = 3\nsignal(2)\n"),
              IsEmpty());
}

TEST(SourceNotes, FunctionsOfTheSourcesOwnAreNoCallsOfTheLibrarys) {
  EXPECT_THAT(python("class Model:\n    def open(self, requests):\n        return requests\n"), IsEmpty());
  EXPECT_THAT(cpp("static float signal(float x) { return x; }\nfloat f(float x) { return signal(x); }\n"),
              IsEmpty());
  EXPECT_THAT(cpp("extern \"C\" int open(const char*, int);\nint f() { return open(\"x\", 0); }\n"),
              ElementsAre("2: The source opens files (open)"));
}

TEST(SourceNotes, OfOpenMpSayThatItHasNoEffect) {
  const auto notes = notesOnCpp("void f() {\n#pragma unroll\n# pragma omp parallel for\n}\n", "k");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].place.line, 3);
  EXPECT_THAT(notes[0].message, testing::HasSubstr("has no effect here"));
  EXPECT_THAT(notesOnCpp("// #pragma omp parallel\n#pragma ompx\n", "k"), IsEmpty());
}

TEST(SourceNotes, NeverFail) {
  for (const char* text :
       {"'", "\"\"\"", "'''abc", "\\", "'\\", "import", "from", "a.", "torch.", "((", "\xff\xfe"}) {
    EXPECT_THAT(notesOnPython(text, "k"), IsEmpty());
    EXPECT_THAT(notesOnCpp(text, "k"), IsEmpty());
  }
}

TEST(SourceNotes, PythonsNamesAreFoundWithTheirDots) {
  const auto names = namesInPython("import a.b as c, d\nfrom .e import f, g\nx.y = h(i == 1, j=2)\n");
  std::vector<std::string> imported, assigned, called;
  for (const PythonName& name : names) {
    if (name.isImported) imported.push_back(name.text);
    if (name.isAssigned) assigned.push_back(name.text);
    if (name.isCalled) called.push_back(name.text);
  }
  EXPECT_THAT(imported, ElementsAre("a.b", "d", "e"));
  EXPECT_THAT(assigned, ElementsAre("x.y"));
  EXPECT_THAT(called, ElementsAre("h"));
}

// Kernels that people are shown as examples have nothing that anybody would want to look at.
TEST(SourceNotes, TheSamplesAndTemplatesHaveNone) {
  int read = 0;
  for (const char* folder : {"/resources/samples", "/resources/templates"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(WB_SOURCE_DIR) + folder)) {
      const bool isPython = entry.path().extension() == ".py";
      if (!isPython && entry.path().extension() != ".cpp" && entry.path().extension() != ".cu") continue;
      const Result<std::string> text = readFile(entry.path());
      ASSERT_TRUE(text);
      EXPECT_THAT(said(isPython ? notesOnPython(*text, "k") : notesOnCpp(*text, "k")), IsEmpty())
          << entry.path();
      ++read;
    }
  EXPECT_GE(read, 20);
}

}  // namespace
}  // namespace wb
