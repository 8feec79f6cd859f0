// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/verb.h"

namespace wb {

std::vector<Verb> verbs() {
  return {runVerb(),   profileVerb(), backendBenchVerb(), compareVerb(), selftestVerb(),
          newVerb(),   listVerb(),    doctorVerb(),       targetVerb(),  attachVerb(),
          shardVerb(), serveVerb(),   mcpVerb()};
}

}  // namespace wb
