// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "core/model/operators/catalogue.h"
#include "core/suites/suites.h"
#include "editor/kernel_editor.h"
#include "ui/assembly/assembly_flow.h"
#include "ui/assembly/assembly_view.h"
#include "ui/charts/charts_page.h"
#include "ui/diff/disk_flow.h"
#include "ui/editing/document.h"
#include "ui/editing/editing_actions.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/editing/find_bar.h"
#include "ui/history/history_flow.h"
#include "ui/profile/profile_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/results_view.h"
#include "ui/results/verdict_flow.h"
#include "ui/run/live_run.h"
#include "ui/run/log_view.h"
#include "ui/run/profile_flow.h"
#include "ui/run/run_bar.h"
#include "ui/run/run_flow.h"
#include "ui/settings/settings.h"
#include "ui/settings/settings_flow.h"
#include "ui/style/background.h"
#include "ui/style/icon.h"
#include "ui/tables/keep_layouts.h"
#include "ui/tables/table_panel.h"
#include "ui/targets/device_box.h"
#include "ui/welcome/welcome_page.h"
#include "ui/window/actions.h"
#include "ui/window/banner.h"
#include "ui/window/command_palette.h"
#include "ui/window/dock.h"
#include "ui/window/menus.h"
#include "ui/window/session.h"
#include "ui/window/status_line.h"

namespace wb {

MainWindow::MainWindow(Appearance& appearance, Settings& settings, WindowOptions options)
    : appearance_(appearance),
      options_(std::move(options)),
      actions_(std::make_unique<Actions>(*this)),
      controller_(std::make_unique<RunController>(options_.makeLauncher, options_.makePlaces)) {
  setObjectName(QStringLiteral("window"));
  setWindowTitle(tr("Warpbench"));
  setWindowIcon(icon(QStringLiteral("warpbench"), IconTone::accent));
  setAcceptDrops(true);
  setContextMenuPolicy(Qt::NoContextMenu);
  parts_.actions = actions_.get();
  parts_.settings = &settings;
  parts_.tabs = new EditorArea;
  parts_.files = new Files(*parts_.tabs, settings, options_.questions(*this), this);
  parts_.banner = new Banner;
  parts_.find = new FindBar(settings);
  parts_.status = new StatusLine;
  addActions();
  controller_->setPython(settings.text("python/path").toStdString());
  controller_->setJudges(settings.number("judge/strict", 0) != 0);
  parts_.bar = new RunBar(*actions_, settings);
  devices_ = new DeviceFlow(parts_.bar->devices(), options_.glance, this);
  flow_ = new RunFlow(parts_, *controller_, this);
  live_ = new LiveRun(parts_, *controller_, *flow_, this);
  verdict_ = new VerdictFlow(parts_, *controller_, this);
  profiling_ = new ProfileFlow(parts_, *controller_, *flow_, this);
  compare_ = new CompareFlow(parts_, *controller_, this);
  history_ = new HistoryFlow(parts_, *controller_, *compare_, options_.data, this);
  assembly_ = new AssemblyFlow(parts_, *flow_, *compare_, this);
  new DiskFlow(parts_, this);
  settingsFlow_ = new SettingsFlow(parts_, *controller_, *this);
  connect(settingsFlow_, &SettingsFlow::themeChosen, this, &MainWindow::chooseTheme);
  addToolBar(parts_.bar);
  setStatusBar(parts_.status);
  buildCentre();
  buildDocks();
  buildMenus(*this, *actions_, parts_, {resultsDock_->toggleViewAction(), outputDock_->toggleViewAction()});
  session_ = new Session(*this, parts_, options_.data);
  session_->setResults({[this] { return history_->shownFile(); },
                        [this] { return history_->baselineFiles(); },
                        [this](const QString& report, const QStringList& baselines) {
                          history_->restore(report, baselines);
                        }});
  connect(history_, &HistoryFlow::changed, session_, &Session::save);
  session_->setAssembly({[this] { return assembly_->choices(); },
                         [this](const AssemblyChoices& choices, bool withResults) {
                           assembly_->restore(choices, withResults);
                         }});
  connect(&assembly_->view(), &AssemblyView::formChanged, session_, &Session::saveSoon);
  session_->restoreShape();

  connect(&appearance_, &Appearance::changed, this, &MainWindow::retheme);
  connect(parts_.tabs, &EditorArea::currentDocumentChanged, this, &MainWindow::updateForDocument);
  connect(parts_.tabs, &EditorArea::documentsChanged, this, &MainWindow::updateForDocument);
  connect(parts_.tabs, &EditorArea::cursorMoved, this,
          [this] { parts_.status->setDocument(parts_.tabs->current()); });
  connect(parts_.tabs, &EditorArea::closeRequested, this,
          [this](Document* document) { parts_.files->close(document); });
  connect(parts_.bar, &RunBar::deviceChanged, this, [this] {
    controller_->warm(parts_.bar->place());
    if (!parts_.tabs->current()) welcome_->refresh(parts_.settings->recentFiles(), parts_.bar->hasGpu());
  });
  connect(parts_.bar, &RunBar::suiteFileWanted, this, &MainWindow::chooseSuiteFile);
  connect(session_, &Session::restored, this, [this] {
    restored_ = true;
    updateForDocument();
    becomeReady();
  });
  retheme();
  updateForDocument();
  qApp->installEventFilter(this);  // it is removed at the first paint
  session_->restore(options_.files);
}

// The controller goes first, since its runners must not speak to a window that is half destroyed. Workers may
// need a moment to end, so the window is hidden before.
MainWindow::~MainWindow() {
  hide();
  disconnect(controller_.get(), nullptr, nullptr, nullptr);
  disconnect(parts_.tabs, nullptr, nullptr, nullptr);
  delete preparation_;
  delete live_;
  delete verdict_;
  delete profiling_;
  delete assembly_;
  delete flow_;
  delete history_;
  delete compare_;
  controller_.reset();
  delete session_;
}

void MainWindow::buildCentre() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  centre_ = new QStackedWidget;
  centre_->addWidget(parts_.tabs);
  centre_->addWidget(buildWelcome());
  column->addWidget(centre_, 1);
  parts_.banner->floatOver(*centre_);
  column->addWidget(parts_.find);
  setCentralWidget(page);
}

