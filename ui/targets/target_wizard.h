// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/base/result.h"
#include "core/targets/run_target.h"
#include "ui/targets/target_test_view.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace wb {

class AdvancedFields;

/// Adds a target: asks what it is and where, looks step by step whether kernels can run there, says what to
/// do where they cannot, and hands over the target.
class TargetWizard : public QDialog {
  Q_OBJECT
 public:
  explicit TargetWizard(TargetTests tests = {}, QWidget* parent = nullptr);
  [[nodiscard]] QComboBox& kind() const { return *kind_; }
  [[nodiscard]] QLineEdit& host() const { return *host_; }
  [[nodiscard]] QLineEdit& device() const { return *device_; }
  [[nodiscard]] QLineEdit& python() const { return *python_; }
  [[nodiscard]] QLineEdit& partition() const { return *partition_; }
  [[nodiscard]] QLineEdit& gres() const { return *gres_; }
  [[nodiscard]] QLineEdit& time() const { return *time_; }
  [[nodiscard]] QLineEdit& name() const { return *name_; }
  [[nodiscard]] AdvancedFields& advanced() const { return *advanced_; }
  [[nodiscard]] QPushButton& testButton() const { return *test_; }
  [[nodiscard]] QPushButton& addButton() const { return *add_; }
  [[nodiscard]] QPushButton& cancelButton() const { return *cancel_; }
  [[nodiscard]] TargetTestView& tests() const { return *tests_; }
  [[nodiscard]] QString message() const;

 signals:
  /// This one is to be kept.
  void added(const wb::RunTarget& target);

 protected:
  /// Ends a test that is under way, and else the dialog.
  void reject() override;
  bool event(QEvent* event) override;

 private:
  void build();
  void showKind();
  void showAdvanced();
  void proposeName();
  /// The target that stands in the fields. Error: it is none.
  [[nodiscard]] Result<RunTarget> written() const;
  void test();
  void add();
  void tell(const QString& text);
  void updateButtons();

  QComboBox* kind_;
  QLineEdit *host_, *device_, *python_, *partition_, *gres_, *time_, *name_;
  QFormLayout* form_;
  AdvancedFields* advanced_ = nullptr;
  QLabel *about_, *message_;
  TargetTestView* tests_;
  QPushButton *test_, *add_, *cancel_;
};

}  // namespace wb
