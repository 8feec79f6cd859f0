// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QAction>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/settings/settings.h"
#include "ui/style/appearance.h"
#include "ui/window/main_window.h"

namespace wb {
class Document;
struct RunFigures;
}  // namespace wb

namespace wb::test {

/// Whether a file of windows' data with such a name, "*.entry" or "state.json", has this text.
bool isInData(const QString& name, const QByteArray& text);
/// Whether the journal of unsaved texts has this one on disk.
bool isInJournal(const QByteArray& text);
/// Waits until it has.
bool waitForJournal(const QByteArray& text);

/// A window of its own in folders of its own, with the fake worker behind it.
class WindowTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Shows the window and waits until everything in it is there.
  MainWindow& open(QStringList files = {});
  void close();  ///< as a kill would: nothing is asked, the journal stays
  [[nodiscard]] MainWindow& window() { return *window_; }
  [[nodiscard]] const WindowParts& parts() const { return window_->parts(); }

  Document* edit(const QString& title, const QString& text);
  /// Presses F5 and waits for the report's end.
  const RunFigures& run(int milliseconds = 60000);
  /// Switches between dark and light, and waits until everything has the new look.
  void toggleTheme();
  void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  [[nodiscard]] QAction* action(const char* id) const;
  QString writeFile(const QString& name, const QByteArray& content) const;
  [[nodiscard]] QString folder() const { return folder_.path(); }
  static QByteArray readFile(const QString& path);
  /// Saves a picture, which must show more than an empty area.
  static QString screenshot(QWidget& widget, const QString& name);
  static bool waitFor(const std::function<bool()>& condition, int milliseconds = 20000);

  QTemporaryDir folder_;
  std::unique_ptr<Settings> settings_;
  std::unique_ptr<Appearance> appearance_;
  std::unique_ptr<MainWindow> window_;
  SaveAnswer saveAnswer_ = SaveAnswer::discard;
  /// What resolve() is answered with: nothing puts the question off.
  std::optional<QString> resolveAnswer_;
  std::vector<Conflict> conflicts_;
  bool utf8Answer_ = true;
  int saveQuestions_ = 0, utf8Questions_ = 0;
  QString saveAsFile_;
  std::vector<Error> told_;
  std::vector<std::string> worker_;  ///< program to use in place of the fake
  std::vector<std::string> workerArguments_;
  QStringList clangd_;
  std::function<std::vector<DoctorLine>(const std::stop_token&)> examine_;  ///< of the welcome page
  IdlePreparation::Prepare prepare_;  ///< what is made while nothing runs
  std::vector<std::string> pythons_;  ///< that launchers were asked for with
  RunController::MakePlaces makePlaces_ = placesOf;
  DeviceFlow::Glance glance_ = glanceAt;
};

/// A kernel that the fake worker takes, with orders for it: "--mode=compile-error".
[[nodiscard]] QString fakeKernel(const QString& orders = {});

}  // namespace wb::test
