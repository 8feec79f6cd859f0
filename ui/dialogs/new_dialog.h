// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <optional>
#include <string>
#include <vector>

#include "core/model/operators/catalogue.h"
#include "ui/dialogs/gallery.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace wb {

class KernelEditor;

/// What a new document begins with.
struct NewDocument {
  /// The file name that the document gets.
  QString file, text;
  /// The operator, where the text itself does not name it.
  QString op;
  /// The suite that has cases of the operator; "" where that is not known.
  QString suite;
};

/// Lets the user choose an operator and a language, for a first kernel, or a worked sample, and shows its
/// text. One field searches all of them; the arrow keys choose while one types.
class NewDialog : public QDialog {
  Q_OBJECT
 public:
  /// `language` is the one that is chosen at first: "triton".
  explicit NewDialog(const QString& language, QWidget* parent = nullptr);
  /// What was chosen; nothing while nothing fits.
  [[nodiscard]] const std::optional<NewDocument>& chosen() const { return chosen_; }
  [[nodiscard]] QString language() const;
  [[nodiscard]] QLineEdit& search() const { return *search_; }
  [[nodiscard]] QListWidget& list() const { return *list_; }
  [[nodiscard]] QComboBox& languageBox() const { return *language_; }
  [[nodiscard]] KernelEditor& preview() const { return *preview_; }

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// What was read in the background.
  struct Offered {
    std::vector<OperatorEntry> operators;
    std::vector<GalleryItem> gallery;
    /// The operators of which the smoke suite has cases.
    std::vector<std::string> inSmoke;
  };
  QWidget* buildLeft();
  QWidget* buildRight();
  void fillList();
  void addHeading(const QString& text);
  void choose();
  void chooseOperator(const OperatorEntry& entry);
  void chooseSample(const GalleryItem& item);
  void showText(const QString& note, bool isWarning = false);

  Offered offered_;
  std::optional<NewDocument> chosen_;
  QLineEdit* search_;
  QListWidget* list_;
  QComboBox* language_;
  QLabel *schema_, *note_;
  KernelEditor* preview_;
  QPushButton* create_;
};

}  // namespace wb
