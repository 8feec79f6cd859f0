// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/table_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTableView>
#include <algorithm>

#include "ui/style/fonts.h"
#include "ui/tables/cell_delegate.h"
#include "ui/tables/column_widths.h"
#include "ui/tables/table_model.h"

namespace wb {
namespace {

// Columns grow to at most these widths by themselves.
constexpr int mostText = 340, mostCode = 1200, mostProse = 520;
constexpr int mostName = 214;   // for names in groups, since the numbers beside them matter more
constexpr int mostGroup = 136;  // longer names go on in the rows below
constexpr int leastGroup = 92, leastCode = 150;
// What stands around a text: the cell's margins, a pill, a title with its arrow.
constexpr int aroundText = 20, aroundPill = 26, aroundTitle = 30;
/// The same in a narrow view.
constexpr int aroundTightTitle = 30;
/// The names of groups are in a stronger font, which is wider by this part of its width.
constexpr int strongerBy = 12;
/// A text may be as narrow as this where the verdict beside it could not be seen otherwise.
constexpr int tightText = 44;
/// How many rows are measured at once: a fraction of a beat.
constexpr std::size_t rowsAtOnce = 600;
/// Columns of higher ranks are details, which are shown where they hold something.
constexpr int highestAlwaysShown = 3;

bool isProse(ColumnKind kind) {
  return kind == ColumnKind::prose || kind == ColumnKind::note;
}

}  // namespace

TableColumns::TableColumns(QTableView& view, TableModel& model, QObject* parent)
    : QObject(parent),
      view_(view),
      model_(model),
      header_(*view.horizontalHeader()),
      text_(view.font()),
      small_(CellDelegate::smallFont(view.font())),
      code_(codeFont(12)) {
  rest_.setSingleShot(true);
  rest_.setInterval(0);
  connect(&rest_, &QTimer::timeout, this, &TableColumns::measureSome);
  connect(&model_, &TableModel::arranged, this, &TableColumns::takeTable);
  connect(&header_, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
    if (isOurs_ || size_t(column) >= states_.size() || width == 0) return;
    states_[size_t(column)].dragged = width;
    choose();
  });
  connect(&header_, &QHeaderView::sectionMoved, this, [this] {
    if (!isOurs_) choose();
  });
  connect(&header_, &QHeaderView::sectionHandleDoubleClicked, this, [this](int column) {
    states_[size_t(column)].dragged = 0;
    fit();
    choose();
  });
  view_.viewport()->installEventFilter(this);
  view_.installEventFilter(this);
}

bool TableColumns::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_.viewport() && event->type() == QEvent::Resize) fit();
  if (watched == &view_ && event->type() == QEvent::FontChange && view_.font() != text_.font()) {
    text_ = TextMeasure(view_.font());
    small_ = TextMeasure(CellDelegate::smallFont(view_.font()));
    code_ = TextMeasure(codeFont(12));
    for (State& state : states_) state.widest = state.widestHalf = 0;
    toMeasure_ = model_.table().rows.size();
    rest_.start();
  }
  return QObject::eventFilter(watched, event);
}

void TableColumns::takeTable() {
  const Table& table = model_.table();
  if (table.columns != columns_) beginColumns();
  if (table.rows.size() < rowsBefore_)  // it is another run
    for (State& state : states_) state.widest = state.widestHalf = 0;
  rowsBefore_ = table.rows.size();
  // What comes may change any row, so all of them are measured again, a few with every table.
  toMeasure_ = table.rows.size();
  if (next_ >= toMeasure_) next_ = 0;
  measureVisible();
  measureSome();
}

void TableColumns::beginColumns() {
  if (!columns_.empty() && isChosen_) chosen_ = layout();
  columns_ = model_.table().columns;
  states_.assign(columns_.size(), {});
  rowsBefore_ = next_ = 0;
  const auto group = std::find_if(columns_.begin(), columns_.end(),
                                  [](const Column& column) { return column.kind == ColumnKind::group; });
  group_ = group == columns_.end() ? -1 : int(group - columns_.begin());
  applyOrder(chosen_.split(QLatin1Char('\t'), Qt::SkipEmptyParts));
}

