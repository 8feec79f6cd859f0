// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details_view.h"

#include <QEvent>
#include <QUrl>
#include <QUrlQuery>

#include "ui/fonts.h"
#include "ui/theme.h"

namespace wb {
namespace {

QString escaped(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size())).toHtmlEscaped();
}

QString lines(std::string_view text) {
  return escaped(text).replace(QLatin1Char('\n'), QLatin1String("<br>"));
}

QString linkTo(const Place& place) {
  QUrl url(QStringLiteral("place:"));
  QUrlQuery query;
  query.addQueryItem(QStringLiteral("line"), QString::number(place.line));
  query.addQueryItem(QStringLiteral("file"),
                     QString::fromUtf8(QUrl::toPercentEncoding(QString::fromStdString(place.file))));
  url.setQuery(query);
  return url.toString(QUrl::FullyEncoded).toHtmlEscaped();
}

QString traceHtml(std::string_view trace) {
  QString html;
  std::size_t at = 0;
  for (const Frame& frame : framesOf(trace)) {
    html += escaped(trace.substr(at, frame.begin - at));
    html += QStringLiteral("<a href='%1'>%2</a>")
                .arg(linkTo(frame.place), escaped(trace.substr(frame.begin, frame.end - frame.begin)));
    at = frame.end;
  }
  return html + escaped(trace.substr(at));
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
    if (url.scheme() != QLatin1String("place")) return;
    const QUrlQuery query(url);
    const QString file = query.queryItemValue(QStringLiteral("file"), QUrl::FullyDecoded);
    emit placeClicked(QUrl::fromPercentEncoding(file.toUtf8()),
                      query.queryItemValue(QStringLiteral("line")).toInt());
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
  html += QStringLiteral("<table cellspacing='0' cellpadding='0'>");
  for (const auto& [title, text] : details_.facts)
    html +=
        QStringLiteral(
            "<tr><td style='color:%1; padding:2px 22px 2px 0'>%2</td><td style='padding:2px 0'>%3</td></tr>")
            .arg(theme.secondary.name(), escaped(title), lines(text));
  html += QStringLiteral("</table>");
  document()->setDefaultStyleSheet(
      QStringLiteral("a { color: %1; text-decoration: none; }").arg(theme.accent.name()));
  setHtml(html);
}

void DetailsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && !(details_ == Details{})) render();
  QTextBrowser::changeEvent(event);
}

}  // namespace wb
