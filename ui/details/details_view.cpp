// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/details_view.h"

#include <QEvent>
#include <QFileInfo>
#include <QTextBrowser>
#include <QUrl>

#include "ui/details/elements_view.h"
#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

constexpr const char *runLink = "run:only", *originLink = "origin:open";

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

/// "smoke.txt:7"
QString placeText(const Place& place) {
  const QString file = QFileInfo(QString::fromStdString(place.file)).fileName().toHtmlEscaped();
  return place.line > 0 ? QStringLiteral("%1:%2").arg(file).arg(place.line) : file;
}

/// What can be done about the row: a line of links, or nothing.
QString linksHtml(const Details& details) {
  QStringList links;
  if (details.failing)
    links << QStringLiteral("<a href='%1'>%2</a>")
                 .arg(QLatin1String(runLink), QObject::tr("Run only this case (Shift+F5)"));
  if (!details.origin.file.empty())
    links << QStringLiteral("<a href='%1'>%2</a>")
                 .arg(QLatin1String(originLink), QObject::tr("Look at %1").arg(placeText(details.origin)));
  if (links.isEmpty()) return {};
  return QStringLiteral("<p style='margin:0 0 8px 0'>%1</p>")
      .arg(links.join(QStringLiteral("&nbsp;&nbsp;·&nbsp;&nbsp;")));
}

}  // namespace

DetailsView::DetailsView(QWidget* parent)
    : QSplitter(parent), text_(new QTextBrowser), elements_(new ElementsView) {
  setChildrenCollapsible(false);
  addWidget(text_);
  addWidget(elements_);
  setStretchFactor(0, 1);
  setStretchFactor(1, 1);
  elements_->hide();
  setFocusProxy(text_);
  text_->setAccessibleName(tr("Details"));
  text_->setFrameShape(QFrame::NoFrame);
  text_->setOpenLinks(false);
  text_->setUndoRedoEnabled(false);
  text_->document()->setDocumentMargin(14);
  text_->setPlaceholderText(tr("Select a case or a problem to see all that is known about it."));
  connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) { follow(url.toString()); });
}

void DetailsView::follow(const QString& link) {
  if (link == QLatin1String(runLink)) return emit runOnlyClicked();
  if (link == QLatin1String(originLink)) return emit originClicked();
  const std::vector<TraceFrame> frames = framesOf(details_.trace);
  bool ok = false;
  const std::size_t frame = QUrl(link).path().toULongLong(&ok);
  if (ok && frame < frames.size())
    emit placeClicked(QString::fromStdString(frames[frame].place.file), frames[frame].place.line);
}

void DetailsView::setDetails(const Details& details) {
  if (details == details_) return;
  details_ = details;
  render();
}

void DetailsView::setElements(const CellMaps& maps, Table elements) {
  const bool isAny = !maps.maps.empty();
  elements_->setVisible(isAny);
  if (isAny) elements_->setElements(maps.maps[0], std::make_shared<const Table>(std::move(elements)));
}

void DetailsView::clearDetails() {
  details_ = {};
  text_->clear();
  elements_->hide();
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
  html += linksHtml(details_);
  if (!details_.message.empty())
    html += QStringLiteral("<p style='margin:0 0 8px 0'>%1</p>").arg(lines(details_.message));
  if (!details_.trace.empty())
    html += QStringLiteral("<pre style='font-family:\"%1\"; font-size:12px; margin:0 0 10px 0'>%2</pre>")
                .arg(code, traceHtml(details_.trace));
  html += factsHtml(details_.facts, theme);
  text_->document()->setDefaultStyleSheet(
      QStringLiteral("a { color: %1; text-decoration: none; }").arg(theme.accent.name()));
  text_->setHtml(html);
}

void DetailsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && !(details_ == Details{})) render();
  QSplitter::changeEvent(event);
}

}  // namespace wb
