// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/details_view.h"

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/details/elements_view.h"
#include "ui/style/eliding_label.h"
#include "ui/style/fonts.h"
#include "ui/style/icon.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

constexpr const char* originLink = "origin:open";
/// The least width at which the elements stand beside the text.
constexpr int leastBeside = 600;
/// The least heights of the text and of the elements where they stand below it; a text that is higher than
/// the third scrolls by itself.
constexpr int leastText = 90, leastElements = 170, mostText = 400;

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

// Short facts stand side by side where there is room; then come the long ones, each in a row.
QString factsHtml(const Facts& facts, const Theme& theme, int beside) {
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

/// Where the row comes from: a link, or nothing.
QString originHtml(const Details& details) {
  if (details.origin.file.empty()) return {};
  return QStringLiteral("<p style='margin:0 0 8px 0'><a href='%1'>%2</a></p>")
      .arg(QLatin1String(originLink), QObject::tr("Look at %1").arg(placeText(details.origin)));
}

}  // namespace

DetailsView::DetailsView(QAction& runOnly, QWidget* parent)
    : QWidget(parent),
      title_(new ElidingLabel),
      verdict_(new QLabel),
      runOnly_(new QToolButton),
      closer_(new QToolButton),
      split_(new QSplitter),
      text_(new QTextBrowser),
      elements_(new ElementsView) {
  setObjectName(QStringLiteral("details"));
  split_->setChildrenCollapsible(false);
  split_->addWidget(text_);
  split_->addWidget(elements_);
  split_->setStretchFactor(0, 2);
  split_->setStretchFactor(1, 3);
  elements_->hide();
  // Where all of it is higher than the room, it scrolls as one.
  auto* area = new QScrollArea;
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidgetResizable(true);
  area->setWidget(split_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildHead(runOnly));
  column->addWidget(area, 1);
  setFocusProxy(text_);
  text_->setAccessibleName(tr("Details"));
  text_->setFrameShape(QFrame::NoFrame);
  text_->setOpenLinks(false);
  text_->setUndoRedoEnabled(false);
  text_->setMinimumHeight(leastText);
  text_->document()->setDocumentMargin(12);
  connect(text_->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
          &DetailsView::fitHeights);
  connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) { follow(url.toString()); });
}

QWidget* DetailsView::buildHead(QAction& runOnly) {
  auto* head = new QWidget;
  head->setObjectName(QStringLiteral("detailsHead"));
  head->setAttribute(Qt::WA_StyledBackground);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(12, 4, 6, 4);
  row->setSpacing(8);
  title_->setObjectName(QStringLiteral("heading"));
  title_->setTextFormat(Qt::PlainText);
  runOnly_->setDefaultAction(&runOnly);
  runOnly_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  runOnly_->setObjectName(QStringLiteral("outlined"));
  runOnly_->setFocusPolicy(Qt::TabFocus);
  runOnly_->setAccessibleName(tr("Run only this case"));
  closer_->setIcon(icon(QStringLiteral("x"), IconTone::secondary));
  closer_->setToolTip(tr("Hide the details; Enter in the table shows them again"));
  closer_->setAccessibleName(tr("Hide the details"));
  closer_->setFocusPolicy(Qt::TabFocus);
  connect(closer_, &QToolButton::clicked, this, &DetailsView::closeWanted);
  row->addWidget(title_);
  row->addWidget(verdict_);
  row->addStretch(1);
  row->addWidget(runOnly_);
  row->addWidget(closer_);
  return head;
}

void DetailsView::follow(const QString& link) {
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
  emit changed();
}

void DetailsView::setElements(const CellMaps& maps, Table elements) {
  const bool isAny = !maps.maps.empty();
  elements_->setVisible(isAny);
  if (isAny) elements_->setElements(maps.maps[0], std::make_shared<const Table>(std::move(elements)));
  arrange();
}

void DetailsView::clearDetails() {
  if (isEmpty()) return;
  details_ = {};
  text_->clear();
  elements_->hide();
  emit changed();
}

// The text has half of the width where elements stand beside it.
void DetailsView::arrange() {
  const bool isBeside = width() >= leastBeside;
  split_->setOrientation(isBeside ? Qt::Horizontal : Qt::Vertical);
  if (!isEmpty() && factsBeside() != beside_) render();
  fitHeights();
}

// Above the elements the text is as high as its lines, so that what is around both is all that scrolls.
void DetailsView::fitHeights() {
  const bool isStacked = !elements_->isHidden() && split_->orientation() == Qt::Vertical;
  const int lines = int(std::ceil(text_->document()->size().height())) + 2;
  const int text = isStacked ? std::clamp(lines, leastText, mostText) : leastText;
  text_->setMinimumHeight(text);
  split_->setMinimumHeight(isStacked ? text + leastElements : 0);
}

int DetailsView::factsBeside() const {
  constexpr int widthOfOne = 250;
  const int all = !elements_->isHidden() && width() >= leastBeside ? width() * 2 / 5 : width();
  return std::clamp(all / widthOfOne, 1, 3);
}

void DetailsView::render() {
  const Theme& theme = themeOf(palette());
  const QString code = codeFont().family();
  title_->setText(QString::fromStdString(details_.title));
  verdict_->setText(QStringLiteral("<span style='color:%1'>%2</span>")
                        .arg(toneColor(theme, details_.tone).name(), escaped(details_.verdict)));
  verdict_->setVisible(!details_.verdict.empty());
  runOnly_->setVisible(details_.ofCase.has_value());
  QString html = originHtml(details_);
  if (!details_.message.empty())
    html += QStringLiteral("<p style='margin:0 0 8px 0'>%1</p>").arg(lines(details_.message));
  if (!details_.trace.empty())
    html += QStringLiteral("<pre style='font-family:\"%1\"; font-size:12px; margin:0 0 10px 0'>%2</pre>")
                .arg(code, traceHtml(details_.trace));
  beside_ = factsBeside();
  html += factsHtml(details_.facts, theme, beside_);
  text_->document()->setDefaultStyleSheet(
      QStringLiteral("a { color: %1; text-decoration: none; }").arg(theme.accent.name()));
  text_->setHtml(html);
}

void DetailsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && !isEmpty()) render();
  QWidget::changeEvent(event);
}

void DetailsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void DetailsView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit closeWanted();
  QWidget::keyPressEvent(event);
}

}  // namespace wb
