// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session.h"

#include <QMainWindow>
#include <algorithm>
#include <optional>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "editor/kernel_editor.h"
#include "ui/dialogs/gallery.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/settings/settings.h"
#include "ui/style/background.h"
#include "ui/window/window_parts.h"

namespace wb {
namespace {

constexpr int stateVersion = 1;

}  // namespace

// What was read in the background.
struct Session::Remembered {
  struct Tab {
    SessionTab tab;
    QString text;
  };
  QList<Tab> tabs;
  std::vector<JournalEntry> unsaved;
  std::optional<GalleryItem> starter;
};

Session::Session(QMainWindow& window, const WindowParts& parts, const std::filesystem::path& data)
    : QObject(&window),
      window_(window),
      parts_(parts),
      journal_(data / "journal"),
      journaling_(*parts.tabs, journal_) {
  delay_.setSingleShot(true);
  delay_.setInterval(500);
  connect(&delay_, &QTimer::timeout, this, &Session::save);
  connect(parts_.tabs, &EditorArea::documentsChanged, this, [this] { delay_.start(); });
}

void Session::restoreShape() {
  if (!window_.restoreGeometry(parts_.settings->bytes("window/geometry"))) window_.resize(1440, 900);
  window_.restoreState(parts_.settings->bytes("window/state"), stateVersion);
  parts_.tabs->setZoom(parts_.settings->number("editor/zoom", 13));
}

void Session::restore(const QStringList& files) {
  const bool wantsStarter = files.isEmpty();
  inBackground(
      this,
      [this, tabs = parts_.settings->tabsOnceRead(), wantsStarter] {
        Remembered remembered;
        remembered.unsaved = journal_.recover();
        for (const SessionTab& tab : tabs())
          if (const Result<std::string> text = readSource(tab.path.toStdString()))
            remembered.tabs.push_back({tab, QString::fromStdString(*text)});
        if (wantsStarter && remembered.tabs.isEmpty() && remembered.unsaved.empty()) {
          const std::filesystem::path file = resourceFolder() / "templates" / "torch_cpp.cpp";
          if (Result<std::string> text = readSource(file))
            remembered.starter = describeKernel("relu.cpp", *text);
        }
        return remembered;
      },
      [this, files](Remembered remembered) { show(std::move(remembered), files); });
}

void Session::show(Remembered remembered, const QStringList& files) {
  const auto takeUnsaved = [&](const QString& path) -> std::optional<JournalEntry> {
    const auto found = std::find_if(remembered.unsaved.begin(), remembered.unsaved.end(),
                                    [&](const JournalEntry& entry) { return entry.path == path; });
    if (found == remembered.unsaved.end()) return std::nullopt;
    JournalEntry entry = std::move(*found);
    remembered.unsaved.erase(found);
    return entry;
  };
  const auto restoreUnsaved = [&](const JournalEntry& entry) {
    journaling_.adopt(entry.id);
    parts_.files->restore(entry);
  };
  for (const auto& [tab, text] : remembered.tabs) {
    if (const auto entry = takeUnsaved(tab.path)) {
      restoreUnsaved(*entry);
      continue;
    }
    auto* document = new Document(tab.path, {}, text);
    parts_.tabs->add(document);
    document->editor().goTo(tab.line, tab.column);
  }
  for (const JournalEntry& entry : remembered.unsaved) restoreUnsaved(entry);
  if (remembered.starter)
    parts_.files->create(QString::fromStdString(remembered.starter->file),
                         QString::fromStdString(remembered.starter->text));
  const int current = parts_.settings->currentTab();
  if (current >= 0 && current < parts_.tabs->count())
    parts_.tabs->setCurrent(parts_.tabs->documents()[size_t(current)]);
  for (const QString& file : files) parts_.files->open(file);
  restored_ = true;
  emit restored();
}

void Session::save() {
  if (!restored_) return;  // it was closed before it was read, so the old session stays
  QList<SessionTab> tabs;
  int current = 0;
  for (Document* document : parts_.tabs->documents()) {
    if (document == parts_.tabs->current()) current = int(tabs.size());
    if (!document->path().isEmpty())
      tabs.push_back(
          {document->path(), document->editor().currentLine(), document->editor().currentColumn()});
  }
  parts_.settings->setTabs(tabs, current);
  parts_.settings->setBytes("window/geometry", window_.saveGeometry());
  parts_.settings->setBytes("window/state", window_.saveState(stateVersion));
  parts_.settings->setNumber("editor/zoom", parts_.tabs->zoom());
}

void Session::end() {
  save();
  journaling_.forgetAll();
}

}  // namespace wb
