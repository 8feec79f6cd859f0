// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/history/history.h"

namespace wb {

class CompareFlow;
class HistoryView;
class RunController;
struct WindowParts;

/// Keeps every run on disk, and brings kept ones back: as the results that are shown, as the baseline, or as
/// the source that was run.
class HistoryFlow : public QObject {
  Q_OBJECT
 public:
  HistoryFlow(const WindowParts& parts, RunController& controller, CompareFlow& compare,
              const std::filesystem::path& data, QObject* parent = nullptr);
  ~HistoryFlow() override;
  /// Makes the page, when the other views exist.
  void connectViews();
  /// Asks for a saved report and shows it.
  void openWithDialog();
  /// Shows a saved report; `after` is called when it was read, whether or not that worked.
  void open(const QString& file, const std::function<void()>& after = {});
  /// Shows these two again; "" is none.
  void restore(const QString& report, const QStringList& baselines);
  /// The files of the report that is shown, "" where it is not on disk yet, and of the baselines that are.
  [[nodiscard]] QString shownFile() const;
  [[nodiscard]] QStringList baselineFiles() const;
  /// The page; nullptr before the window was painted.
  [[nodiscard]] HistoryView* view() const { return view_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 signals:
  /// A run was kept, or another report is shown.
  void changed();

 private:
  void addBaseline(const std::filesystem::path& file);
  void addActions();
  void keep();
  void remember(const std::shared_ptr<const Report>& report, const QString& file);
  [[nodiscard]] QString fileOf(const std::shared_ptr<const Report>& report) const;
  void refresh();
  void updateActions();
  void compareWithSelected();
  void pinSelected();
  void forgetSelected();
  void openSource();
  void tell(const Error& error);
  /// Does work on the disk, one thing after the other.
  template <class Work, class Done>
  void inOrder(Work work, Done done);

  const WindowParts& parts_;
  RunController& controller_;
  CompareFlow& compare_;
  std::filesystem::path folder_;
  HistoryView* view_ = nullptr;
  /// The files of the reports that this window has kept or read, as long as they are in memory.
  std::vector<std::pair<std::weak_ptr<const Report>, QString>> files_;
  /// What was shown from a file, which must not be kept once more.
  std::shared_ptr<const Report> opened_;
  QThreadPool thread_;
};

}  // namespace wb
