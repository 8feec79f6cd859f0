// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextList>
#include <QUrl>
#include <QVBoxLayout>
#include <QtGlobal>
#include <algorithm>

#include "core/base/files/paths.h"
#include "ui/style/background.h"
#include "ui/style/fonts.h"
#include "ui/style/icon.h"
#include "ui/style/icon_label.h"

namespace wb {
namespace {

/// The width of the words about the program, in pixels.
constexpr int aboutWidth = 480;

QString readText(const QString& file) {
  QFile source(file);
  return source.open(QIODevice::ReadOnly) ? QString::fromUtf8(source.readAll()) : QString();
}

// Qt's Markdown has no space between blocks, and a bold that the font does not have.
void typeset(QTextDocument& document) {
  const QString code = codeFont().family();
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    QTextBlockFormat format = block.blockFormat();
    const bool isCode =
        format.hasProperty(QTextFormat::BlockCodeLanguage) || format.hasProperty(QTextFormat::BlockCodeFence);
    format.setBottomMargin(isCode ? 0 : block.textList() ? 4 : 10);
    format.setTopMargin(format.headingLevel() > 1 ? 14 : 0);
    format.setLineHeight(130, QTextBlockFormat::ProportionalHeight);
    cursor.setBlockFormat(format);
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextFragment fragment = it.fragment();
      QTextCharFormat change;
      if (fragment.charFormat().fontWeight() > QFont::DemiBold) change.setFontWeight(QFont::DemiBold);
      if (isCode || fragment.charFormat().fontFixedPitch()) change.setFontFamilies({code});
      if (change.isEmpty()) continue;
      QTextCursor part(&document);
      part.setPosition(fragment.position());
      part.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
      part.mergeCharFormat(change);
    }
  }
}

void load(QTextBrowser* browser, const QString& file) {
  inBackground(
      browser, [file] { return readText(file); },
      [browser, file](const QString& text) {
        browser->setSearchPaths({QFileInfo(file).absolutePath()});
        browser->document()->setMarkdown(text.isEmpty() ? QObject::tr("This page is missing: %1").arg(file)
                                                        : text);
        typeset(*browser->document());
      });
}

/// The window of this name where it is open already, so that there is one of each; else nullptr.
QDialog* broughtToFront(QWidget* parent, const QString& name) {
  auto* open = parent ? parent->findChild<QDialog*>(name) : nullptr;
  if (!open || !open->isVisible()) return nullptr;
  open->raise();
  open->activateWindow();
  return open;
}

}  // namespace

std::vector<HelpPage> helpPages() {
  std::vector<HelpPage> pages;
  const QDir folder(QString::fromStdString((resourceFolder() / "help").string()));
  for (const QString& name : folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
    QString title = QFileInfo(name).completeBaseName();
    for (const QString& line : readText(folder.filePath(name)).split(QLatin1Char('\n'))) {
      if (!line.startsWith(QLatin1String("# "))) continue;
      title = line.mid(2).trimmed();
      break;
    }
    pages.push_back({title, folder.filePath(name)});
  }
  std::stable_partition(pages.begin(), pages.end(), [](const HelpPage& page) {
    return page.file.contains(QLatin1String("getting-started"));
  });
  return pages;
}

void showHelp(const QString& file, QWidget* parent) {
  if (QDialog* open = broughtToFront(parent, QStringLiteral("help")))
    return load(open->findChild<QTextBrowser*>(), file);
  auto* window = new QDialog(parent);
  window->setObjectName(QStringLiteral("help"));
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->setWindowTitle(QObject::tr("Warpbench help"));
  window->resize(820, 680);
  auto* browser = new QTextBrowser;
  browser->setObjectName(QStringLiteral("helpPage"));
  browser->setAccessibleName(QObject::tr("Help page"));
  browser->setOpenLinks(false);
  browser->setOpenExternalLinks(false);
  browser->document()->setDocumentMargin(24);
  QFont font = textFont(14);
  browser->setFont(font);
  QObject::connect(browser, &QTextBrowser::anchorClicked, browser, [browser, file](const QUrl& url) {
    if (url.isRelative() && url.path().endsWith(QLatin1String(".md")))
      load(browser, QFileInfo(file).dir().filePath(url.path()));
    else if (url.isRelative())
      browser->scrollToAnchor(url.fragment());
  });
  auto* column = new QVBoxLayout(window);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(browser);
  load(browser, file);
  window->show();
}

void showAbout(QWidget* parent) {
  if (broughtToFront(parent, QStringLiteral("about"))) return;
  auto* window = new QDialog(parent);
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->setObjectName(QStringLiteral("about"));
  window->setWindowTitle(QObject::tr("About Warpbench"));
  auto* title = new QLabel(QObject::tr("Warpbench %1").arg(QStringLiteral(WB_VERSION)));
  title->setObjectName(QStringLiteral("title"));
  auto* text = new QLabel(
      QObject::tr(
          "<p>A workbench for GPU kernels: write one, check it against ATen, and see how fast it is.</p>"
          "<p>This window is free software under the <span style='font-weight:600'>GNU General Public "
          "License 3 or later</span>, because "
          "it uses "
          "QScintilla and Qt Charts (GPL 3). The libraries, the terminal program and the worker are under "
          "the "
          "<span style='font-weight:600'>Apache License 2.0</span>. There is no warranty.</p>"
          "<p>It contains or uses: Qt %1 (LGPL 3; Qt Charts GPL 3) · QScintilla (GPL 3) · Bootstrap Icons "
          "(MIT) · "
          "Inter and JetBrains Mono, modified and renamed (SIL Open Font License 1.1) · nlohmann-json, "
          "{fmt}, toml++ "
          "(MIT) · Chart.js (MIT) in HTML reports. The worker opens PyTorch (BSD) and NVIDIA's CUDA "
          "libraries, where "
          "they are installed.</p>")
          .arg(QString::fromLatin1(qVersion())));
  text->setWordWrap(true);
  text->setFixedWidth(aboutWidth);
  text->setMinimumHeight(text->heightForWidth(aboutWidth));  // a window takes no heed of how words wrap
  text->setTextInteractionFlags(Qt::TextBrowserInteraction);
  text->setAccessibleName(QObject::tr("Licences"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, window, &QDialog::close);
  auto* column = new QVBoxLayout(window);
  column->setContentsMargins(26, 24, 26, 18);
  column->setSpacing(10);
  column->addWidget(new IconLabel(56, icon(QStringLiteral("warpbench"), IconTone::accent)), 0, Qt::AlignLeft);
  column->addWidget(title);
  column->addWidget(text);
  column->addWidget(buttons);
  window->show();
}

}  // namespace wb