QWidget* MainWindow::buildWelcome() {
  welcome_ = new WelcomePage(history_->folder(), options_.examine);
  connect(welcome_, &WelcomePage::newWanted, this, &MainWindow::newKernel);
  connect(welcome_, &WelcomePage::openWanted, parts_.files, &Files::openWithDialog);
  connect(welcome_, &WelcomePage::fileWanted, this,
          [this](const QString& path) { parts_.files->open(path); });
  connect(welcome_, &WelcomePage::sampleWanted, this,
          [this](const QString& file, const QString& text) { parts_.files->create(file, text); });
  connect(welcome_, &WelcomePage::runWanted, this, [this](const QString& file) { history_->open(file); });
  return welcome_;
}

void MainWindow::buildDocks() {
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
  resultsDock_ = new Dock(QStringLiteral("results"), tr("Results"), this);
  outputDock_ = new Dock(QStringLiteral("output"), tr("Output"), this);
  addDockWidget(Qt::RightDockWidgetArea, resultsDock_);
  addDockWidget(Qt::BottomDockWidgetArea, outputDock_);
  auto* folder = new Dock(QStringLiteral("folder"), tr("Files"), this);  // filled when it is asked for
  addDockWidget(Qt::LeftDockWidgetArea, folder);
  folder->hide();
  new DockShare(*this, *resultsDock_, *parts_.settings, "window/results", 440);
  resizeDocks({outputDock_}, {190}, Qt::Vertical);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  // A zero timer from the constructor would fire before the first paint, so only the paint itself tells.
  if (event->type() == QEvent::Paint && watched->isWidgetType() &&
      static_cast<QWidget*>(watched)->window() == this) {
    qApp->removeEventFilter(this);
    QTimer::singleShot(0, this, &MainWindow::finishBuilding);
  }
  return QMainWindow::eventFilter(watched, event);
}

void MainWindow::finishBuilding() {
  emit painted();
  parts_.results = new ResultsView(*actions_->find(QStringLiteral("run.profile")),
                                   *actions_->find(QStringLiteral("view.assembly")),
                                   *actions_->find(QStringLiteral("run.only")));
  parts_.details = &parts_.results->details();
  resultsDock_->setContent(parts_.results);
  connect(&parts_.results->charts(), &ChartsPage::sweepWanted, actions_->find(QStringLiteral("run.sweep")),
          &QAction::trigger);
  parts_.problems = new TablePanel(tr("Problems"));
  parts_.problems->setEmptyText(tr("No problems. Messages of the compiler and failing cases appear here."));
  parts_.log = new LogView;
  parts_.output = new QTabWidget;
  parts_.output->setAccessibleName(tr("Output"));
  parts_.output->tabBar()->setAccessibleName(tr("Output"));
  parts_.output->setDocumentMode(true);
  parts_.output->addTab(parts_.problems, icon(QStringLiteral("exclamation-triangle"), IconTone::secondary),
                        tr("Problems"));
  parts_.output->addTab(parts_.log, icon(QStringLiteral("terminal"), IconTone::secondary), tr("Log"));
  outputDock_->setContent(parts_.output);
  keepLayouts(*this, *parts_.settings);
  profiling_->connectViews();
  assembly_->connectViews();
  flow_->connectViews();
  history_->connectViews();
  appearance_.followDesktop();
  addHelpPages(*this, *actions_);
  connect(devices_, &DeviceFlow::found, this, [this] { controller_->warm(parts_.bar->place()); });
  devices_->findOut();
  findOutOperators();
  findOutSuites();
  connect(controller_.get(), &RunController::statusChanged, this, [this] {
    if (!operatorsKnown_ && controller_->status().state == WorkerStatus::State::ready) findOutOperators();
  });
  preparation_ = new IdlePreparation(*controller_, options_.prepare, this);
  showFolderAgain(parts_);
  startClangd(parts_, options_.clangd);
  built_ = true;
  becomeReady();
}

