// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <stop_token>

#include "core/base/result.h"
#include "core/runner/remote/check/target_check.h"
#include "core/targets/run_target.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace wb {

/// How targets are tested, and environments made there; called in threads of their own.
struct TargetTests {
  std::function<bool(const RunTarget&, const std::function<void(const TargetFinding&)>&,
                     const std::stop_token&)>
      check = checkTarget;
  std::function<Result<std::string>(const RunTarget&, const std::function<void(const std::string&)>&,
                                    const std::stop_token&)>
      makeTorch = wb::makeTorch;
};

/// Tests a target and shows each step as it comes, with what can be done about it. Where torch is missing it
/// offers to make an environment there. Nobody waits for a test that was stopped.
class TargetTestView : public QWidget {
  Q_OBJECT
 public:
  explicit TargetTestView(TargetTests tests = {}, QWidget* parent = nullptr);
  ~TargetTestView() override;
  void start(const RunTarget& target);
  /// Stops what is under way; nothing of it comes any more.
  void stop();
  [[nodiscard]] bool isTesting() const { return work_ != Work::none; }
  /// What was found so far, one line for each step.
  [[nodiscard]] QListWidget& findings() const { return *findings_; }
  /// Shown where the missing torch can be brought.
  [[nodiscard]] QPushButton& torchButton() const { return *torch_; }

 signals:
  void begun();
  void ended(bool works);
  void stopped();
  /// There is an environment with torch now, whose interpreter the target should have.
  void pythonMade(const QString& python);

 private:
  enum class Work { none, check, torch };
  void add(const TargetFinding& finding);
  void offerTorch();
  void makeTorch();
  void say(const QString& text);
  void finish(bool works);
  /// Calls `take` on this object's thread, unless something else is under way by then.
  template <class Take>
  [[nodiscard]] auto mine(Take take);

  TargetTests tests_;
  QListWidget* findings_;
  QLabel* doing_;
  QPushButton* torch_;
  RunTarget target_;
  Work work_ = Work::none;
  bool needsTorch_ = false;
  std::stop_source stop_;
  /// The number of what is under way.
  int begun_ = 0;
};

}  // namespace wb
