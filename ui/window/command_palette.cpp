// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_palette.h"

#include <QAction>
#include <QApplication>
#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/fonts.h"
#include "ui/style/icon.h"
#include "ui/style/theme.h"
#include "ui/window/actions.h"
#include "ui/window/fuzzy.h"

namespace wb {
namespace {

enum Role { actionRole = Qt::UserRole, keysRole, positionsRole, lineRole, columnRole };

QString titleOf(const QAction& action) {
  QString text = action.text();
  text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
  return categoryOf(action) + QStringLiteral(": ") + text;
}

/// Paints a row: the icon, the text with the matched letters in the accent colour, and the shortcut as a key
/// cap.
class CommandDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, 33}; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& theme = themeOf(option.palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect rect = option.rect.adjusted(2, 1, -2, -1);
    if (option.state & QStyle::State_Selected) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(theme.selected);
      painter->drawRoundedRect(rect, 6, 6);
    }
    index.data(Qt::DecorationRole)
        .value<QIcon>()
        .paint(painter, QRect(rect.left() + 10, rect.center().y() - 7, 16, 16));
    paintText(*painter, theme, rect.adjusted(38, 0, -10, 0), index);
    paintKeys(*painter, theme, rect, index.data(keysRole).toString());
    painter->restore();
  }

 private:
  static void paintText(QPainter& painter, const Theme& theme, QRect rect, const QModelIndex& index) {
    const QString text = index.data(Qt::DisplayRole).toString();
    const QVariantList positions = index.data(positionsRole).toList();
    painter.setFont(textFont());
    const QFontMetrics metrics = painter.fontMetrics();
    int x = rect.left();
    for (int i = 0; i < text.size(); ++i) {
      painter.setPen(positions.contains(i) ? theme.accent : theme.text);
      painter.drawText(QRect(x, rect.top(), 60, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
                       text.mid(i, 1));
      x = rect.left() + metrics.horizontalAdvance(text.left(i + 1));
    }
  }

  static void paintKeys(QPainter& painter, const Theme& theme, QRect rect, const QString& keys) {
    if (keys.isEmpty()) return;
    painter.setFont(textFont(11, QFont::Medium));
    const int width = painter.fontMetrics().horizontalAdvance(keys) + 14;
    const QRectF cap(rect.right() - width - 8.5, rect.center().y() - 9.5, width, 20);
    painter.setPen(theme.strongBorder);
    painter.setBrush(theme.window);
    painter.drawRoundedRect(cap, 4, 4);
    painter.setPen(theme.secondary);
    painter.drawText(cap, Qt::AlignCenter, keys);
  }
};

}  // namespace

CommandPalette::CommandPalette(QMainWindow& window)
    : QFrame(&window), window_(window), input_(new QLineEdit), list_(new QListWidget) {
  setObjectName(QStringLiteral("palette"));
  input_->setPlaceholderText(tr("Type a command"));
  input_->setAccessibleName(tr("Command"));
  input_->installEventFilter(this);
  list_->setAccessibleName(tr("Commands"));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setItemDelegate(new CommandDelegate(list_));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setMouseTracking(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(6);
  column->addWidget(input_);
  column->addWidget(list_);
  auto* shadow = new QGraphicsDropShadowEffect(this);
  shadow->setBlurRadius(36);
  shadow->setOffset(0, 10);
  shadow->setColor(QColor(0, 0, 0, 110));
  setGraphicsEffect(shadow);
  connect(input_, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::trigger);
  hide();
}

void CommandPalette::open(const QString& text) {
  before_ = QApplication::focusWidget();
  const int width = std::min(640, window_.width() - 40);
  setGeometry((window_.width() - width) / 2, 56, width, std::min(430, window_.height() - 100));
  input_->setText(text);
  fill();
  show();
  raise();
  input_->setFocus();
}

// Offers the place that ":line:column" names; says whether the text begins like one.
bool CommandPalette::fillPlace() {
  if (!input_->text().startsWith(QLatin1Char(':'))) return false;
  const QStringList parts = input_->text().mid(1).split(QLatin1Char(':'));
  const int line = parts[0].trimmed().toInt(), column = std::max(1, parts.value(1).trimmed().toInt());
  list_->clear();
  auto* item = new QListWidgetItem(line < 1     ? tr("Type the number of a line")
                                   : column > 1 ? tr("Go to line %1, column %2").arg(line).arg(column)
                                                : tr("Go to line %1").arg(line));
  item->setData(lineRole, line);
  item->setData(columnRole, column);
  list_->addItem(item);
  list_->setCurrentRow(0);
  return true;
}

void CommandPalette::fill() {
  if (fillPlace()) return;
  struct Hit {
    QAction* action;
    QString title;
    FuzzyMatch match;
  };
  std::vector<Hit> hits;
  for (QAction* action : window_.actions()) {
    if (!action->isEnabled() || action->objectName().isEmpty() || categoryOf(*action).isEmpty()) continue;
    const QString title = titleOf(*action);
    if (auto match = fuzzyMatch(input_->text(), title)) hits.push_back({action, title, std::move(*match)});
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const Hit& a, const Hit& b) { return a.match.score > b.match.score; });
  list_->clear();
  for (const Hit& hit : hits) {
    auto* item = new QListWidgetItem(hit.action->icon(), hit.title);
    QVariantList positions;
    for (const int at : hit.match.positions) positions.push_back(at);
    item->setData(actionRole, hit.action->objectName());
    item->setData(keysRole, hit.action->shortcut().toString(QKeySequence::NativeText));
    item->setData(positionsRole, positions);
    list_->addItem(item);
  }
  list_->setCurrentRow(0);
}

void CommandPalette::trigger() {
  const QListWidgetItem* item = list_->currentItem();
  if (!item) return;
  if (const QVariant line = item->data(lineRole); line.isValid()) {
    const int column = item->data(columnRole).toInt();
    if (line.toInt() < 1) return;
    closePalette();
    emit placeChosen(line.toInt(), column);
    return;
  }
  auto* action = window_.findChild<QAction*>(item->data(actionRole).toString());
  closePalette();
  if (action) action->trigger();
}

void CommandPalette::move(int by) {
  if (list_->count() > 0) list_->setCurrentRow((list_->currentRow() + by + list_->count()) % list_->count());
}

void CommandPalette::closePalette() {
  hide();
  if (before_) before_->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
    hide();
  if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
    return QFrame::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  const bool ours = key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter ||
                    key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown ||
                    key == Qt::Key_PageUp;
  if (!ours) return QFrame::eventFilter(watched, event);
  event->accept();
  if (event->type() == QEvent::ShortcutOverride) return true;
  if (key == Qt::Key_Escape) closePalette();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) trigger();
  if (key == Qt::Key_Down) move(1);
  if (key == Qt::Key_Up) move(-1);
  if (key == Qt::Key_PageDown) list_->setCurrentRow(std::min(list_->currentRow() + 10, list_->count() - 1));
  if (key == Qt::Key_PageUp) list_->setCurrentRow(std::max(list_->currentRow() - 10, 0));
  return true;
}

}  // namespace wb
