// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/torch_catalogue.h"

#include "app/cli/output/output.h"
#include "core/runner/prepare.h"

namespace wb {

Result<Catalogue> catalogueOfTorch() {
  auto catalogue = readCatalogue();
  if (catalogue) return catalogue;
  if (const auto prepared = prepareKernels({}); !prepared) {
    complain(prepared.error());
    return catalogue;
  }
  return readCatalogue();
}

}  // namespace wb
