// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/details_view.h"

#include <QEvent>
#include <QUrl>

#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

QString escaped(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size())).toHtmlEscaped();
}

QString lines(std::string_view text) {
  return escaped(text).replace(QLatin1Char('\n'), QLatin1String("<br>"));
}

QString traceHtml(std::string_view trace) {
  QString html;
  std::size_t at = 0;
  const std::vector<TraceFrame> frames = framesOf(trace);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    html += escaped(trace.substr(at, frames[i].begin - at));
    html += QStringLiteral("<a href='frame:%1'>%2</a>")
                .arg(i)
                .arg(escaped(trace.substr(frames[i].begin, frames[i].end - frames[i].begin)));
    at = frames[i].end;
  }
  return html + escaped(trace.substr(at));
}

using Facts = std::vector<Fact>;

QString factHtml(const Fact& fact, const Theme& theme, int columns) {
  return QStringLiteral(
             "<td style='color:%1; padding:2px 14px 2px 0'>%2</td><td colspan='%4' style='padding:2px 34px "
             "2px 0'>%3</td>")
      .arg(theme.secondary.name(), escaped(fact.what), lines(fact.text))
      .arg(columns);
}

// Short facts stand side by side, since the pane is wide and low; then come the long ones, each in a row.
QString factsHtml(const Facts& facts, const Theme& theme) {
  constexpr int beside = 3;
  constexpr std::size_t mostBytes = 44;
  Facts little, large;
  for (const auto& fact : facts)
    (fact.text.size() <= mostBytes && fact.text.find('\n') == std::string::npos ? little : large)
        .push_back(fact);
  QString html = QStringLiteral("<table cellspacing='0' cellpadding='0' style='margin-top:4px'>");
  for (std::size_t i = 0; i < little.size(); ++i) {
    if (i % beside == 0) html += QStringLiteral("<tr>");
    html += factHtml(little[i], theme, 1);
    if (i % beside == beside - 1 || i + 1 == little.size()) html += QStringLiteral("</tr>");
  }
  for (const auto& fact : large)
    html += QStringLiteral("<tr>%1</tr>").arg(factHtml(fact, theme, 2 * beside - 1));
  return html + QStringLiteral("</table>");
}

}  // namespace

DetailsView::DetailsView(QWidget* parent) : QTextBrowser(parent) {
  setAccessibleName(tr("Details"));
  setFrameShape(QFrame::NoFrame);
  setOpenLinks(false);
  setUndoRedoEnabled(false);
  document()->setDocumentMargin(14);
  setPlaceholderText(tr("Select a case or a problem to see all that is known about it."));
  connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
    const std::vector<TraceFrame> frames = framesOf(details_.trace);
    bool ok = false;
    const std::size_t frame = url.path().toULongLong(&ok);
    if (ok && frame < frames.size())
      emit placeClicked(QString::fromStdString(frames[frame].place.file), frames[frame].place.line);
  });
}

void DetailsView::setDetails(const Details& details) {
  if (details == details_) return;
  details_ = details;
  render();
}

void DetailsView::clearDetails() {
  details_ = {};
  clear();
}

void DetailsView::render() {
  const Theme& theme = themeOf(palette());
  const QString code = codeFont().family();
  QString html = QStringLiteral("<p style='font-size:15px; font-weight:600; margin:0 0 6px 0'>%1")
                     .arg(escaped(details_.title));
  if (!details_.verdict.empty())
    html += QStringLiteral("&nbsp;&nbsp;<span style='font-size:13px; color:%1'>%2</span>")
                .arg(toneColor(theme, details_.tone).name(), escaped(details_.verdict));
  html += QStringLiteral("</p>");
  if (!details_.message.empty())
    html += QStringLiteral("<p style='margin:0 0 8px 0'>%1</p>").arg(lines(details_.message));
  if (!details_.trace.empty())
    html += QStringLiteral("<pre style='font-family:\"%1\"; font-size:12px; margin:0 0 10px 0'>%2</pre>")
                .arg(code, traceHtml(details_.trace));
  html += factsHtml(details_.facts, theme);
  document()->setDefaultStyleSheet(
      QStringLiteral("a { color: %1; text-decoration: none; }").arg(theme.accent.name()));
  setHtml(html);
}

void DetailsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && !(details_ == Details{})) render();
  QTextBrowser::changeEvent(event);
}

}  // namespace wb
