// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QHash>
#include <QSet>
#include <functional>

#include "core/figures/figure.h"

class QLabel;
class QPushButton;

namespace wb {

class IconLabel;

/// Messages that stay until the user deals with them: each says what happened and what to do, and has one
/// button. A message of a tab is shown while that tab is in front and goes away with it; one of the window
/// is shown while the tab in front has none. The banner floats above the widget that it was made for, so that
/// nothing moves when it comes and goes.
class Banner : public QFrame {
  Q_OBJECT
 public:
  explicit Banner(QWidget* parent = nullptr);
  /// Stands at the lower edge of this widget from now on.
  void floatOver(QWidget& below);
  /// Shows a message of the window; when `action` is empty, the only button is the one that closes it.
  void tell(Tone tone, const QString& text, const QString& hint, const QString& action = {},
            std::function<void()> run = {});
  /// Shows a message of a tab, which is named by its document's id.
  void tellOf(const QString& tab, Tone tone, const QString& text, const QString& hint,
              const QString& action = {}, std::function<void()> run = {});
  /// Takes the message of a tab away; "" means that of the window.
  void clear(const QString& tab);
  /// Says which tab is in front and which there are; messages of others are forgotten.
  void setTabs(const QString& current, const QSet<QString>& open);
  /// The text that is shown; "" while the banner is hidden.
  [[nodiscard]] QString text() const;
  [[nodiscard]] QString hint() const;

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Message {
    Tone tone = Tone::neutral;
    QString text, hint, action;
    std::function<void()> run;
  };
  /// Which message is shown: a tab's id, "" for the window's.
  [[nodiscard]] QString shownTab() const;
  void update();
  void place();

  IconLabel* icon_;
  QLabel *text_, *hint_;
  QPushButton* button_;
  QWidget* below_ = nullptr;
  QHash<QString, Message> messages_;
  QString current_;
};

}  // namespace wb
