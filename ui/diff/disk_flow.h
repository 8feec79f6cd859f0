// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace wb {

class Document;
struct WindowParts;

/// Says above a document that its file was deleted or changed by another program, and what can be done.
class DiskFlow : public QObject {
  Q_OBJECT
 public:
  explicit DiskFlow(const WindowParts& parts, QObject* parent = nullptr);

 private:
  void tell(Document* document);

  const WindowParts& parts_;
};

}  // namespace wb
