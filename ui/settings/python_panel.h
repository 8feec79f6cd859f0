// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <stop_token>

#include "core/base/result.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace wb {

class Settings;
struct PythonFacts;

/// The Python environments: the one that holds for all tabs, and named ones that a tab may choose. Whenever a
/// program is typed it is examined in the background; it is taken when kernels can run in it.
class PythonPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PythonPanel(Settings& settings, QWidget* parent = nullptr);
  ~PythonPanel() override;

  /// The environments; the first is the one for all tabs.
  [[nodiscard]] QListWidget& list() const { return *list_; }
  [[nodiscard]] QLineEdit& name() const { return *name_; }
  [[nodiscard]] QLineEdit& python() const { return *python_; }
  [[nodiscard]] QPushButton& addButton() const { return *add_; }
  [[nodiscard]] QPushButton& removeButton() const { return *remove_; }
  /// What is said about the environment.
  [[nodiscard]] QString message() const;
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
  void tell(const QString& picture, int tone, const QString& text, const QString& hint);

  Settings& settings_;
  QListWidget* list_;
  QLineEdit *name_, *python_;
  QPushButton *add_, *remove_;
  QLabel *sign_, *message_, *hint_;
  QTimer delay_;
  std::stop_source question_;
  /// The number of the newest question.
  int asked_ = 0;
  bool asking_ = false, taken_ = false, showing_ = false;
};

}  // namespace wb
