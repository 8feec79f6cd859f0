// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/disk_flow.h"

#include <QPointer>

#include "ui/editing/document.h"
#include "ui/editing/files.h"
#include "ui/window/banner.h"
#include "ui/window/window_parts.h"

namespace wb {

DiskFlow::DiskFlow(const WindowParts& parts, QObject* parent) : QObject(parent), parts_(parts) {
  connect(parts_.files, &Files::onDiskChanged, this, &DiskFlow::tell);
}

void DiskFlow::tell(Document* document) {
  const QPointer<Document> guard(document);
  Banner& banner = *parts_.banner;
  switch (document->onDisk()) {
    case OnDisk::same:
      return banner.clear(document->id());
    case OnDisk::gone:
      return banner.tellOf(
          document->id(), Tone::warning, tr("%1 was deleted on disk.").arg(document->title()),
          tr("Its text is kept here. Saving writes the file again."), tr("Save again"), [this, guard] {
            if (guard) parts_.files->save(guard);
          });
    case OnDisk::changed:
      return banner.tellOf(document->id(), Tone::warning,
                           tr("Another program changed %1, and you changed it here.").arg(document->title()),
                           tr("Nothing is overwritten before you have chosen what stays."), tr("Compare…"),
                           [this, guard] {
                             if (guard) parts_.files->resolve(guard);
                           });
  }
}

}  // namespace wb
