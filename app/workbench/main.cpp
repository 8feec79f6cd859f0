// SPDX-License-Identifier: GPL-3.0-or-later
// warpbench-ui [FILE…]: the window. Wiring only.
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QStandardPaths>
#include <QThread>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "core/model/exit/exit_status.h"
#include "core/runner/prepare.h"
#include "ui/settings/settings.h"
#include "ui/style/appearance.h"
#include "ui/window/main_window.h"
#include "ui/window/session.h"

namespace {

double milliseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

// Since this process was started; the kernel keeps its start in clock ticks since boot.
double wallMilliseconds() {
  std::ifstream stat("/proc/self/stat");
  const std::string line((std::istreambuf_iterator<char>(stat)), {});
  std::istringstream fields(line.substr(std::min(line.rfind(')') + 2, line.size())));
  std::string field;
  for (int i = 3; i <= 22 && fields >> field; ++i) continue;  // field 22: starttime
  return milliseconds(CLOCK_BOOTTIME) - std::stod(field) * 1e3 / double(sysconf(_SC_CLK_TCK));
}

/// The window while it is shown. A message handler is told of nothing but the message.
wb::MainWindow* shownWindow = nullptr;
/// Qt's own message handler.
QtMessageHandler usual = nullptr;

std::string shown(const char* name) {
  const QString value = qEnvironmentVariable(name);
  return value.isEmpty() ? std::string("not set") : value.toStdString();
}

// Qt's message is for programmers, and a core dump helps nobody.
[[noreturn]] void endWithoutWindow(const std::string& why) {
  fmt::print(stderr,
             "warpbench-ui: no window can be opened here: {}\n"
             "  DISPLAY is {}, WAYLAND_DISPLAY is {}.\n"
             "  In a terminal without a display use: warpbench run FILE\n",
             why.substr(0, why.find('\n')), shown("DISPLAY"), shown("WAYLAND_DISPLAY"));
  std::_Exit(wb::ExitStatus::noWorker);
}

// Qt calls exit() once it has said that it has lost the display. That would take away what Qt and we have for
// the whole program while other threads use it, and now and then the end would be a crash.
[[noreturn]] void endWithoutDisplay(const std::string& why) {
  fmt::print(stderr, "{}\n", why);
  // Where Qt says it again meanwhile, the texts are kept already.
  if (wb::MainWindow* const window = std::exchange(shownWindow, nullptr);
      window != nullptr && QThread::currentThread() == window->thread()) {
    window->session().keep();
    fmt::print(stderr, "warpbench-ui: the display has gone away. The next window has what was here.\n");
  }
  std::_Exit(wb::ExitStatus::noWorker);
}

// Told of all that Qt has to say, which includes that it is about to end the program.
void hear(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  if (type == QtFatalMsg && !shownWindow) endWithoutWindow(message.toStdString());
  if (message.contains(QLatin1String("connection broke"))) endWithoutDisplay(message.toStdString());
  if (usual != nullptr) usual(type, context, message);  // a thread may speak before it is known
}

}  // namespace

int main(int argc, char** argv) {
  QThread::currentThread();  // who asks Qt first is its main thread for ever: not the one that reads settings
  wb::WindowOptions options;
  wb::Settings settings(options.config);  // reads while the application starts
  QGuiApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
  usual = qInstallMessageHandler(hear);
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("warpbench-ui"));
  QApplication::setApplicationDisplayName(QStringLiteral("Warpbench"));
  QApplication::setApplicationVersion(QStringLiteral(WB_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("warpbench"));

  QCommandLineParser parser;
  parser.setApplicationDescription(
      QStringLiteral("Warpbench: write GPU kernels, check and time them against ATen."));
  const QCommandLineOption help = parser.addHelpOption(), version = parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("files"), QStringLiteral("Kernels to open."),
                               QStringLiteral("[FILE…]"));
  // The parser's own way ends the program at once, while the settings are still being read.
  if (!parser.parse(QApplication::arguments())) {
    fmt::print(stderr, "warpbench-ui: {}\n", parser.errorText().toStdString());
    return 1;
  }
  if (parser.isSet(version) || parser.isSet(help)) {
    fmt::print("{}",
               parser.isSet(version) ? "warpbench-ui " WB_VERSION "\n" : parser.helpText().toStdString());
    return 0;
  }

  options.prepare = [](const std::string& python, const std::stop_token& stop) {
    return wb::prepareKernels({python, /*idle=*/true}, stop);
  };
  const QString own = settings.text("editor/clangdProgram");
  if (const QString clangd = own.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("clangd")) : own;
      !clangd.isEmpty())
    options.clangd = {clangd, QStringLiteral("--log=error"), QStringLiteral("--background-index=0"),
                      QStringLiteral("--clang-tidy=0"), QStringLiteral("-j=2")};
  options.files = parser.positionalArguments();
  wb::Appearance appearance(application, settings.theme());
  wb::MainWindow window(appearance, settings, options);
  if (qEnvironmentVariableIntValue("WARPBENCH_TRACE_START") > 0)
    QObject::connect(&window, &wb::MainWindow::painted, [] {
      fmt::print(stderr, "first paint: {:.0f} ms after start, {:.0f} ms of CPU\n", wallMilliseconds(),
                 milliseconds(CLOCK_PROCESS_CPUTIME_ID));
    });
  shownWindow = &window;
  window.show();
  const int status = QApplication::exec();
  shownWindow = nullptr;
  return status;
}