void MainWindow::becomeReady() {
  if (!isReady()) return;
  session_->restoreResults();
  settingsFlow_->windowIsReady();
  emit ready();
}

void MainWindow::findOutSuites() {
  inBackground(
      this, [] { return suites(); },
      [this](const std::vector<SuiteInfo>& there) { parts_.bar->setSuites(there); });
}

// The worker writes the catalogue when it first meets a torch; before that there may be nothing to read.
void MainWindow::findOutOperators() {
  inBackground(
      this,
      [] {
        std::pair<QStringList, std::shared_ptr<const KnownNames>> found;
        std::vector<std::pair<std::string, std::string>> schemas;
        if (const Result<Catalogue> catalogue = readCatalogue())
          for (const OperatorEntry& entry : catalogue->operators) {
            found.first.push_back(QString::fromStdString(entry.name));
            schemas.emplace_back(entry.name, entry.schema);
          }
        found.second = operatorNames(schemas);
        return found;
      },
      [this](const auto& found) {
        operatorsKnown_ = !found.first.isEmpty();
        if (!operatorsKnown_) return;
        parts_.bar->setOperators(found.first);
        parts_.tabs->setOperators(found.second);
      });
}

void MainWindow::updateForDocument() {
  Document* document = parts_.tabs->current();
  const bool isEmpty = !document && restored_;
  if (isEmpty && centre_->currentIndex() == 0)
    welcome_->refresh(parts_.settings->recentFiles(), parts_.bar->hasGpu());
  centre_->setCurrentIndex(isEmpty ? 1 : 0);
  parts_.find->setEditor(document ? &document->editor() : nullptr);
  parts_.status->setDocument(document);
  parts_.bar->setDocument(document ? document->id() : QString());
  QSet<QString> open;
  for (const Document* each : parts_.tabs->documents()) open.insert(each->id());
  parts_.banner->setTabs(document ? document->id() : QString(), open);
  setWindowTitle(document
                     ? tr("%1%2 – Warpbench")
                           .arg(document->title(), document->isModified() ? QStringLiteral(" •") : QString())
                     : tr("Warpbench"));
}

void MainWindow::retheme() {
  parts_.tabs->setTheme(appearance_.theme());
  actions_->find(QStringLiteral("view.theme"))
      ->setIcon(icon(appearance_.theme().dark ? QStringLiteral("sun") : QStringLiteral("moon")));
  checkTheme();
}

void MainWindow::checkTheme() {
  for (const ThemeChoice choice : {ThemeChoice::system, ThemeChoice::dark, ThemeChoice::light})
    actions_->find(QStringLiteral("view.theme.") + name(choice))->setChecked(choice == appearance_.choice());
}

CommandPalette& MainWindow::palettePopup() {
  if (!palettePopup_) {
    palettePopup_ = new CommandPalette(*this);
    connect(palettePopup_, &CommandPalette::placeChosen, this, [this](int line, int column) {
      if (Document* document = parts_.tabs->current()) document->editor().goTo(line, column);
    });
  }
  return *palettePopup_;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (closing_) {
    session_->end();
    event->accept();
    return;
  }
  if (parts_.settings->number("files/keepUnsaved", 1) != 0) {
    closing_ = true;
    return closeEvent(event);
  }
  event->ignore();  // the window stays until the user was asked about what is not saved
  parts_.files->closeAll([this](bool ok) {
    if (!ok) return;
    session_->forgetTexts();
    closing_ = true;
    QTimer::singleShot(0, this, &QWidget::close);
  });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files.push_back(url.toLocalFile());
  parts_.files->openAll(files);
  event->acceptProposedAction();
}

}  // namespace wb