// What people look for stands first after the columns that name the row, so that it is visible in a narrow
// view without scrolling; what the user has chosen goes before that.
void TableColumns::applyOrder(const QStringList& entries) {
  const QScopedValueRollback ours(isOurs_, true);
  isChosen_ = !entries.isEmpty();
  std::vector<std::pair<int, int>> leading;  // the place and the column
  std::vector<int> order;
  for (int column = 0; column < int(columns_.size()); ++column) {
    const Column& one = columns_[size_t(column)];
    if (one.lead > 0)
      leading.emplace_back(one.lead, column);
    else
      order.push_back(column);
  }
  std::sort(leading.begin(), leading.end());
  const auto naming = std::find_if(order.begin(), order.end(), [this](int column) {
    const ColumnKind kind = columns_[size_t(column)].kind;
    return kind != ColumnKind::name && kind != ColumnKind::group;
  });
  auto at = naming - order.begin();
  for (const auto& [lead, column] : leading) order.insert(order.begin() + at++, column);
  int to = 0;
  for (const int column : order) header_.moveSection(header_.visualIndex(column), to++);

  to = 0;
  for (QString entry : entries) {
    Choice choice = Choice::automatic;
    int dragged = 0;
    if (entry.startsWith(QLatin1Char('-'))) choice = Choice::hidden;
    if (entry.startsWith(QLatin1Char('+'))) choice = Choice::shown;
    if (choice != Choice::automatic) entry.remove(0, 1);
    const qsizetype colon = entry.lastIndexOf(QLatin1Char(':'));
    if (colon > 0) {
      dragged = std::clamp(entry.mid(colon + 1).toInt(), 0, 4000);
      entry.truncate(colon);
    }
    const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) {
      return entry == QString::fromStdString(column.title);
    });
    if (found == columns_.end()) continue;
    State& state = states_[size_t(found - columns_.begin())];
    state.choice = choice, state.dragged = dragged;
    header_.moveSection(header_.visualIndex(int(found - columns_.begin())), to++);
  }
}

QString TableColumns::layout() const {
  if (columns_.empty()) return chosen_;
  if (!isChosen_) return {};
  QStringList entries;
  for (int place = 0; place < header_.count(); ++place) {
    const auto column = size_t(header_.logicalIndex(place));
    if (column >= states_.size()) continue;
    const State& state = states_[column];
    QString entry = QString::fromStdString(columns_[column].title);
    if (state.choice != Choice::automatic)
      entry.prepend(QLatin1Char(state.choice == Choice::hidden ? '-' : '+'));
    if (state.dragged > 0) entry += QStringLiteral(":%1").arg(state.dragged);
    entries << entry;
  }
  return entries.join(QLatin1Char('\t'));
}

void TableColumns::setLayout(const QString& layout) {
  chosen_ = layout;
  if (columns_.empty()) return;
  for (State& state : states_) state = {Choice::automatic, 0, state.widest, state.widestHalf};
  applyOrder(layout.split(QLatin1Char('\t'), Qt::SkipEmptyParts));
  fit();
}

void TableColumns::reset() {
  setLayout({});
  emit layoutChanged();
}

void TableColumns::setShown(int column, bool shown) {
  states_[size_t(column)].choice = shown ? Choice::shown : Choice::hidden;
  fit();
  choose();
}

void TableColumns::choose() {
  isChosen_ = true;
  emit layoutChanged();
}

bool TableColumns::isShown(int column) const {
  return !header_.isSectionHidden(column);
}

std::vector<int> TableColumns::shownColumns() const {
  std::vector<int> shown;
  for (int place = 0; place < header_.count(); ++place)
    if (const int column = header_.logicalIndex(place); isShown(column)) shown.push_back(column);
  return shown;
}

void TableColumns::measureRow(std::size_t row) {
  const std::vector<Cell>& cells = model_.table().rows[row].cells;
  for (std::size_t column = 0; column < std::min(cells.size(), states_.size()); ++column) {
    if (cells[column].text.empty()) continue;
    const TextMeasure& measure = columns_[column].kind == ColumnKind::code ? code_ : text_;
    State& state = states_[column];
    const int width = measure.width(cells[column].text);
    state.widest = std::max(state.widest, width);
    // No line of a name is wider than the whole name, which is measured anyhow.
    if (isName(column) && width > state.widestHalf)
      state.widestHalf = std::max(state.widestHalf, small_.halve(cells[column].text).width);
  }
}

void TableColumns::measureVisible() {
  const int first = view_.rowAt(0);
  if (first < 0 || !view_.isVisible()) return;
  const int last = view_.rowAt(view_.viewport()->height() - 1);
  for (int row = first; row <= (last < 0 ? model_.rowCount() - 1 : last); ++row)
    measureRow(size_t(model_.tableRow(row)));
}

void TableColumns::measureSome() {
  const std::size_t rows = model_.table().rows.size();
  for (std::size_t i = 0; i < std::min(rowsAtOnce, toMeasure_); ++i) {
    measureRow(next_);
    next_ = next_ + 1 < rows ? next_ + 1 : 0;
  }
  toMeasure_ -= std::min(rowsAtOnce, toMeasure_);
  fit();
  if (toMeasure_ > 0) rest_.start();
}

/// Whether what stands in a column is a name, which is never cut: it goes on in a second line.
bool TableColumns::isName(std::size_t column) const {
  return columns_[column].kind == ColumnKind::name && int(column) != group_;
}

int TableColumns::leastNameWidth(std::size_t column) const {
  const int title = text_.width(columns_[column].title) + aroundTightTitle;
  const State& state = states_[column];
  const bool hasRoomForTwo = view_.verticalHeader()->defaultSectionSize() >= CellDelegate::twoLineHeight;
  return std::max(title, (hasRoomForTwo ? state.widestHalf : state.widest) + aroundText);
}

