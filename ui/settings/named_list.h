// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include "ui/style/icon.h"

class QGridLayout;
class QLabel;
class QLayout;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace wb {

class IconLabel;

/// A list of things that have names, with buttons beside it, the fields of the chosen one below, and a line
/// that says what came of the last thing that was done.
class NamedList : public QWidget {
  Q_OBJECT
 public:
  NamedList(const QString& about, const QString& listName, QWidget* parent = nullptr);
  [[nodiscard]] QListWidget& list() const { return *list_; }
  /// Makes a button beside the list; `name` says to those who do not see it what it is for.
  QPushButton* makeButton(const QString& text, const QString& name);
  void addField(const QString& title, QWidget* field);
  void addField(const QString& title, QLayout* several);
  /// Adds something below all else.
  void addBelow(QWidget* widget);
  void tell(const QString& picture, IconTone tone, const QString& text, const QString& hint = {});
  void tellResult(bool isGood, const QString& text, const QString& hint = {});
  [[nodiscard]] QString message() const;

 private:
  QListWidget* list_;
  QVBoxLayout *buttons_, *column_;
  QGridLayout* fields_;
  IconLabel* sign_;
  QLabel *message_, *hint_;
};

}  // namespace wb
