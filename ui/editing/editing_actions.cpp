// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/editing_actions.h"

#include <QAction>
#include <QApplication>
#include <QInputDialog>
#include <QLineEdit>
#include <QMainWindow>
#include <QTabWidget>

#include "editor/kernel_editor.h"
#include "ui/clangd/clangd.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/editor_tabs.h"
#include "ui/editing/files.h"
#include "ui/folder/folder_panel.h"
#include "ui/search/search_panel.h"
#include "ui/settings/environments.h"
#include "ui/settings/settings.h"
#include "ui/style/icon.h"
#include "ui/window/actions.h"
#include "ui/window/banner.h"
#include "ui/window/dock.h"
#include "ui/window/status_line.h"
#include "ui/window/window_parts.h"

namespace wb {

EditorOptions editorOptions(const Settings& settings) {
  EditorOptions options;
  options.family = settings.text("editor/font");
  options.wrap = settings.number("editor/wrap", 0) != 0;
  options.tabWidth = settings.number("editor/tabWidth", options.tabWidth);
  options.indent.width = settings.number("editor/indentWidth", options.indent.width);
  options.indent.tabs = settings.number("editor/indentTabs", 0) != 0;
  options.completion = settings.number("editor/completion", 1) != 0;
  return options;
}

namespace {

void addTextActions(Actions& actions, const WindowParts& parts) {
  const QString edit = QObject::tr("Edit"), view = QObject::tr("View");
  EditorArea& area = *parts.tabs;
  QAction* wrap = actions.add("view.wrap", view, QObject::tr("&Wrap long lines"), "", QObject::tr("Alt+Z"),
                              [&actions, &area, &parts] {
                                const bool on = actions.find(QStringLiteral("view.wrap"))->isChecked();
                                parts.settings->setNumber("editor/wrap", on ? 1 : 0);
                                area.setOptions(editorOptions(*parts.settings));
                              });
  wrap->setCheckable(true);
  wrap->setChecked(editorOptions(*parts.settings).wrap);
  for (const auto mode : {QsciScintilla::EolUnix, QsciScintilla::EolWindows})
    actions.add(mode == QsciScintilla::EolUnix ? "edit.lf" : "edit.crlf", edit,
                QObject::tr("Line ends: %1").arg(lineEndName(mode)), "", {}, [&area, &parts, mode] {
                  Document* document = area.current();
                  if (!document) return;
                  document->editor().convertLineEnds(mode);
                  parts.status->setDocument(document);
                });
}

/// The panel in the dock, which is made when it is asked for.
FolderPanel& folderPanel(Dock& dock, const WindowParts& parts) {
  if (auto* there = dock.findChild<FolderPanel*>()) return *there;
  auto* made = new FolderPanel(*parts.tabs, *parts.files);
  dock.setContent(made);
  return *made;
}

void addFileActions(Actions& actions, const WindowParts& parts) {
  EditorArea& area = *parts.tabs;
  actions.add("edit.findInFiles", QObject::tr("Edit"), QObject::tr("Find in &files"), "search",
              QObject::tr("Ctrl+Shift+F"), [&area, &parts] {
                if (!parts.output) return;
                auto* panel = parts.output->findChild<SearchPanel*>();
                if (!panel) {
                  panel = new SearchPanel(area, *parts.files);
                  parts.output->addTab(panel, icon(QStringLiteral("search"), IconTone::secondary),
                                       QObject::tr("Find in files"));
                }
                area.window()->findChild<QDockWidget*>(QStringLiteral("output"))->show();
                parts.output->setCurrentWidget(panel);
                panel->begin();
              });
  actions.add("view.folder", QObject::tr("View"), QObject::tr("&Files of the folder"), "folder2-open",
              QObject::tr("Ctrl+B"), [&area, &parts] {
                auto* dock = area.window()->findChild<Dock*>(QStringLiteral("folder"));
                FolderPanel& panel = folderPanel(*dock, parts);
                if (dock->isVisible() && panel.isAncestorOf(QApplication::focusWidget())) {
                  dock->hide();
                  return area.activeGroup().focusCurrent();
                }
                dock->show();
                panel.begin();
              });
}

Clangd* clangdOf(const WindowParts& parts) {
  auto* there = parts.tabs->window()->findChild<Clangd*>();
  if (!there)
    parts.banner->tell(Tone::neutral, QObject::tr("clangd does not run."),
                       QObject::tr("Install the program clangd, and choose Edit, Errors while typing."));
  return there;
}

void addClangdActions(Actions& actions, const WindowParts& parts, const QStringList& clangd) {
  const QString edit = QObject::tr("Edit");
  actions.add("edit.definition", edit, QObject::tr("Go to the &definition"), "", QObject::tr("F12"),
              [&parts] {
                if (Clangd* there = clangdOf(parts)) there->goToDefinition();
              });
  actions.add("edit.rename", edit, QObject::tr("Re&name…"), "", QObject::tr("F2"), [&parts] {
    Clangd* there = clangdOf(parts);
    const QString before = there ? there->nameAtCaret() : QString();
    if (before.isEmpty()) return;
    const QString name = QInputDialog::getText(parts.tabs->window(), QObject::tr("Rename"),
                                               QObject::tr("New name"), QLineEdit::Normal, before);
    if (!name.isEmpty() && name != before) there->rename(name);
  });
  QAction* live = actions.add("edit.clangd", edit, QObject::tr("&Errors while typing (clangd)"), "", {},
                              [&actions, &parts, clangd] {
                                const bool on = actions.find(QStringLiteral("edit.clangd"))->isChecked();
                                parts.settings->setNumber("editor/clangd", on ? 1 : 0);
                                delete parts.tabs->window()->findChild<Clangd*>();
                                startClangd(parts, clangd);
                              });
  live->setCheckable(true);
  live->setChecked(parts.settings->number("editor/clangd", 1) != 0);
  live->setEnabled(!clangd.isEmpty());
}

}  // namespace

void startClangd(const WindowParts& parts, const QStringList& clangd) {
  if (clangd.isEmpty() || parts.settings->number("editor/clangd", 1) == 0) return;
  const auto pythonOf = [&parts](const Document& document) {
    return pythonFor(*parts.settings, document.environment()).toStdString();
  };
  auto* made = new Clangd(*parts.tabs, *parts.files, clangd, pythonOf, parts.tabs->window());
  QObject::connect(made, &Clangd::told, parts.banner,
                   [&parts](const QString& what) { parts.banner->tell(Tone::neutral, what, {}); });
}

void showFolderAgain(const WindowParts& parts) {
  auto* dock = parts.tabs->window()->findChild<Dock*>(QStringLiteral("folder"));
  if (dock && !dock->isHidden()) folderPanel(*dock, parts).showCurrent();
}

void addEditingActions(Actions& actions, const WindowParts& parts, const QStringList& clangd) {
  const QString view = QObject::tr("View");
  EditorArea& area = *parts.tabs;
  addTextActions(actions, parts);
  addFileActions(actions, parts);
  addClangdActions(actions, parts, clangd);
  actions.add("view.split", view, QObject::tr("&Split the editor"), "layout-split", QObject::tr("Ctrl+\\"),
              [&area] { area.split(); });
  actions.add("view.otherSide", view, QObject::tr("Go to the &other side"), "", QObject::tr("Ctrl+Alt+Right"),
              [&area] { area.goToOtherSide(); });
  actions.add("view.moveTab", view, QObject::tr("&Move the tab to the other side"), "",
              QObject::tr("Ctrl+Alt+Shift+Right"), [&area] { area.moveToOtherSide(); });
  actions.add("view.unsplit", view, QObject::tr("&Close the split"), "", QObject::tr("Ctrl+Alt+Left"),
              [&area] { area.unsplit(); });
}

}  // namespace wb
