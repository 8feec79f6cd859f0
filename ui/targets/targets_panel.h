// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/targets/run_target.h"
#include "ui/settings/named_list.h"
#include "ui/targets/target_test_view.h"

class QLineEdit;
class QPushButton;

namespace wb {

/// The user's targets, which are other machines on which kernels run: they are added, tested step by step,
/// changed and forgotten. The file that holds them is read and written in the background, and targets are
/// tested there.
class TargetsPanel : public NamedList {
  Q_OBJECT
 public:
  explicit TargetsPanel(TargetTests tests = {}, QWidget* parent = nullptr);
  [[nodiscard]] QLineEdit& name() const { return *name_; }
  [[nodiscard]] QLineEdit& where() const { return *where_; }
  [[nodiscard]] QPushButton& addButton() const { return *add_; }
  [[nodiscard]] QPushButton& saveButton() const { return *save_; }
  [[nodiscard]] QPushButton& testButton() const { return *test_; }
  [[nodiscard]] QPushButton& removeButton() const { return *remove_; }
  [[nodiscard]] TargetTestView& tests() const { return *view_; }

 signals:
  /// The file holds these now.
  void targetsChanged(const std::vector<wb::RunTarget>& targets);

 private:
  /// The targets after a change of the file.
  using Changed = Result<std::vector<RunTarget>>;
  void build();
  /// The target that stands in the fields. Error: it is none.
  [[nodiscard]] Result<RunTarget> written() const;
  void openWizard();
  void save();
  void keep(const RunTarget& target);
  void remove();
  void test();
  /// Changes the file and shows what it holds then, with the target of this name chosen.
  void change(std::function<Result<void>(std::vector<RunTarget>&)> what, const QString& done,
              const std::string& chosen);
  void fill(const std::vector<RunTarget>& targets, const std::string& chosen);
  void showSelected();
  void tellError(const Error& error);

  TargetTests howToTest_;
  QLineEdit *name_, *where_;
  QPushButton *add_, *save_, *test_, *remove_;
  TargetTestView* view_;
  std::vector<RunTarget> targets_;
};

}  // namespace wb
