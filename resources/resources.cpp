// SPDX-License-Identifier: Apache-2.0
#include "resources/resources.h"

#include <QtCore/qresource.h>
#include <QtGlobal>

// Q_INIT_RESOURCE declares a function, which must not happen inside a namespace.
static void initOutsideNamespace() {
  Q_INIT_RESOURCE(warpbench);
}

namespace wb {

void initResources() {
  initOutsideNamespace();
}

}  // namespace wb
