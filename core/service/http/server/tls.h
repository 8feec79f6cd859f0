// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "core/base/result.h"

namespace wb {

using TlsContext = std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)>;

/// What connections with TLS 1.2 or later are made from: a certificate with its chain and its key, in PEM
/// files. Errors name the file and what is wrong with it.
Result<TlsContext> tlsContext(const std::string& certificate, const std::string& key);

}  // namespace wb
