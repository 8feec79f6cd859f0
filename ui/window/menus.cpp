// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

#include "ui/dialogs/help.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/settings/environments.h"
#include "ui/settings/settings.h"
#include "ui/style/background.h"
#include "ui/window/actions.h"
#include "ui/window/window_parts.h"

namespace wb {
namespace {

// "" is a separator.
void fill(QMenu& menu, Actions& actions, std::initializer_list<const char*> ids) {
  for (const char* id : ids) {
    if (*id)
      menu.addAction(actions.find(QString::fromLatin1(id)));
    else
      menu.addSeparator();
  }
}

void addRecent(QMenu& into, const WindowParts& parts) {
  QMenu* menu = into.addMenu(QObject::tr("Open &recent"));
  QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, &parts] {
    menu->clear();
    for (const QString& path : parts.settings->recentFiles()) {
      QAction* action = menu->addAction(QFileInfo(path).fileName() + QStringLiteral("  –  ") +
                                        QDir::toNativeSeparators(QFileInfo(path).path()));
      QObject::connect(action, &QAction::triggered, menu, [&parts, path] { parts.files->open(path); });
    }
    if (menu->isEmpty()) menu->addAction(QObject::tr("Nothing was opened yet"))->setEnabled(false);
    menu->addSeparator();
    QObject::connect(menu->addAction(QObject::tr("Clear the list")), &QAction::triggered, menu,
                     [&parts] { parts.settings->clearRecentFiles(); });
  });
}

// The environments that the tab in front can run in.
void addEnvironments(QMenu& into, const WindowParts& parts) {
  QMenu* menu = into.addMenu(QObject::tr("&Python environment of this tab"));
  QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, &parts] {
    menu->clear();
    Document* document = parts.tabs->current();
    QStringList names{QString()};
    for (const Environment& each : environments(*parts.settings)) names.push_back(each.name);
    for (const QString& name : names) {
      QAction* action = menu->addAction(name.isEmpty() ? QObject::tr("As for all tabs") : name);
      action->setCheckable(true);
      action->setChecked(document && document->environment() == name);
      action->setEnabled(document != nullptr);
      QObject::connect(action, &QAction::triggered, menu, [document = QPointer<Document>(document), name] {
        if (document) document->setEnvironment(name);
      });
    }
    menu->addSeparator();
    menu->addAction(parts.actions->find(QStringLiteral("file.settings")));
  });
}

}  // namespace

void buildMenus(QMainWindow& window, Actions& actions, const WindowParts& parts,
                const QList<QAction*>& docks) {
  QMenuBar* bar = window.menuBar();
  QMenu* file = bar->addMenu(QObject::tr("&File"));
  fill(*file, actions, {"file.new", "file.newEmpty", "file.open"});
  addRecent(*file, parts);
  fill(*file, actions,
       {"", "file.save", "file.saveAs", "file.saveAll", "", "report.open", "report.export", "report.compare",
        "report.pin", "", "file.settings", "", "file.close", "file.quit"});
  fill(*bar->addMenu(QObject::tr("&Edit")), actions,
       {"edit.undo",
        "edit.redo",
        "",
        "edit.cut",
        "edit.copy",
        "edit.paste",
        "",
        "edit.find",
        "edit.replace",
        "edit.findNext",
        "edit.findPrevious",
        "edit.goToLine",
        "",
        "edit.comment",
        "edit.duplicate",
        "edit.nextOccurrence",
        "edit.moveUp",
        "edit.moveDown",
        "",
        "edit.lf",
        "edit.crlf"});
  QMenu* run = bar->addMenu(QObject::tr("&Run"));
  fill(*run, actions,
       {"run.start", "run.only", "run.profile", "run.cancel", "", "run.onSave", "run.whileTyping", "",
        "run.sanitize.memcheck", "run.sanitize.racecheck", "run.sanitize.initcheck", "run.sanitize.synccheck",
        "", "run.nextProblem", "run.previousProblem", "", "run.suiteFile", "run.sweep", "run.restart"});
  addEnvironments(*run, parts);
  QMenu* view = bar->addMenu(QObject::tr("&View"));
  fill(*view, actions, {"view.palette", ""});
  view->addActions(docks);
  fill(*view, actions,
       {"",
        "view.split",
        "view.otherSide",
        "view.moveTab",
        "view.unsplit",
        "",
        "view.theme.system",
        "view.theme.dark",
        "view.theme.light",
        "",
        "view.zoomIn",
        "view.zoomOut",
        "view.zoomReset",
        "",
        "view.assembly",
        "view.heat",
        "view.nextHot",
        "view.previousHot",
        "",
        "view.editor",
        "view.results",
        "view.profile",
        "view.nextTab",
        "view.previousTab"});
  QMenu* help = bar->addMenu(QObject::tr("&Help"));
  help->setObjectName(QStringLiteral("helpMenu"));
  fill(*help, actions, {"help.doctor", "help.about"});
}

void addHelpPages(QMainWindow& window, Actions& actions) {
  inBackground(
      &window, [] { return helpPages(); },
      [&window, &actions](const std::vector<HelpPage>& pages) {
        auto* menu = window.findChild<QMenu*>(QStringLiteral("helpMenu"));
        QAction* about = actions.find(QStringLiteral("help.about"));
        for (size_t i = 0; i < pages.size(); ++i) {
          const QString id = QStringLiteral("help.") + QFileInfo(pages[i].file).completeBaseName();
          const QKeySequence key = i == 0 ? QKeySequence(QKeySequence::HelpContents) : QKeySequence();
          menu->insertAction(about,
                             actions.add(id, QObject::tr("Help"), pages[i].title, QStringLiteral("book"), key,
                                         [&window, file = pages[i].file] { showHelp(file, &window); }));
        }
        if (!pages.empty()) menu->insertSeparator(about);
      });
}

}  // namespace wb
