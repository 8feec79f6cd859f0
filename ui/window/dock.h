// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

class QMainWindow;

namespace wb {

class Settings;

/// A dock with a flat title bar. Its content is made after the window was painted once.
class Dock : public QDockWidget {
  Q_OBJECT
 public:
  Dock(const QString& id, const QString& title, QWidget* parent);
  void setContent(QWidget* content);
};

/// Keeps a dock's share of the window's width when the window becomes wider or narrower, so that neither the
/// dock nor the editor loses its place. The user changes the share by dragging the dock's edge.
class DockShare : public QObject {
  Q_OBJECT
 public:
  /// The share is remembered under `key`, in thousandths; `first` is the one to begin with, in
  /// windows that are wide enough.
  DockShare(QMainWindow& window, Dock& dock, Settings& settings, const char* key, int first);
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void apply();

  QMainWindow& window_;
  Dock& dock_;
  Settings& settings_;
  const char* key_;
  int share_;
  /// Somebody has chosen it.
  bool isChosen_;
};

}  // namespace wb
