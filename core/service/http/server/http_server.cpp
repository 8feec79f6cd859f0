// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/server/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/service/http/server/connection.h"
#include "core/service/http/server/tls.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longestRequestLine = 4096;
constexpr int waitingConnections = 1024;

/// What goes on between the head of one request and its answer.
struct Exchange {
  Connection& connection;
  HttpRequest request;
  std::optional<HttpResponse> refusal;
  int status = 0;
  bool wasAnswered = false;
  /// The connection cannot be used for another request, since parts of this one may be left in it.
  bool mustClose = false;
};

/// httplib calls back without saying for which connection; a connection has a thread of its own.
thread_local Exchange* exchange = nullptr;

struct TakeOver : httplib::Server {
  using Server::process_request;
  void pretendToListen(int socket) { svr_sock_ = socket; }
};

bool isOurs(std::string_view header) {
  return header == "REMOTE_ADDR" || header == "REMOTE_PORT" || header == "LOCAL_ADDR" ||
         header == "LOCAL_PORT";
}

void take(HttpRequest& request, const httplib::Request& from) {
  request.method = from.method;
  request.path = from.path;
  request.query = {from.params.begin(), from.params.end()};
  for (const auto& [name, value] : from.headers)
    if (!isOurs(name)) request.headers.emplace(name, value);
}

void give(httplib::Response& to, HttpResponse from) {
  std::string type = "application/json";
  to.status = from.status;
  for (auto& [name, value] : from.headers)
    if (HeaderLess{}(name, "content-type") || HeaderLess{}("content-type", name))
      to.headers.emplace(name, std::move(value));
    else
      type = std::move(value);
  if (from.stream) {
    const auto provide = [stream = std::move(from.stream), &connection = exchange->connection](
                             std::size_t, httplib::DataSink& sink) {
      stream([&](std::string_view piece) {
        const bool isSent = piece.empty() || sink.write(piece.data(), piece.size());
        return isSent && connection.isWanted();
      });
      sink.done();
      return true;
    };
    to.set_chunked_content_provider(type, provide);
    return;
  }
  to.body = std::move(from.body);
  if (!to.body.empty()) to.headers.emplace("Content-Type", std::move(type));
}

/// Two ways of saying how long a body is are how requests are smuggled past whoever stands before us.
std::optional<HttpResponse> wrongFraming(const httplib::Request& request, std::size_t mostBytes) {
  const std::size_t lengths = request.get_header_value_count("Content-Length");
  const auto coding = request.get_header_value("Transfer-Encoding");
  if (lengths > 1 || (lengths == 1 && !coding.empty()) || (!coding.empty() && coding != "chunked"))
    return HttpResponse::json(400, nlohmann::json{{"detail", "The length of the body is said twice"}});
  const auto encoding = request.get_header_value("Content-Encoding");
  if (!encoding.empty() && encoding != "identity")
    return HttpResponse::json(415, nlohmann::json{{"detail", "Bodies are not taken compressed"}});
  if (lengths == 0) return std::nullopt;
  const auto length = request.get_header_value("Content-Length");
  if (length.empty() || length.find_first_not_of("0123456789") != std::string::npos || length.size() > 15)
    return HttpResponse::json(400, nlohmann::json{{"detail", "Content-Length is no number"}});
  if (std::stoull(length) > mostBytes)
    return HttpResponse::json(
        413, nlohmann::json{{"detail", fmt::format("The body may have {} bytes at most", mostBytes)}});
  return std::nullopt;
}

