// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/code_pane.h"

#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/figures/code/opcodes.h"
#include "ui/assembly/code_header.h"
#include "ui/assembly/row_painter.h"
#include "ui/style/fonts.h"

namespace wb {
namespace {

constexpr int headerHeight = 20;

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

}  // namespace

CodePane::CodePane(QWidget* parent) : QAbstractScrollArea(parent), header_(new CodeHeader(this)) {
  setViewportMargins(0, headerHeight, 0, 0);
  setObjectName(QStringLiteral("codePane"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Assembly"));
  viewport()->setMouseTracking(true);
  viewport()->setCursor(Qt::ArrowCursor);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
    viewport()->update();
    emit scrolled();
  });
  connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
  setCodeFont({}, 13);
}

void CodePane::setCodeFont(const QString& family, int pixels) {
  setFont(codeFont(pixels, family));
  const QFontMetricsF metrics(codeFont(pixels, family));
  charWidth_ = metrics.horizontalAdvance(QLatin1Char('0'));
  rowHeight_ = int(std::ceil(metrics.height())) + 3;
  sizeBars();
  viewport()->update();
}

void CodePane::setForms(const CodeForm* form, const CodeForm* before) {
  form_ = form;
  before_ = before;
  bands_.clear();
  if (form_)
    for (const CodeRow& row : form_->rows)
      if (row.line > 0) bands_[row.line] = 0;
  int band = 0;
  for (auto& [line, color] : bands_) color = band++;
  pairs_.clear();
  if (form_ && before_) pairs_ = pairRows(*before_, *form_);
  if (form_ && !before_)
    for (std::size_t i = 0; i < form_->rows.size(); ++i) pairs_.push_back({PairedRow::none, i});
  marks_.clear();
  current_ = anchor_ = -1;
  layOut();
  verticalScrollBar()->setValue(0);
  horizontalScrollBar()->setValue(0);
}

void CodePane::setFilters(const CodeFilters& filters) {
  if (filters == filters_) return;
  filters_ = filters;
  const CodeRow* kept = rowAt(current_);
  current_ = anchor_ = -1;
  layOut();
  for (int row = 0; kept && row < rowCount() && current_ < 0; ++row)
    if (rowAt(row) == kept) current_ = anchor_ = row;
}

void CodePane::setMarks(std::map<std::size_t, CodeMark> marks, const std::string& unit) {
  marks_ = std::move(marks);
  unit_ = unit;
  hottest_ = 0;
  for (const auto& [row, mark] : marks_) hottest_ = std::max(hottest_, mark.share);
  sizeBars();
  viewport()->update();
}

bool CodePane::isHidden(const CodeRow& row) const {
  return (filters_.directives && row.kind == CodeRowKind::directive) ||
         (filters_.labels && row.kind == CodeRowKind::label) ||
         (filters_.comments && row.kind == CodeRowKind::comment) ||
         (filters_.nops && row.kind == CodeRowKind::nop) || (filters_.library && !row.library.empty());
}

void CodePane::layOut() {
  rows_.clear();
  longest_ = 0;
  std::size_t address = 0;
  for (const PairedRow& pair : pairs_) {
    const CodeRow& row = pair.after != PairedRow::none ? form_->rows[pair.after] : before_->rows[pair.before];
    // Of a source every line is shown, since nothing in it is noise.
    if (form_->language != "Source" && isHidden(row)) continue;
    rows_.push_back(pair);
    longest_ = std::max(longest_, int(row.text.size()));
    address = std::max(address, row.address.size());
  }
  addressWidth_ = int(address);
  sizeBars();
  viewport()->update();
}

PaneLook CodePane::look() const {
  return {charWidth_, rowHeight_, addressWidth_,  viewport()->width(), horizontalScrollBar()->value(),
          hasFocus(), hottest_,   !marks_.empty()};
}

void CodePane::sizeBars() {
  const int shown = std::max(1, viewport()->height() / rowHeight_);
  verticalScrollBar()->setPageStep(shown);
  verticalScrollBar()->setRange(0, std::max(0, rowCount() - shown));
  const int width = int(longest_ * charWidth_) + RowPainter::reserved(look());
  horizontalScrollBar()->setPageStep(viewport()->width());
  horizontalScrollBar()->setSingleStep(int(charWidth_) * 4);
  horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
  showHeader();
}

void CodePane::showHeader() {
  header_->setGeometry(0, 0, viewport()->width(), headerHeight);
  header_->show(look(), form_ ? qt(form_->language) : QString(), qt(unit_));
}

const CodeRow* CodePane::rowAt(int row) const {
  if (row < 0 || row >= rowCount()) return nullptr;
  const PairedRow& pair = rows_[std::size_t(row)];
  return pair.after != PairedRow::none ? &form_->rows[pair.after] : &before_->rows[pair.before];
}

const CodeMark* CodePane::markOf(int row) const {
  if (row < 0 || row >= rowCount()) return nullptr;
  const auto at = marks_.find(rows_[std::size_t(row)].after);
  return at == marks_.end() ? nullptr : &at->second;
}

QString CodePane::textOf(int row) const {
  const CodeRow* at = rowAt(row);
  return at ? qt(at->text) : QString();
}

int CodePane::lineOf(int row) const {
  const CodeRow* at = rowAt(row);
  // The lines of an earlier text are no lines of this one.
  return at && rows_[std::size_t(row)].after != PairedRow::none ? at->line : 0;
}

QString CodePane::helpOf(int row) const {
  const CodeRow* at = rowAt(row);
  if (!at || form_->language == "Source") return {};
  QStringList said;
  const std::string help = opcodeHelp(form_->kind, opcodeIn(form_->kind, at->text));
  if (!help.empty()) said << qt(help);
  if (const CodeMark* mark = markOf(row); mark && !mark->detail.empty()) said << qt(mark->detail);
  if (at->live > 0 && marks_.empty()) said << tr("%1 registers are in use").arg(at->live);
  if (at->line > 0) said << tr("Line %1").arg(at->line);
  if (!at->library.empty()) said << qt(at->library);
  return said.join(QLatin1Char('\n'));
}

int CodePane::nextHot(int by) const {
  for (int row = current_ + by; row >= 0 && row < rowCount(); row += by)
    if (const CodeMark* mark = markOf(row); mark && mark->share >= 0.2 * hottest_) return row;
  return -1;
}

void CodePane::markLine(int line, bool reveals) {
  if (line == markedLine_ && !reveals) return;
  markedLine_ = line;
  viewport()->update();
  if (!reveals || line <= 0) return;
  const int first = verticalScrollBar()->value(), last = first + verticalScrollBar()->pageStep();
  for (int row = first; row < std::min(last, rowCount()); ++row)
    if (lineOf(row) == line) return;
  bringLineTo(line, viewport()->height() / 3);
}

void CodePane::bringLineTo(int line, int y) {
  const int centre = verticalScrollBar()->value() + y / rowHeight_;
  int best = -1;
  for (int row = 0; row < rowCount(); ++row)
    if (lineOf(row) == line && (best < 0 || std::abs(row - centre) < std::abs(best - centre))) best = row;
  if (best >= 0) verticalScrollBar()->setValue(best - y / rowHeight_);
}

int CodePane::lineNear(int y, int* top) const {
  const int first = verticalScrollBar()->value(), centre = first + y / rowHeight_;
  const int reach = std::max(1, verticalScrollBar()->pageStep());
  for (int away = 0; away < reach; ++away)
    for (const int row : {centre - away, centre + away})
      if (row >= first && lineOf(row) > 0) {
        *top = (row - first) * rowHeight_;
        return lineOf(row);
      }
  return 0;
}

void CodePane::setCurrentRow(int row) {
  moveTo(row, false, true);
}

void CodePane::moveTo(int row, bool extend, bool tell) {
  if (rows_.empty()) return;
  current_ = std::clamp(row, 0, rowCount() - 1);
  if (!extend || anchor_ < 0) anchor_ = current_;
  reveal(current_);
  markedLine_ = lineOf(current_);
  setAccessibleDescription(textOf(current_));
  viewport()->update();
  if (tell) emit chosen(markedLine_);
}

void CodePane::reveal(int row) {
  const int first = verticalScrollBar()->value(), shown = verticalScrollBar()->pageStep();
  if (row < first) verticalScrollBar()->setValue(row);
  if (row >= first + shown) verticalScrollBar()->setValue(row - shown + 1);
}

int CodePane::rowAtHeight(int y) const {
  const int row = verticalScrollBar()->value() + y / rowHeight_;
  return row < rowCount() ? row : -1;
}

void CodePane::copy() const {
  if (current_ < 0) return;
  QStringList texts;
  for (int row = std::min(anchor_, current_); row <= std::max(anchor_, current_); ++row) texts << textOf(row);
  QGuiApplication::clipboard()->setText(texts.join(QLatin1Char('\n')));
}

void CodePane::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  const RowPainter rows(painter, palette(), font(), look());
  rows.background(event->rect());
  const int first = verticalScrollBar()->value() + event->rect().top() / rowHeight_;
  const int last = verticalScrollBar()->value() + event->rect().bottom() / rowHeight_;
  for (int row = first; row <= std::min(last, rowCount() - 1); ++row) {
    const PairedRow& pair = rows_[std::size_t(row)];
    RowLook look;
    look.top = (row - verticalScrollBar()->value()) * rowHeight_;
    look.kind = form_->kind;
    look.isSource = form_->language == "Source";
    if (before_)
      look.change = pair.before == PairedRow::none  ? RowLook::added
                    : pair.after == PairedRow::none ? RowLook::removed
                                                    : RowLook::same;
    const auto band = bands_.find(lineOf(row));
    look.band = band == bands_.end() ? -1 : band->second;
    look.isMarked = markedLine_ > 0 && lineOf(row) == markedLine_;
    look.isCurrent = row == current_;
    look.isSelected =
        anchor_ != current_ && row >= std::min(anchor_, current_) && row <= std::max(anchor_, current_);
    rows.row(*rowAt(row), look, markOf(row));
  }
}

