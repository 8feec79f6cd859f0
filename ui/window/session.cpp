// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QPointer>
#include <QSplitter>
#include <algorithm>
#include <optional>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "editor/kernel_editor.h"
#include "ui/dialogs/gallery.h"
#include "ui/editing/document.h"
#include "ui/editing/editing_actions.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/editor_tabs.h"
#include "ui/editing/files.h"
#include "ui/settings/settings.h"
#include "ui/style/background.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"
#include "ui/window/window_parts.h"

namespace wb {
namespace {

constexpr int stateVersion = 1;
/// How long tabs that were opened, moved or closed wait until they are written down, in milliseconds.
constexpr int saveDelay = 100;
/// How long the status line says what a closed window left, in milliseconds.
constexpr int noteTime = 8000;

// Tells on the window's thread that the journal cannot be written.
Journal::OnFailure toldBy(QMainWindow& window, const WindowParts& parts) {
  return [guard = QPointer<QMainWindow>(&window), &parts](const Error& error) {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [guard, &parts, error] {
          if (!guard) return;
          parts.banner->tell(
              Tone::bad,
              Session::tr("Unsaved texts cannot be kept safe: %1").arg(QString::fromStdString(error.text)),
              Session::tr("They are lost if the program ends now. Save them, or make room."));
        },
        Qt::QueuedConnection);
  };
}

}  // namespace

// What was read in the background.
struct Session::Remembered {
  struct Tab {
    JournalTab tab;
    std::optional<JournalEntry> unsaved;
    TextFile file;
  };
  QList<Tab> tabs;
  int current = 0;
  /// The files that are not there any more.
  QStringList gone;
  QString report;
  QStringList baselines;
  std::optional<AssemblyChoices> assembly;
  bool killed = false;
  std::optional<GalleryItem> starter;
};

Session::Session(QMainWindow& window, const WindowParts& parts, const std::filesystem::path& data)
    : QObject(&window),
      window_(window),
      parts_(parts),
      journal_(data / "journal", toldBy(window, parts)),
      journaling_(*parts.tabs, journal_) {
  delay_.setSingleShot(true);
  delay_.setInterval(saveDelay);
  connect(&delay_, &QTimer::timeout, this, &Session::save);
  connect(parts_.tabs, &EditorArea::documentsChanged, this, [this] { delay_.start(); });
}

void Session::restoreShape() {
  if (!window_.restoreGeometry(parts_.settings->bytes("window/geometry"))) window_.resize(1440, 900);
  window_.restoreState(parts_.settings->bytes("window/state"), stateVersion);
  parts_.tabs->setOptions(editorOptions(*parts_.settings));
  parts_.tabs->setZoom(parts_.settings->number("editor/zoom", 13));
}

void Session::restore(const QStringList& files) {
  const bool wantsStarter = files.isEmpty();
  inBackground(
      this,
      [this, wantsStarter] {
        Remembered remembered;
        Recovered recovered = journal_.recover();
        remembered.killed = recovered.killed;
        const auto take = [&recovered](const QString& id) -> std::optional<JournalEntry> {
          const auto at = std::ranges::find(recovered.entries, id, &JournalEntry::id);
          if (at == recovered.entries.end()) return std::nullopt;
          JournalEntry entry = std::move(*at);
          recovered.entries.erase(at);
          return entry;
        };
        if (recovered.state) {
          remembered.report = recovered.state->report;
          remembered.baselines = recovered.state->baselines;
          remembered.assembly = recovered.state->assembly;
          for (int i = 0; i < recovered.state->tabs.size(); ++i) {
            const JournalTab& tab = recovered.state->tabs[i];
            if (i == recovered.state->current) remembered.current = int(remembered.tabs.size());
            if (auto entry = take(tab.id))
              remembered.tabs.push_back({tab, std::move(entry), {}});
            else if (const auto file = readTextFile(tab.path.toStdString()); file && !tab.path.isEmpty())
              remembered.tabs.push_back({tab, std::nullopt, *file});
            else if (!tab.path.isEmpty())
              remembered.gone.push_back(QFileInfo(tab.path).fileName());
          }
        }
        for (JournalEntry& entry : recovered.entries) {
          const JournalTab tab{entry.id, entry.path, entry.line, entry.column, {}};
          remembered.tabs.push_back({tab, std::move(entry), {}});
        }
        if (wantsStarter && remembered.tabs.isEmpty()) {
          const std::filesystem::path file = resourceFolder() / "templates" / "torch_cpp.cpp";
          if (Result<std::string> text = readSource(file))
            remembered.starter = describeKernel("relu.cpp", *text);
        }
        return remembered;
      },
      [this, files](Remembered remembered) { show(std::move(remembered), files); });
}

void Session::show(Remembered remembered, const QStringList& files) {
  QList<std::pair<Document*, JournalTab>> opened;
  for (const auto& [tab, unsaved, file] : remembered.tabs) {
    if (unsaved) {
      journaling_.adopt(unsaved->id);
      opened.emplace_back(parts_.files->restore(*unsaved), tab);
      opened.back().first->setEnvironment(tab.environment);
      continue;
    }
    auto* document = new Document(tab.path, {}, file.text);
    document->setEncoding(file.encoding);
    document->setEnvironment(tab.environment);
    parts_.tabs->add(document);
    document->editor().goTo(tab.line, tab.column);
    opened.emplace_back(document, tab);
  }
  restoreSides(opened);
  if (remembered.starter)
    parts_.files->create(QString::fromStdString(remembered.starter->file),
                         QString::fromStdString(remembered.starter->text));
  if (remembered.current < opened.size()) {
    parts_.tabs->setCurrent(opened[remembered.current].first);
    // A side that was split has asked for the keyboard, and gets it when the window does.
    opened[remembered.current].first->setFocus();
  }
  parts_.files->openAll(files);
  report_ = remembered.report;
  baselines_ = remembered.baselines;
  lastAssembly_ = remembered.assembly;
  restored_ = true;
  tell(remembered);
  emit restored();
}