/// The width at which every text of a column stands whole on one line.
int TableColumns::fullWidth(std::size_t column) const {
  const ColumnKind kind = columns_[column].kind;
  int widest = states_[column].widest;
  if (int(column) == group_) widest += widest / strongerBy;
  const int title = text_.width(columns_[column].title) + aroundTitle;
  if (widest == 0) return title;
  return std::max(title, widest + (kind == ColumnKind::verdict ? aroundPill : aroundText) +
                             (kind == ColumnKind::ratio ? CellDelegate::ratioBarWidth : 0));
}

int TableColumns::naturalWidth(std::size_t column) const {
  const ColumnKind kind = columns_[column].kind;
  const int width = fullWidth(column);
  const int most = int(column) == group_                                  ? mostGroup
                   : kind == ColumnKind::code                             ? mostCode
                   : isProse(kind)                                        ? mostProse
                   : kind == ColumnKind::name && group_ >= 0              ? mostName
                   : kind == ColumnKind::name || kind == ColumnKind::text ? mostText
                                                                          : width;
  const int capped = std::min(width, most);
  return isName(column) ? std::max(capped, leastNameWidth(column)) : capped;
}

void TableColumns::showOrHide() {
  const bool isCode = std::any_of(columns_.begin(), columns_.end(),
                                  [](const Column& column) { return column.kind == ColumnKind::code; });
  for (size_t column = 0; column < states_.size(); ++column) {
    const State& state = states_[column];
    const bool mayHide =
        isCode || columns_[column].rank > highestAlwaysShown || columns_[column].kind == ColumnKind::place;
    const bool isEmpty = state.widest == 0 && !model_.table().rows.empty();
    const bool hides =
        state.choice == Choice::hidden || (state.choice == Choice::automatic && mayHide && isEmpty);
    if (hides == isShown(int(column))) header_.setSectionHidden(int(column), hides);
  }
}

void TableColumns::fit() {
  if (columns_.empty() || header_.count() != int(columns_.size())) return;
  const QScopedValueRollback ours(isOurs_, true);
  showOrHide();
  const auto hasKind = [this](auto is) {
    for (size_t column = 0; column < columns_.size(); ++column)
      if (is(columns_[column].kind) && isShown(int(column))) return true;
    return false;
  };
  const auto isCode = [](ColumnKind kind) { return kind == ColumnKind::code; };
  const bool prose = hasKind(isProse), code = hasKind(isCode);
  const std::vector<int> shown = shownColumns();
  std::vector<ColumnWish> wishes;
  bool isTaken = false;
  for (const int column : shown) {
    const ColumnKind kind = columns_[size_t(column)].kind;
    const State& state = states_[size_t(column)];
    ColumnWish wish;
    wish.natural = wish.least = state.dragged > 0 ? state.dragged : naturalWidth(size_t(column));
    const bool takes = prose ? isProse(kind) : code ? isCode(kind) : kind == ColumnKind::name;
    wish.takesRest = takes && !isTaken && state.dragged == 0;
    wish.full = state.dragged > 0 || isProse(kind) || isCode(kind) ? wish.natural : fullWidth(size_t(column));
    isTaken = isTaken || wish.takesRest;
    if (state.dragged == 0 && isProse(kind)) wish.least = std::min(wish.natural, 140);
    if (state.dragged == 0 && kind == ColumnKind::text)
      wish.least = std::min(wish.natural, 96), wish.turn = 1;
    if (state.dragged == 0 && isName(size_t(column)))
      wish.least = std::min(wish.natural, leastNameWidth(size_t(column))), wish.turn = 1;
    // The names of groups go on in the rows below, and a source beside its line number is read elsewhere.
    if (state.dragged == 0 && column == group_)
      wish.least = std::min(wish.natural, leastGroup), wish.turn = 1;
    if (state.dragged == 0 && isCode(kind) && columns_[size_t(column)].rank > 0)
      wish.least = std::min(wish.natural, leastCode);
    wish.tight = wish.least;
    const Column& own = columns_[size_t(column)];
    const int title = text_.width(own.title) + aroundTightTitle;
    if (state.dragged == 0 && wish.turn == 1 && !isName(size_t(column)) && column != group_)
      wish.tight = std::min(wish.natural, std::max(tightText, title));
    if (state.dragged == 0 && kind == ColumnKind::ratio)
      wish.tight =
          std::min(wish.natural, std::max(state.widest + aroundText, text_.width(own.title) + aroundTitle));
    wish.mustBeSeen = kind == ColumnKind::verdict || kind == ColumnKind::place ||
                      (own.lead > 0 && own.rank <= highestAlwaysShown);
    wishes.push_back(wish);
  }
  const std::vector<int> widths = columnWidths(wishes, view_.viewport()->width());
  for (size_t i = 0; i < shown.size(); ++i)
    if (header_.sectionSize(shown[i]) != widths[i]) header_.resizeSection(shown[i], widths[i]);
}

}  // namespace wb