void CodePane::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  sizeBars();
}

void CodePane::keyPressEvent(QKeyEvent* event) {
  const bool extend = event->modifiers() & Qt::ShiftModifier;
  const bool control = event->modifiers() & Qt::ControlModifier;
  const int page = std::max(1, verticalScrollBar()->pageStep() - 1);
  if (event->matches(QKeySequence::Copy)) return copy();
  if (event->modifiers() & Qt::AltModifier) return QAbstractScrollArea::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Up:
      return moveTo(std::max(current_, 0) - 1, extend, true);
    case Qt::Key_Down:
      return moveTo(current_ + 1, extend, true);
    case Qt::Key_PageUp:
      return moveTo(current_ - page, extend, true);
    case Qt::Key_PageDown:
      return moveTo(current_ + page, extend, true);
    case Qt::Key_Home:
      return control ? moveTo(0, extend, true) : horizontalScrollBar()->setValue(0);
    case Qt::Key_End:
      return control ? moveTo(rowCount() - 1, extend, true)
                     : horizontalScrollBar()->setValue(horizontalScrollBar()->maximum());
    case Qt::Key_Left:
    case Qt::Key_Right:
      return horizontalScrollBar()->triggerAction(event->key() == Qt::Key_Left
                                                      ? QAbstractSlider::SliderSingleStepSub
                                                      : QAbstractSlider::SliderSingleStepAdd);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (lineOf(current_) > 0) emit activated(lineOf(current_));
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void CodePane::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QAbstractScrollArea::mousePressEvent(event);
  if (const int row = rowAtHeight(int(event->position().y())); row >= 0)
    moveTo(row, event->modifiers() & Qt::ShiftModifier, true);
}

void CodePane::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  if (const int row = rowAtHeight(int(event->position().y())); row >= 0 && row != current_)
    moveTo(row, true, false);
}

void CodePane::mouseDoubleClickEvent(QMouseEvent* event) {
  const int row = rowAtHeight(int(event->position().y()));
  if (event->button() == Qt::LeftButton && lineOf(row) > 0) emit activated(lineOf(row));
}

void CodePane::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) viewport()->update();
}

bool CodePane::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = helpOf(rowAtHeight(help->pos().y()));
    if (text.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(),
                         text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")), viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void CodePane::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  if (current_ < 0 && rowCount() > 0) moveTo(verticalScrollBar()->value(), false, false);
  viewport()->update();
}

void CodePane::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

}  // namespace wb
