// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <stop_token>

#include "core/base/result.h"
#include "ui/settings/named_list.h"

class QLineEdit;
class QPushButton;

namespace wb {

class Settings;
struct PythonFacts;

/// The Python environments: the first holds for all tabs, and a tab may choose one of the named others.
/// Whenever a program is typed it is examined in the background; it is taken when kernels can run in it.
class PythonPanel : public NamedList {
  Q_OBJECT
 public:
  explicit PythonPanel(Settings& settings, QWidget* parent = nullptr);
  ~PythonPanel() override;

  [[nodiscard]] QLineEdit& name() const { return *name_; }
  [[nodiscard]] QLineEdit& python() const { return *python_; }
  [[nodiscard]] QPushButton& addButton() const { return *add_; }
  [[nodiscard]] QPushButton& removeButton() const { return *remove_; }
  [[nodiscard]] bool asking() const { return asking_; }
  /// Whether what is typed was examined and holds.
  [[nodiscard]] bool isTaken() const { return taken_; }

 private:
  void build();
  void fill(int row);
  void showSelected();
  void add();
  void remove();
  void rename();
  void browse();
  void ask();
  void answer(const Result<PythonFacts>& facts);

  Settings& settings_;
  QLineEdit *name_, *python_;
  QPushButton *add_, *remove_;
  QTimer delay_;
  std::stop_source question_;
  /// The number of the newest question.
  int asked_ = 0;
  bool asking_ = false, taken_ = false, showing_ = false;
};

}  // namespace wb
