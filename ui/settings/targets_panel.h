// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/runner/remote/target_check.h"
#include "core/targets/run_target.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace wb {

/// The user's targets, which are other machines on which kernels run: they are named, tested step by step,
/// and forgotten. The file that holds them is read and written in the background, and targets are tested
/// there.
class TargetsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit TargetsPanel(QWidget* parent = nullptr);
  [[nodiscard]] QListWidget& list() const { return *list_; }
  [[nodiscard]] QLineEdit& name() const { return *name_; }
  [[nodiscard]] QLineEdit& where() const { return *where_; }
  [[nodiscard]] QPushButton& saveButton() const { return *save_; }
  [[nodiscard]] QPushButton& testButton() const { return *test_; }
  [[nodiscard]] QPushButton& removeButton() const { return *remove_; }
  /// What a test has found so far, one line for each step.
  [[nodiscard]] QListWidget& findings() const { return *findings_; }
  [[nodiscard]] bool isTesting() const { return testing_; }
  /// What came of the last thing that was done.
  [[nodiscard]] QString message() const;

 private:
  /// What a change of the file came to.
  struct Changed {
    Result<std::vector<RunTarget>> targets;
    /// What else is to be said, such as that the file could not be read.
    std::string word;
  };
  void build();
  /// The target that stands in the fields. Error: it is none.
  [[nodiscard]] Result<RunTarget> written() const;
  void save();
  void remove();
  void test();
  /// Changes the file and shows what it holds then, with the target of this name chosen.
  void change(std::function<Result<void>(std::vector<RunTarget>&)> what, const QString& done,
              const std::string& chosen);
  void fill(const std::vector<RunTarget>& targets, const std::string& chosen);
  void showSelected();
  void addFinding(const TargetFinding& finding);
  void tell(bool isGood, const QString& text, const QString& hint = {});
  void tell(const Error& error);

  QListWidget *list_, *findings_;
  QLineEdit *name_, *where_;
  QPushButton *save_, *test_, *remove_;
  QLabel *sign_, *message_, *hint_;
  std::vector<RunTarget> targets_;
  /// A test that was begun later makes what an earlier one finds old.
  int tested_ = 0;
  bool testing_ = false;
};

}  // namespace wb
