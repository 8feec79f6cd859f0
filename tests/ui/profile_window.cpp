// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/profile_window.h"

#include <QFileInfo>
#include <nlohmann/json.hpp>

#include "ui/run_bar.h"
#include "ui/run_figures.h"

namespace wb::test {

Document* ProfileWindow::openRecording(const std::string& name) {
  const QByteArray log = readFile(
      QStringLiteral(WB_SOURCE_DIR "/tests/golden/events/%1.jsonl").arg(QString::fromStdString(name)));
  const qsizetype end = log.indexOf('\n');
  EXPECT_GT(end, 0) << name;
  const auto job = nlohmann::json::parse(log.left(end).toStdString(), nullptr, false);
  EXPECT_FALSE(job.is_discarded());
  const QString events = writeFile("events.jsonl", log.mid(end + 1));
  workerArguments_ = {"--script=" + events.toStdString()};
  if (job.value("device", "cpu") != "cpu") workerArguments_.push_back("--device=cuda:0");
  open();
  if (job.value("device", "cpu") != "cpu") {
    waitFor([this] { return parts().bar->deviceTitle() != QLatin1String("CPU"); }, 3000);  // found out by now
    parts().bar->setDevices({{"cuda:0", "NVIDIA H100 80GB HBM3", "sm_90", 0}});
  }
  const auto& kernel = job.at("kernels").at(0);
  const QString path = QString::fromStdString(kernel.at("path").get<std::string>());
  return edit(QFileInfo(path).fileName(), QString::fromStdString(kernel.at("text").get<std::string>()));
}

const RunFigures& ProfileWindow::profile() {
  static const RunFigures none;
  bool ended = false;
  const auto connection =
      QObject::connect(&window().controller(), &RunController::finished, [&ended] { ended = true; });
  press(Qt::Key_F6);
  EXPECT_TRUE(waitFor([&] { return ended; }));
  QObject::disconnect(connection);
  return ended ? *window().controller().figures() : none;
}

}  // namespace wb::test