Result<int> listenTo(const std::string& address, int port, int& taken) {
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const auto error = [&](std::string_view what) {
    return Error{Stage::setup, fmt::format("cannot listen to {} port {}: {}", address, port, what),
                 "choose another address or port (--address, --port; port 0 takes a free one)"};
  };
  if (const int failed = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found))
    return error(::gai_strerror(failed));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, ::freeaddrinfo);
  const int socket = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return error(std::strerror(errno));
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket, found->ai_addr, found->ai_addrlen) != 0 || ::listen(socket, waitingConnections) != 0) {
    const int why = errno;
    ::close(socket);
    return error(std::strerror(why));
  }
  sockaddr_storage bound{};
  socklen_t length = sizeof bound;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &length);
  taken = ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                            : reinterpret_cast<sockaddr_in&>(bound).sin_port);
  return socket;
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(const HttpServerOptions& options, HttpHost host, int socket, int port, TlsContext tls)
      : options_(options), host_(std::move(host)), tls_(std::move(tls)), socket_(socket), port_(port) {
    http_.pretendToListen(socket_);
    http_.set_payload_max_length(options_.bodyBytes);
    http_.set_keep_alive_timeout(static_cast<time_t>(options_.idleSeconds));
    http_.set_keep_alive_max_count(1'000'000);
    const auto answered = [this](const httplib::Request& request, httplib::Response& response) {
      return answer(request, response);
    };
    http_.set_pre_routing_handler([answered](const httplib::Request& request, httplib::Response& response) {
      const bool hasBody = request.method == "POST" || request.method == "PUT" || request.method == "PATCH" ||
                           (request.method == "DELETE" && request.has_header("Content-Length"));
      if (hasBody && !exchange->refusal) return httplib::Server::HandlerResponse::Unhandled;
      answered(request, response);
      return httplib::Server::HandlerResponse::Handled;
    });
    const std::string anything = R"([\s\S]*)";
    http_.Post(anything, answered)
        .Put(anything, answered)
        .Patch(anything, answered)
        .Delete(anything, answered);
    http_.set_expect_100_continue_handler([](const httplib::Request&, httplib::Response& response) {
      if (!exchange->refusal) return 100;
      exchange->wasAnswered = exchange->mustClose = true;
      exchange->status = exchange->refusal->status;
      give(response, *std::exchange(exchange->refusal, {}));
      return exchange->status;
    });
    const httplib::Server::HandlerWithResponse failed = [](const httplib::Request&,
                                                           httplib::Response& response) {
      if (exchange->wasAnswered) return httplib::Server::HandlerResponse::Unhandled;
      exchange->mustClose = true;
      if (exchange->connection.isOverLimit()) response.status = 413;
      exchange->status = response.status;
      const std::string_view detail = response.status == 413 ? "The body is too large, or came too slowly"
                                                             : "The request is not one of HTTP/1.1";
      response.set_content(nlohmann::json{{"detail", detail}}.dump(), "application/json");
      return httplib::Server::HandlerResponse::Handled;
    };
    http_.set_error_handler(failed);
    http_.set_logger([](const httplib::Request&, const httplib::Response& response) {
      if (exchange->status == 0) exchange->status = response.status;
    });
    listener_ = std::thread([this] { acceptAll(); });
  }
  ~Impl() {
    stop();
    ::close(socket_);
    ::close(stop_);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::size_t connections() const {
    const std::lock_guard lock(mutex_);
    return open_;
  }

  void stop() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(stop_, &one, sizeof one);
    if (listener_.joinable()) listener_.join();
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return open_ == 0; });
  }

 private:
  void acceptAll() {
    for (;;) {
      std::array<pollfd, 2> wanted{pollfd{socket_, POLLIN, 0}, pollfd{stop_, POLLIN, 0}};
      if (::poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) return;
      if (wanted[1].revents != 0) return;
      if (wanted[0].revents == 0) continue;
      const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (socket >= 0)
        serve(socket);
      else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
        // Connections that end give back what is lacking; until then whoever comes waits.
        ::poll(&wanted[1], 1, 50);
    }
  }

  void serve(int socket) {
    {
      const std::lock_guard lock(mutex_);
      if (open_ >= options_.mostConnections) return turnAway(socket);
      ++open_;
    }
    try {
      std::thread([this, socket] {
        converse(socket);
        const std::lock_guard lock(mutex_);
        --open_;
        ended_.notify_all();
      }).detach();
    } catch (const std::system_error&) {
      {
        const std::lock_guard lock(mutex_);
        --open_;
      }
      turnAway(socket);
    }
  }

  /// Says on the listener's thread, without waiting, that there are too many connections.
  void turnAway(int socket) const {
    constexpr std::string_view text =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
        "Content-Type: application/json\r\nContent-Length: 34\r\n\r\n{\"detail\":\"Too many connections\"}\n";
    if (!tls_) ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    ::close(socket);
  }

  void converse(int socket) {
    const RequestLimits limits{.headBytes = options_.headBytes,
                               .bodyBytes = options_.bodyBytes + options_.bodyBytes / 64 + 1024,
                               .toSend = milliseconds(options_.requestSeconds),
                               .idle = milliseconds(options_.idleSeconds),
                               .toTake = milliseconds(options_.takeSeconds)};
    Connection connection(socket, stop_, limits, tls_.get());
    if (!connection.shakeHands()) return;
    while (serveOne(connection)) {
    }
    connection.end();
  }

  /// Whether another request may follow on the connection.
  bool serveOne(Connection& connection) {
    const HeadState head = connection.awaitHead();
    if (head == HeadState::closed) return false;
    const auto began = Clock::now();
    const std::uint64_t before = connection.bytesWritten();
    Exchange now{.connection = connection};
    now.request.client.address = connection.address();
    now.request.isWanted = [&connection] { return connection.isWanted(); };
    bool goesOn = false;
    if (head != HeadState::whole || connection.firstLine().size() > longestRequestLine) {
      refuse(now, head);
    } else {
      exchange = &now;
      bool closes = false;
      goesOn = http_.process_request(connection, false, closes,
                                     [this](httplib::Request& request) { prepare(request); });
      goesOn = goesOn && !closes && !now.mustClose && !connection.isOverLimit() && connection.isWanted();
      exchange = nullptr;
    }
    record(now, connection.bytesWritten() - before,
           std::chrono::duration<double>(Clock::now() - began).count());
    return goesOn;
  }

  static void refuse(Exchange& now, HeadState head) {
    if (head == HeadState::late) {
      now.status = 408;
      now.connection.say(408, "Request Timeout", R"({"detail":"The request came too slowly"})");
    } else {
      now.status = 431;
      now.connection.say(431, "Request Header Fields Too Large", R"({"detail":"The headers are too large"})");
    }
  }

  void prepare(httplib::Request& request) {
    // Ranges and compression of answers: nothing here is large enough to be worth what they can be made to
    // cost.
    request.ranges.clear();
    request.headers.erase("Accept-Encoding");
    take(exchange->request, request);
    // Of a form httplib would make fields; whoever answers wants the body as it came.
    request.headers.erase("Content-Type");
    exchange->refusal = wrongFraming(request, options_.bodyBytes);
    if (!exchange->refusal) exchange->refusal = host_.admit(exchange->request);
    const bool mayHaveBody = request.has_header("Transfer-Encoding") || request.has_header("Content-Length");
    const bool isRead = request.method == "POST" || request.method == "PUT" || request.method == "PATCH" ||
                        (request.method == "DELETE" && request.has_header("Content-Length"));
    exchange->mustClose = mayHaveBody && (exchange->refusal || !isRead);
    if (exchange->mustClose) {
      request.headers.erase("Connection");
      request.headers.emplace("Connection", "close");
    }
  }

  bool answer(const httplib::Request& request, httplib::Response& response) {
    exchange->wasAnswered = true;
    HttpResponse answered;
    if (exchange->refusal) {
      answered = *std::exchange(exchange->refusal, {});
    } else {
      exchange->request.body = request.body;
      answered = host_.answer(exchange->request);
    }
    exchange->status = answered.status;
    give(response, std::move(answered));
    return true;
  }

  void record(const Exchange& now, std::uint64_t bytes, double seconds) const {
    const auto run = now.request.parameters.find("id");
    std::string path = now.request.path;
    if (path.empty()) path = now.connection.firstLine();
    host_.record({.client = now.request.client.name,
                  .address = now.request.client.address,
                  .method = now.request.method,
                  .path = path,
                  .status = now.status,
                  .bytes = bytes,
                  .seconds = seconds,
                  .run = run == now.request.parameters.end() ? "" : run->second});
  }

  HttpServerOptions options_;
  HttpHost host_;
  TlsContext tls_;
  int socket_, port_;
  int stop_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  TakeOver http_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t open_ = 0;
  std::thread listener_;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const {
  return impl_->port();
}
std::size_t HttpServer::connections() const {
  return impl_->connections();
}
void HttpServer::stop() {
  impl_->stop();
}

Result<std::unique_ptr<HttpServer>> HttpServer::open(const HttpServerOptions& options, HttpHost host) {
  TlsContext tls(nullptr, SSL_CTX_free);
  if (!options.certificate.empty()) {
    WB_TRY(tls, tlsContext(options.certificate, options.key));
  }
  int port = 0;
  WB_TRY(const int socket, listenTo(options.address, options.port, port));
  return std::unique_ptr<HttpServer>(
      new HttpServer(std::make_unique<Impl>(options, std::move(host), socket, port, std::move(tls))));
}

}  // namespace wb
