// SPDX-License-Identifier: GPL-3.0-or-later
// Python kernels in the window, with the real worker; skipped where there is no torch for it.
#include <QComboBox>
#include <cstdio>
#include <filesystem>

#include "core/base/python.h"
#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/details/details_view.h"
#include "ui/dialogs/new_dialog.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/python_check.h"
#include "ui/run/run_bar.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"

#include <QTableView>

namespace wb {
namespace {

constexpr int patience = 180000;

class PythonTest : public test::WindowTest {
 protected:
  void openWithWorker() {
    const std::string worker = WB_BINARY_DIR "/bin/warpbench-worker";
    if (!std::filesystem::exists(worker) ||
        !std::filesystem::exists(WB_BINARY_DIR "/bin/libwarpbench_python.so"))
      GTEST_SKIP() << "the worker is not built";
    if (const Result<PythonFacts> facts = askPython(""); !facts) GTEST_SKIP() << facts.error().text;
    worker_ = {worker};
    open();
    parts().bar->efforts().setCurrentIndex(3);  // check only: Triton's interpreter is slow
  }
  Document* sample(const QString& name) {
    return edit(name,
                QString::fromUtf8(readFile(QStringLiteral(WB_SOURCE_DIR "/resources/samples/") + name)));
  }
};

TEST_F(PythonTest, LanguagesAreToldAsTheyAreTyped) {
  open();
  Document* document = edit("a.py", "import torch\n");
  EXPECT_EQ(document->languageTitle(), "Python");
  document->editor().setText("import triton\n\n@triton.jit\ndef f(x):\n    pass\n");
  EXPECT_TRUE(waitFor([&] { return document->languageTitle() == "Triton"; }));
  EXPECT_EQ(edit("b.cu", "#include <torch/extension.h>\n")->languageTitle(), "CUDA extension");
}

TEST_F(PythonTest, ATritonSampleRunsAndSaysThatPythonStarts) {
  openWithWorker();
  if (IsSkipped()) return;
  sample("relu_triton.py");
  bool starting = false;
  QObject::connect(&window().controller(), &RunController::statusChanged, &window(),
                   [&] { starting = starting || parts().status->progressText() == "Starting Python…"; });
  const RunFigures& figures = run(patience);
  EXPECT_TRUE(starting);
  ASSERT_FALSE(figures.report->kernels.empty());
  const KernelReport& kernel = *figures.report->kernels[0];
  EXPECT_EQ(kernel.language, "triton");
  EXPECT_FALSE(kernel.failure) << kernel.failure->text;
  EXPECT_GT(figures.counts.passed, 0);
  EXPECT_EQ(figures.counts.failed, 0);
  screenshot(window(), "python-run");
}

TEST_F(PythonTest, ASyntaxErrorIsADiagnosticOnItsLine) {
  openWithWorker();
  if (IsSkipped()) return;
  Document* document =
      edit("relu.py", "import torch\n\ndef relu_kernel_impl(self):\n    return torch.relu(self\n");
  const RunFigures& figures = run(patience);
  const auto& diagnostics = figures.report->kernels[0]->diagnostics;
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics[0].place.line, 4);
  EXPECT_EQ(document->editor().diagnosticCount(), 1);
  document->editor().goTo(1, 1);
  press(Qt::Key_F8);
  EXPECT_EQ(document->editor().currentLine(), 4);
  screenshot(window(), "python-syntax-error");
}

TEST_F(PythonTest, AnExceptionsTracebackIsInTheDetailsAndLeadsToTheEditor) {
  openWithWorker();
  if (IsSkipped()) return;
  Document* document = edit("relu.py",
                            "import torch\n\n\ndef deeper(x):\n    raise RuntimeError('on purpose')\n\n\n"
                            "def relu_kernel_impl(self):\n    return deeper(self)\n");
  const RunFigures& figures = run(patience);
  ASSERT_GT(figures.counts.failed, 0);
  ASSERT_EQ(figures.report->kernels[0]->cases[0].check.verdict, Verdict::threw);
  parts().results->cases().select("0/0");
  QTest::keyClick(&parts().results->cases().view(), Qt::Key_Return);
  EXPECT_TRUE(parts().details->text().toPlainText().contains("on purpose"));
  screenshot(window(), "python-exception");
  const std::vector<TraceFrame> frames = framesOf(parts().details->details().trace);
  ASSERT_FALSE(frames.empty());
  emit parts().details->placeClicked(QString::fromStdString(frames.back().place.file),
                                     frames.back().place.line);
  EXPECT_EQ(document->editor().currentLine(), 5);
  document->editor().goTo(1, 1);
  press(Qt::Key_F8);
  EXPECT_EQ(document->editor().currentLine(), 5);
}

}  // namespace
}  // namespace wb