// The tabs are on the left, in their order.
void Session::restoreSides(const QList<std::pair<Document*, JournalTab>>& tabs) {
  EditorArea& area = *parts_.tabs;
  for (const auto& [document, tab] : tabs) {
    if (tab.side == TabSide::left) continue;
    area.setCurrent(document);
    if (tab.side == TabSide::both)
      area.split();
    else
      area.moveToOtherSide();
  }
  for (const auto& [document, tab] : tabs)
    if (tab.isInFront) area.setCurrent(document);
}

// Where the user has drawn the borders between the editors, and between a table and the details below it.
void Session::keepSplitters(bool restores) {
  for (const char* name : {"editorSplitter", "detailsSplitter"}) {
    auto* splitter = window_.findChild<QSplitter*>(QLatin1String(name));
    if (!splitter) continue;
    const QByteArray key = QByteArray("window/") + name;
    if (restores)
      splitter->restoreState(parts_.settings->bytes(key.constData()));
    else
      parts_.settings->setBytes(key.constData(), splitter->saveState());
  }
}

void Session::tell(const Remembered& remembered) {
  QStringList unsaved;
  for (const auto& each : remembered.tabs)
    if (each.unsaved && each.unsaved->modified) unsaved.push_back(each.unsaved->title);
  QStringList parts;
  if (!unsaved.isEmpty())
    parts.push_back(tr("unsaved changes in %1").arg(unsaved.join(QStringLiteral(", "))));
  if (!remembered.report.isEmpty()) parts.push_back(tr("the last results"));
  if (!remembered.baselines.isEmpty())
    parts.push_back(remembered.baselines.size() == 1 ? tr("the baseline") : tr("the baselines"));
  const QString back = parts.join(QStringLiteral("; "));
  if (!remembered.gone.isEmpty())
    parts_.banner->tell(Tone::warning,
                        tr("Of the last session, this cannot be opened any more: %1")
                            .arg(remembered.gone.join(QStringLiteral(", "))),
                        back.isEmpty() ? QString() : tr("Brought back: %1.").arg(back));
  else if (remembered.killed && !back.isEmpty())
    parts_.banner->tell(Tone::neutral, tr("Warpbench ended without being closed; nothing is lost."),
                        tr("Brought back: %1.").arg(back));
  else if (!back.isEmpty())
    parts_.status->showMessage(tr("Brought back: %1.").arg(back), noteTime);
}

void Session::restoreResults() {
  if (resultsRestored_) return;
  resultsRestored_ = true;
  if (const auto assembly = std::exchange(lastAssembly_, std::nullopt); assembly && assembly_.restore)
    assembly_.restore(*assembly, !report_.isEmpty());
  keepSplitters(true);
  if (results_.restore && !(report_.isEmpty() && baselines_.isEmpty())) results_.restore(report_, baselines_);
}

JournalState Session::state(bool closed) const {
  JournalState state;
  for (Document* document : parts_.tabs->documents()) {
    if (document == parts_.tabs->current()) state.current = int(state.tabs.size());
    const std::vector<Document*> right = parts_.tabs->group(1).documents();
    const bool isRight = std::ranges::find(right, document) != right.end();
    const TabSide side = document->editors().size() > 1 ? TabSide::both
                         : isRight                      ? TabSide::right
                                                        : TabSide::left;
    state.tabs.push_back({document->id(), document->path(), document->editor().currentLine(),
                          document->editor().currentColumn(), document->environment(), side,
                          parts_.tabs->group(isRight ? 1 : 0).current() == document});
  }
  state.assembly = lastAssembly_;
  if (!state.assembly && assembly_.choices) state.assembly = assembly_.choices();
  // Until the last results are shown again they must not be forgotten.
  const QString report = results_.report ? results_.report() : QString();
  const QStringList baselines = results_.baselines ? results_.baselines() : QStringList();
  state.report = report.isEmpty() ? report_ : report;
  state.baselines = baselines.isEmpty() ? baselines_ : baselines;
  state.closed = closed;
  return state;
}

void Session::save() {
  if (!restored_) return;  // it was closed before it was read, so the old session stays
  journal_.writeState(state(false));
  parts_.settings->setBytes("window/geometry", window_.saveGeometry());
  parts_.settings->setBytes("window/state", window_.saveState(stateVersion));
  parts_.settings->setNumber("editor/zoom", parts_.tabs->zoom());
  if (resultsRestored_) keepSplitters(false);
}

void Session::end() {
  save();
  journaling_.writeNow();
  if (restored_) journal_.writeState(state(true));
}

void Session::keep() {
  journaling_.writeNow();
  journal_.flush();
  save();
  journal_.flush();
  parts_.settings->flush();
}

}  // namespace wb
