// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/figures/code/code_listing.h"
#include "ui/assembly/code_pane.h"
#include "ui/editing/journal.h"

class QComboBox;
class QLabel;
class QMenu;
class QStackedLayout;
class QToolButton;

namespace wb {

/// The code that was made of a kernel, to stand beside its source: which language, function, dtype and
/// architecture is chosen in boxes, and so is what the margins show and with what it is compared. It keeps
/// the listings of the last runs of a kernel to compare with.
class AssemblyView : public QWidget {
  Q_OBJECT
 public:
  explicit AssemblyView(QWidget* parent = nullptr);

  /// Shows the code of a run. What was shown before of the same kernel becomes the last run.
  void setListing(std::shared_ptr<const CodeListing> listing);
  /// The pinned run, to compare with; null for none.
  void setPinned(std::shared_ptr<const CodeListing> listing);
  /// `family` is as for codeFont().
  void setCodeFont(const QString& family, int pixels);
  /// What was chosen, without whether it is shown, and the same again in a later window: as soon as what was
  /// chosen is there.
  [[nodiscard]] AssemblyChoices choices() const;
  void restore(const AssemblyChoices& choices);
  /// Goes to the next hot row, or with -1 to the previous one.
  void goToHot(int by);

  [[nodiscard]] const CodeListing* listing() const { return listing_.get(); }
  /// The form that is shown; null where there is none.
  [[nodiscard]] const CodeForm* form() const;
  /// What the margins show by line of the source.
  [[nodiscard]] std::map<int, CodeMark> marksOfLines() const;
  /// The id of what the margins show; "" for nothing.
  [[nodiscard]] std::string counter() const;
  [[nodiscard]] bool scrollsTogether() const;

  [[nodiscard]] CodePane& pane() const { return *pane_; }
  [[nodiscard]] QComboBox& language() const { return *language_; }
  [[nodiscard]] QComboBox& function() const { return *function_; }
  [[nodiscard]] QComboBox& dtype() const { return *dtype_; }
  [[nodiscard]] QComboBox& architecture() const { return *architecture_; }
  [[nodiscard]] QComboBox& counters() const { return *counter_; }
  [[nodiscard]] QComboBox& comparison() const { return *comparison_; }
  [[nodiscard]] QMenu& filters() const { return *filters_; }
  [[nodiscard]] QLabel& emptyText() const { return *empty_; }

 signals:
  /// Another form, or other marks.
  void formChanged();
  /// Code for an architecture is wanted for which none was made.
  void architectureWanted(const QString& architecture);

 private:
  struct Version {
    QString title;
    std::shared_ptr<const CodeListing> listing;
    /// Which of its forms; -1 for the one that is nearest to what is shown.
    int form = -1;
  };
  QComboBox* addBox(const QString& name, const QString& tip);
  QWidget* buildBoxes();
  void buildFilters();
  void fillLanguages();
  /// Fills the boxes from the given one on, each with what fits the choices before it.
  void choose(QComboBox* from);
  void fillCounters();
  void fillComparisons();
  void showForms();
  void showMarks();
  void readFilters();
  [[nodiscard]] const CodeForm* comparedForm() const;
  [[nodiscard]] std::vector<std::size_t> fitting(int boxes) const;

  std::shared_ptr<const CodeListing> listing_, pinned_;
  /// Earlier runs of this kernel, latest first.
  std::vector<std::shared_ptr<const CodeListing>> earlier_;
  std::vector<Version> versions_;
  CodeForm source_, sourceBefore_;
  std::vector<QComboBox*> boxes_;
  QComboBox *language_ = nullptr, *function_ = nullptr, *dtype_ = nullptr, *architecture_ = nullptr;
  QComboBox *counter_ = nullptr, *comparison_ = nullptr;
  QToolButton* more_ = nullptr;
  QWidget* bar_ = nullptr;
  /// The user has chosen what is shown, and what the margins show.
  bool formChosen_ = false, counterChosen_ = false;
  /// With what an earlier window compared, until there is such a version.
  QString wantedComparison_;
  QMenu* filters_ = nullptr;
  QAction* together_ = nullptr;
  CodePane* pane_;
  QLabel* empty_;
  QStackedLayout* stack_ = nullptr;
};

}  // namespace wb
