// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <string>
#include <vector>

#include "core/targets/run_target.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace wb {

/// An option as it stands in a target's text, "mem=32G"; "" where there is no value.
[[nodiscard]] QString targetOption(const char* name, const QString& value);

/// The rows of a form for the options of a target that few people need. They are folded behind a button that
/// names those that are set, and each field says itself what is wrong with it.
class AdvancedFields : public QObject {
  Q_OBJECT
 public:
  /// Adds the rows to the end of the form as it is now.
  explicit AdvancedFields(QFormLayout& form, QObject* parent = nullptr);
  /// Shows the rows that a target of this kind may have, while they are not folded.
  void showFor(const RunTarget& target);
  void unfold(bool isOpen);
  /// What is set, as it stands in a target's text.
  [[nodiscard]] QStringList options() const;
  /// Whether all that is set can be; else the first that cannot is shown.
  bool check();
  [[nodiscard]] QToolButton& button() const { return *button_; }
  [[nodiscard]] QLineEdit& field(const std::string& option) const;
  /// What is wrong with it; "" is nothing.
  [[nodiscard]] QString errorOf(const std::string& option) const;

 private:
  struct Row {
    const char* option;
    QLineEdit* field;
    /// In the row below.
    QLabel* error;
    /// A target of this kind may have it.
    bool isKnown = false;
  };
  void add(const char* option, const QString& title, const QString& example);
  [[nodiscard]] const Row& rowOf(const std::string& option) const;
  bool check(const Row& row);
  [[nodiscard]] static bool isSet(const Row& row);
  void update();

  QFormLayout& form_;
  QToolButton* button_;
  std::vector<Row> rows_;
};

}  // namespace wb
