// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_test.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QSet>
#include <algorithm>

#include "editor/kernel_editor.h"
#include "tests/losses.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/results/run_figures.h"
#include "ui/window/actions.h"
#include "ui/window/session.h"

namespace wb::test {

void WindowTest::SetUp() {
  ASSERT_TRUE(folder_.isValid());
  for (const char* name : {"CONFIG", "DATA", "CACHE"})
    qputenv((std::string("WARPBENCH_") + name).c_str(), folder_.filePath(QString::fromLatin1(name)).toUtf8());
}

void WindowTest::TearDown() {
  if (HasFailure() && window_)
    screenshot(*window_,
               QStringLiteral("failed-") +
                   QString::fromLatin1(testing::UnitTest::GetInstance()->current_test_info()->name()));
  close();
}

MainWindow& WindowTest::open(QStringList files) {
  WindowOptions options;
  options.files = std::move(files);
  options.makeLauncher = [this](const std::string& python) {
    pythons_.push_back(python);
    if (!worker_.empty()) {
      qputenv("WARPBENCH_WORKER", worker_[0].c_str());
      return localLauncher(python);
    }
    Command command;
    command.argv = {WB_BINARY_DIR "/tests/bin/warpbench-fake-worker"};
    command.argv.insert(command.argv.end(), workerArguments_.begin(), workerArguments_.end());
    return commandLauncher(command);
  };
  options.makePlaces = makePlaces_;
  options.glance = glance_;
  options.prepare = prepare_;
  options.clangd = clangd_;
  options.examine = examine_;
  options.questions = [this](QWidget&) {
    Questions answers;
    answers.saveChanges = [this](const QString&) { return ++saveQuestions_, saveAnswer_; };
    answers.saveAsUtf8 = [this](const QString&, const QString&) { return ++utf8Questions_, utf8Answer_; };
    answers.resolve = [this](const Conflict& conflict,
                             const std::function<void(std::optional<QString>)>& chosen) {
      conflicts_.push_back(conflict);
      chosen(resolveAnswer_);
    };
    answers.filesToOpen = [] { return QStringList(); };
    answers.fileToSaveAs = [this](const QString&) { return saveAsFile_; };
    answers.tell = [this](const Error& error) { told_.push_back(error); };
    return answers;
  };
  settings_ = std::make_unique<Settings>(options.config);
  appearance_ = std::make_unique<Appearance>(*qApp, ThemeChoice::dark);
  window_ = std::make_unique<MainWindow>(*appearance_, *settings_, options);
  window_->show();
  EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
  EXPECT_TRUE(waitFor([this] { return window_->isReady(); }));
  // A window is ready before it has read the files that it is to open.
  for (const QString& file : options.files)
    EXPECT_TRUE(waitFor([&] { return parts().tabs->withPath(file) != nullptr; })) << file.toStdString();
  return *window_;
}

void WindowTest::close() {
  if (window_) window_->session().save();
  window_.reset();
  settings_.reset();
  appearance_.reset();
}

Document* WindowTest::edit(const QString& title, const QString& text) {
  return parts().files->create(title, text);
}

const RunFigures& WindowTest::run(int milliseconds) {
  static const RunFigures none{.report = std::make_shared<const Report>()};
  bool ended = false;
  const auto connection =
      QObject::connect(&window_->controller(), &RunController::finished, [&ended] { ended = true; });
  press(Qt::Key_F5);
  EXPECT_TRUE(waitFor([&] { return ended; }, milliseconds));
  QObject::disconnect(connection);
  if (!ended) return none;
  const Report& report = *window_->controller().figures()->report;
  const bool strikes = std::any_of(report.kernels.begin(), report.kernels.end(), [](const auto& kernel) {
    return kernel->source.text.find("--mode=") != std::string::npos;
  });
  expectLosses(report, strikes ? Losses::any : Losses::none);
  return *window_->controller().figures();
}

void WindowTest::toggleTheme() {
  window().toggleTheme();
  EXPECT_TRUE(waitFor([this] { return appearance_->isSettled(); }));
}

void WindowTest::press(int key, Qt::KeyboardModifiers modifiers) {
  // A desktop gives the focus back when a dialog closes; the offscreen platform does not.
  if (QApplication::activeWindow() != window_.get()) {
    window_->activateWindow();
    EXPECT_TRUE(waitFor([this] { return QApplication::activeWindow() == window_.get(); }))
        << QApplication::activeWindow();
  }
  QWidget* target = QApplication::focusWidget() ? QApplication::focusWidget() : window_.get();
  QTest::keyClick(target, Qt::Key(key), modifiers);
}

QAction* WindowTest::action(const char* id) const {
  return parts().actions->find(QString::fromLatin1(id));
}

QString WindowTest::writeFile(const QString& name, const QByteArray& content) const {
  QFile file(folder_.filePath(name));
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(content);
  return file.fileName();
}

QByteArray WindowTest::readFile(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

namespace {

/// Rows that are made anew are laid out in several steps, each of which is an event that waits: the picture
/// is right when all events are done and it does not change any more.
QPixmap settledPicture(QWidget& widget) {
  // A switch of the theme is under way while windows do not paint.
  EXPECT_TRUE(QTest::qWaitFor(
      [] { return std::ranges::all_of(QApplication::topLevelWidgets(), &QWidget::updatesEnabled); }));
  QPixmap picture = widget.grab();
  QImage before;
  EXPECT_TRUE(QTest::qWaitFor([&] {
    before = picture.toImage();
    QCoreApplication::processEvents();
    picture = widget.grab();
    return picture.toImage() == before;
  }));
  return picture;
}

}  // namespace

QString WindowTest::screenshot(QWidget& widget, const QString& name) {
  const QString pictures = QStringLiteral(WB_BINARY_DIR "/screenshots");
  QDir().mkpath(pictures);
  QString file = QStringLiteral("%1/%2.png").arg(pictures, name);
  const QPixmap picture = settledPicture(widget);
  EXPECT_TRUE(picture.save(file));
  EXPECT_EQ(picture.size(), widget.size() * widget.devicePixelRatioF());
  const QImage pixels = picture.toImage();
  QSet<QRgb> colors;
  for (int y = 0; y < pixels.height(); y += 3)
    for (int x = 0; x < pixels.width(); x += 3) colors.insert(pixels.pixel(x, y));
  EXPECT_GT(colors.size(), 8) << name.toStdString() << " shows nothing";
  return file;
}

bool isInData(const QString& name, const QByteArray& text) {
  QDirIterator files(qEnvironmentVariable("WARPBENCH_DATA"), {name}, QDir::Files,
                     QDirIterator::Subdirectories);
  while (files.hasNext())
    if (QFile file(files.next()); file.open(QIODevice::ReadOnly) && file.readAll().contains(text))
      return true;
  return false;
}

bool isInJournal(const QByteArray& text) {
  return isInData(QStringLiteral("*.entry"), text);
}

bool waitForJournal(const QByteArray& text) {
  return QTest::qWaitFor([&] { return isInJournal(text); }, 20000);
}

bool WindowTest::waitFor(const std::function<bool()>& condition, int milliseconds) {
  return QTest::qWaitFor(condition, milliseconds);
}

QString fakeKernel(const QString& orders) {
  return QStringLiteral(
             "// fake: %1\n#include <ATen/ATen.h>\n\nat::Tensor relu_kernel_impl(const at::Tensor& self) {\n"
             "  return at::clamp_min(self, 0);\n}\n")
      .arg(orders);
}

}  // namespace wb::test
