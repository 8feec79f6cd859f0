// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/verdict_view.h"

#include <QEvent>
#include <QResizeEvent>

#include "ui/results/machine_clock.h"
#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

// A part never goes over two lines, so its blanks do not break.
QString partHtml(const std::string& text, const QColor& color, bool isStrong = false) {
  QString said = QString::fromStdString(text).toHtmlEscaped();
  said.replace(QLatin1Char(' '), QLatin1String("&nbsp;"));
  return QStringLiteral("<span style='color:%1%2'>%3</span>")
      .arg(color.name(), isStrong ? QStringLiteral("; font-weight:600") : QString(), said);
}

}  // namespace

VerdictView::VerdictView(QWidget* parent) : QLabel(parent) {
  setObjectName(QStringLiteral("verdict"));
  setAccessibleName(tr("Verdict"));
  setWordWrap(true);
  setTextFormat(Qt::RichText);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setContentsMargins(12, 7, 12, 7);
  hide();
}

void VerdictView::setVerdict(VerdictLine line) {
  if (line == line_) return;
  line_ = std::move(line);
  render();
}

QString VerdictView::plainText() const {
  return QString::fromStdString(verdictText(line_, clockOfThisMachine()));
}

void VerdictView::render() {
  const Theme& theme = themeOf(palette());
  const bool isPale = !line_.caveat.empty();
  QStringList parts;
  for (const VerdictLine::Part& part : line_.parts)
    parts << partHtml(part.text, isPale ? theme.secondary : toneColor(theme, part.tone), parts.isEmpty());
  if (const std::string when = timeOfDay(line_.startedAt, clockOfThisMachine()); !when.empty())
    parts << partHtml(when, theme.secondary);
  // A line may end behind a dot, and none begins with one.
  QString html =
      parts.join(QStringLiteral("&nbsp;<span style='color:%1'>·</span> ").arg(theme.secondary.name()));
  if (isPale)
    html += QStringLiteral("<span style='color:%1'>&nbsp;· %2</span>")
                .arg(theme.warning.name(), QString::fromStdString(line_.caveat).toHtmlEscaped());
  setText(html);
  setAccessibleDescription(plainText());
  setVisible(!line_.parts.empty());
  fit();
}

// Letters that are a little smaller leave a row of the table more.
void VerdictView::fit() {
  const QMargins around = contentsMargins();
  constexpr int usual = 13;
  for (const int pixels : {usual, usual - 1, usual - 2}) {
    setFont(textFont(pixels));
    if (heightForWidth(width()) <= fontMetrics().height() * 3 / 2 + around.top() + around.bottom()) return;
  }
  setFont(textFont(usual));
}

void VerdictView::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) fit();
}

void VerdictView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && !line_.parts.empty())
    QMetaObject::invokeMethod(
        this, [this] { render(); }, Qt::QueuedConnection);
  QLabel::changeEvent(event);
}

}  // namespace wb
