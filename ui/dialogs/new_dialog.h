// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "ui/dialogs/gallery.h"

class QListWidget;
class QPushButton;

namespace wb {

class KernelEditor;

/// Lets the user choose a template or a worked sample to start from, and shows its text.
class NewDialog : public QDialog {
  Q_OBJECT
 public:
  explicit NewDialog(QWidget* parent = nullptr);
  /// What was chosen, once accepted.
  [[nodiscard]] const GalleryItem* chosen() const;
  [[nodiscard]] QListWidget& list() const { return *list_; }

 private:
  void show(std::vector<GalleryItem> items);
  void preview();

  std::vector<GalleryItem> items_;
  QListWidget* list_;
  KernelEditor* preview_;
  QPushButton* create_;
};

}  // namespace wb
