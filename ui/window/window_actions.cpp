// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of MainWindow, each of which is made once and found by its id.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>

#include "editor/kernel_editor.h"
#include "ui/assembly/assembly_flow.h"
#include "ui/charts/chart_actions.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/help.h"
#include "ui/dialogs/new_dialog.h"
#include "ui/editing/document.h"
#include "ui/editing/editing_actions.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/editing/find_bar.h"
#include "ui/profile/profile_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/profile_button.h"
#include "ui/run/profile_flow.h"
#include "ui/run/run_bar.h"
#include "ui/run/run_flow.h"
#include "ui/run/suite_box.h"
#include "ui/settings/settings.h"
#include "ui/settings/settings_flow.h"
#include "ui/style/appearance.h"
#include "ui/tables/table_panel.h"
#include "ui/window/actions.h"
#include "ui/window/command_palette.h"
#include "ui/window/dock.h"
#include "ui/window/main_window.h"

namespace wb {

void MainWindow::addActions() {
  addFileActions();
  addEditActions();
  addRunActions();
  addViewActions();
  addEditingActions(*actions_, parts_, options_.clangd);
}

void MainWindow::addFileActions() {
  Actions& a = *actions_;
  const QString file = tr("File");
  const auto current = [this](void (Files::*what)(Document*, Files::Done)) {
    return [this, what] {
      if (Document* document = parts_.tabs->current()) (parts_.files->*what)(document, {});
    };
  };
  a.add("file.new", file, tr("&New kernel…"), "file-earmark-plus", QKeySequence::New,
        [this] { newKernel(); });
  a.add("file.newEmpty", file, tr("New &empty file"), "plus-lg", tr("Ctrl+Alt+N"),
        [this] { parts_.files->createUntitled(); });
  a.add("file.open", file, tr("&Open…"), "folder2-open", QKeySequence::Open,
        [this] { parts_.files->openWithDialog(); });
  a.add("file.save", file, tr("&Save"), "save", QKeySequence::Save, current(&Files::save));
  a.add("file.saveAs", file, tr("Save &as…"), "", tr("Ctrl+Shift+S"), current(&Files::saveAs));
  a.add("file.saveAll", file, tr("Save a&ll"), "", tr("Ctrl+Alt+S"), [this] { parts_.files->saveAll(); });
  a.add("file.close", file, tr("&Close tab"), "x-lg", tr("Ctrl+W"), [this] { parts_.tabs->closeCurrent(); });
  a.add("file.settings", file, tr("Se&ttings…"), "gear", tr("Ctrl+,"), [this] { showSettings(); });
  a.add("file.quit", file, tr("&Quit"), "", tr("Ctrl+Q"), [this] { close(); });
  a.add("report.export", tr("Report"), tr("&Export report…"), "file-earmark-text", tr("Ctrl+E"), [this] {
     exportReport();
   })->setEnabled(false);
  // The tool bar has room for one word.
  actions_->find(QStringLiteral("report.export"))->setIconText(tr("Report"));
  a.add("report.compare", tr("Report"), tr("Compare &with…"), "layout-split", tr("Ctrl+Shift+E"),
        [this] { chooseBaseline(); });
  a.add("report.pin", tr("Report"), tr("&Pin this run"), "tag", {}, [this] {
     compare_->pin();
   })->setEnabled(false);
  actions_->find(QStringLiteral("report.pin"))
      ->setStatusTip(tr("Makes this run the baseline that the next ones are compared with"));
  connect(controller_.get(), &RunController::figuresChanged, this, [this] {
    actions_->find(QStringLiteral("report.export"))->setEnabled(true);
    actions_->find(QStringLiteral("report.pin"))->setEnabled(!controller_->running());
  });
  connect(controller_.get(), &RunController::runningChanged, this, [this](bool running) {
    actions_->find(QStringLiteral("report.pin"))->setEnabled(!running && controller_->figures());
  });
}

void MainWindow::addEditActions() {
  Actions& a = *actions_;
  const QString edit = tr("Edit");
  const auto editor = [this](void (QsciScintilla::*what)()) {
    return [this, what] {
      if (Document* document = parts_.tabs->current()) (document->editor().*what)();
    };
  };
  a.add("edit.undo", edit, tr("&Undo"), "arrow-counterclockwise", QKeySequence::Undo,
        editor(&QsciScintilla::undo));
  a.add("edit.redo", edit, tr("&Redo"), "arrow-clockwise", tr("Ctrl+Y"), editor(&QsciScintilla::redo));
  a.add("edit.cut", edit, tr("Cu&t"), "", QKeySequence::Cut, editor(&QsciScintilla::cut));
  a.add("edit.copy", edit, tr("&Copy"), "copy", QKeySequence::Copy,
        [copyText = editor(&QsciScintilla::copy)] {
          for (QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget())
            if (auto* table = qobject_cast<TablePanel*>(at)) return table->copy(false);
          copyText();
        });
  a.add("edit.paste", edit, tr("&Paste"), "clipboard", QKeySequence::Paste, editor(&QsciScintilla::paste));
  a.add("edit.find", edit, tr("&Find"), "search", QKeySequence::Find, [this] { parts_.find->showFind(); });
  a.add("edit.replace", edit, tr("Find and r&eplace"), "", tr("Ctrl+H"),
        [this] { parts_.find->showReplace(); });
  a.add("edit.findNext", edit, tr("Find &next"), "", tr("F3"), [this] { parts_.find->findNext(); });
  a.add("edit.findPrevious", edit, tr("Find pre&vious"), "", tr("Shift+F3"),
        [this] { parts_.find->findPrevious(); });
  const auto command = [this](void (KernelEditor::*what)()) {
    return [this, what] {
      if (Document* document = parts_.tabs->current()) (document->editor().*what)();
    };
  };
  a.add("edit.comment", edit, tr("Toggle co&mment"), "", tr("Ctrl+/"), command(&KernelEditor::toggleComment));
  a.add("edit.nextOccurrence", edit, tr("Select next &occurrence"), "", tr("Ctrl+D"),
        command(&KernelEditor::selectNextOccurrence));
  a.add("edit.duplicate", edit, tr("&Duplicate line"), "", tr("Ctrl+Shift+D"),
        command(&KernelEditor::duplicateLines));
  a.add("edit.moveUp", edit, tr("Move line up"), "", tr("Alt+Up"), command(&KernelEditor::moveLinesUp));
  a.add("edit.moveDown", edit, tr("Move line down"), "", tr("Alt+Down"),
        command(&KernelEditor::moveLinesDown));
  a.add("edit.goToLine", edit, tr("&Go to line…"), "", tr("Ctrl+G"), [this] { goToLine(); });
}

void MainWindow::addRunActions() {
  Actions& a = *actions_;
  const QString run = tr("Run");
  a.add("run.start", run, tr("&Run"), "play-fill", tr("F5"), [this] { flow_->start(); });
  a.add("run.only", run, tr("Run only this &case"), "", tr("Shift+F5"), [this] {
     flow_->runOnly();
   })->setStatusTip(tr("Runs the selected case alone, on the same inputs"));
  a.add("run.profile", run, tr("&Profile"), "fire", tr("F6"), [this] { flow_->profile(); });
  for (const SanitizerTool& tool : sanitizerChoices())
    a.add(QStringLiteral("run.sanitize.") + QLatin1String(tool.id), run,
          tr("Check with %1").arg(QLatin1String(tool.id)), "", {},
          [this, id = std::string(tool.id)] { flow_->sanitize(id); });
  a.add("run.cancel", run, tr("&Cancel"), "stop-fill", tr("Esc"), [this] {
     flow_->cancel();
   })->setEnabled(false);
  a.add("run.onSave", run, tr("Run on &save"), "", {}, [] {})->setStatusTip(tr("Saving a kernel runs it"));
  a.add("run.whileTyping", run, tr("Check while &typing"), "", {}, [] {
   })->setStatusTip(tr("A pause in typing compiles and checks the kernel; the next key ends that"));
  a.add("run.sweep", run, tr("S&weep sizes"), "", {}, [this] {
    parts_.bar->suites().choose(QStringLiteral("sweep"));
    flow_->start();
  });
  a.add("run.restart", run, tr("Restart &worker"), "arrow-repeat", {}, [this] { controller_->retry(); });
  a.add("run.nextProblem", run, tr("&Next problem"), "", tr("F8"), [this] { flow_->nextProblem(1); });
  a.add("run.previousProblem", run, tr("&Previous problem"), "", tr("Shift+F8"),
        [this] { flow_->nextProblem(-1); });
  a.add("run.suiteFile", run, tr("&Suite from file…"), "", {}, [this] { chooseSuiteFile(); });
}

void MainWindow::addViewActions() {
  Actions& a = *actions_;
  const QString view = tr("View");
  a.add("view.palette", view, tr("&Commands"), "keyboard", tr("Ctrl+Shift+P"),
        [this] { palettePopup().open(); });
  a.add("view.theme", view, tr("&Toggle dark and light"), "sun", tr("Ctrl+Alt+T"), [this] { toggleTheme(); });
  auto* group = new QActionGroup(this);
  const std::pair<ThemeChoice, QString> themes[] = {{ThemeChoice::system, tr("Theme: &follow the system")},
                                                    {ThemeChoice::dark, tr("Dar&k theme")},
                                                    {ThemeChoice::light, tr("&Light theme")}};
  for (const auto& [choice, text] : themes) {
    QAction* action = a.add(QStringLiteral("view.theme.") + name(choice), view, text, "", {},
                            [this, choice = choice] { chooseTheme(choice); });
    action->setCheckable(true);
    group->addAction(action);
  }
  QAction* heat = a.add("view.heat", view, tr("&Hot lines in the editor"), "", {}, [this] {
    profiling_->showHeat(actions_->find(QStringLiteral("view.heat"))->isChecked());
  });
  heat->setCheckable(true);
  heat->setChecked(parts_.settings->number("view/heat", 1) != 0);
  a.add("view.results", view, tr("Go to &results"), "", tr("Ctrl+2"), [this] { showResults(false); });
  a.add("view.profile", view, tr("Go to &profile"), "", tr("Ctrl+3"), [this] { showResults(true); });
  QAction* assembly =
      a.add("view.assembly", view, tr("&Assembly beside the source"), "code-slash", tr("Ctrl+4"),
            [this] { assembly_->show(actions_->find(QStringLiteral("view.assembly"))->isChecked()); });
  assembly->setCheckable(true);
  assembly->setIconText(tr(" Assembly"));  // a button has less room than a menu
  a.add("view.nextHot", view, tr("Next &hot spot"), "", tr("F7"), [this] { assembly_->goToHot(1); });
  a.add("view.previousHot", view, tr("Previous hot spot"), "", tr("Shift+F7"),
        [this] { assembly_->goToHot(-1); });
  a.add("view.nextTab", view, tr("&Next tab"), "", tr("Ctrl+Tab"), [this] { parts_.tabs->step(1); });
  a.add("view.previousTab", view, tr("&Previous tab"), "", tr("Ctrl+Shift+Tab"),
        [this] { parts_.tabs->step(-1); });
  a.add("view.zoomIn", view, tr("Zoom &in"), "", QKeySequence::ZoomIn,
        [this] { parts_.tabs->setZoom(parts_.tabs->zoom() + 1); });
  a.add("view.zoomOut", view, tr("Zoom &out"), "", QKeySequence::ZoomOut,
        [this] { parts_.tabs->setZoom(parts_.tabs->zoom() - 1); });
  a.add("view.zoomReset", view, tr("&Reset zoom"), "", tr("Ctrl+0"), [this] { parts_.tabs->setZoom(13); });
  a.add("view.editor", view, tr("Go to &editor"), "", tr("Ctrl+1"), [this] {
    if (Document* document = parts_.tabs->current()) document->setFocus();
  });
  addChartActions(a, *this, *parts_.settings);
  a.add("help.about", tr("Help"), tr("&About Warpbench"), "info-circle", {}, [this] { showAbout(this); });
}

void MainWindow::showResults(bool profile) {
  if (!parts_.results) return;
  resultsDock_->show();
  parts_.results->showPage(profile ? static_cast<QWidget*>(&parts_.results->profile()) : nullptr);
}

void MainWindow::newKernel() {
  auto* dialog = new NewDialog(parts_.settings->text("new/language", QStringLiteral("torch_cpp")), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    parts_.settings->setText("new/language", dialog->language());
    if (!dialog->chosen()) return;
    const NewDocument& chosen = *dialog->chosen();
    Document* document = parts_.files->create(chosen.file, chosen.text);
    parts_.bar->setOperator(document->id(), chosen.op);
    if (!chosen.suite.isEmpty()) parts_.bar->suites().choose(chosen.suite);
  });
  dialog->open();
}

void MainWindow::exportReport() {
  const auto figures = controller_->figures();
  if (!figures) return;
  auto* dialog = new ExportDialog(figures->report, *parts_.settings, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void MainWindow::showSettings() {
  settingsFlow_->open();
}

void MainWindow::chooseBaseline() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Compare with a saved report"),
                                                    parts_.settings->text("export/folder"),
                                                    tr("Reports (*.json);;All files (*)"));
  if (!file.isEmpty()) compare_->read(file);
}

void MainWindow::goToLine() {
  if (parts_.tabs->current()) palettePopup().open(QStringLiteral(":"));
}

void MainWindow::toggleTheme() {
  chooseTheme(appearance_.theme().dark ? ThemeChoice::light : ThemeChoice::dark);
}

void MainWindow::chooseTheme(ThemeChoice choice) {
  appearance_.setChoice(choice);
  parts_.settings->setTheme(choice);
  checkTheme();
}

void MainWindow::chooseSuiteFile() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Suite: a file of operator calls"), {},
                                                    tr("Traces (*.txt *.log *.parquet);;All files (*)"));
  parts_.bar->setSuiteFile(file);
}

}  // namespace wb
