// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <vector>

class QAction;
class QFrame;
class QLabel;
class QLineEdit;
class QListWidget;
class QScrollArea;
class QVBoxLayout;

namespace wb {

class CachesPanel;
class PythonPanel;
class SettingRow;
class Settings;
class ShortcutsPanel;
class TargetsPanel;
struct SettingChoice;

/// All settings on one page with a search. What is changed holds at once.
class SettingsPage : public QDialog {
  Q_OBJECT
 public:
  /// `actions` are the commands whose keys can be chosen, `devices` the choices of the setting "run/device".
  SettingsPage(Settings& settings, const QList<QAction*>& actions, const QList<SettingChoice>& devices,
               QWidget* parent = nullptr);

  [[nodiscard]] QLineEdit& search() const { return *search_; }
  [[nodiscard]] QListWidget& sections() const { return *list_; }
  /// The row of a setting; null for a key without one.
  [[nodiscard]] SettingRow* row(const QString& key) const;
  [[nodiscard]] PythonPanel& python() const { return *python_; }
  [[nodiscard]] TargetsPanel& targets() const { return *targets_; }
  [[nodiscard]] ShortcutsPanel& shortcuts() const { return *shortcuts_; }
  [[nodiscard]] CachesPanel& caches() const { return *caches_; }
  /// The titles of the sections that are shown.
  [[nodiscard]] QStringList shownSections() const;

 signals:
  /// The page about this machine is wanted.
  void doctorWanted();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Section {
    QString title;
    QFrame* frame = nullptr;
    QVBoxLayout* column = nullptr;
    std::vector<SettingRow*> rows;
    /// Words by which a section without rows is found.
    QString words;
  };
  Section& section(const QString& title);
  void build();
  void addRows(const QList<SettingChoice>& devices);
  void addPanel(const QString& title, QWidget* panel, const QString& words);
  void filter();
  void goTo(const QString& title);

  Settings& settings_;
  QLineEdit* search_;
  QListWidget* list_;
  QScrollArea* area_;
  QVBoxLayout* body_;
  QLabel* nothing_;
  PythonPanel* python_;
  TargetsPanel* targets_;
  ShortcutsPanel* shortcuts_;
  CachesPanel* caches_;
  std::vector<Section> sections_;
};

}  // namespace wb
