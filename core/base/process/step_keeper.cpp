// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/step_keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/process/keeper.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view jobNameOption = "--job-name=";
constexpr int cannotStart = 127;
// The keeper in the step needs less to end all that is there, also daemons, of which Slurm may know nothing.
constexpr milliseconds untilSwept{2000};
// srun needs this long to end its step where a node answers; a node that does not is left to scancel.
constexpr milliseconds untilKilled{2000};
// Nobody waits longer for the scheduler's word that the job is cancelled.
constexpr milliseconds untilCancelled{1500};
constexpr milliseconds firstQuestion{100}, questionAgain{200}, questionPeriod{5000};

std::string jobName(char* const* argv) {
  for (; *argv != nullptr; ++argv)
    if (const std::string_view word(*argv); word.starts_with(jobNameOption))
      return std::string(word.substr(jobNameOption.size()));
  return {};
}

struct Program {
  pid_t pid = -1;
  /// What it writes comes from here.
  int output = -1;
};

/// Starts a program in a session of its own, so that no signal to a group reaches it: where srun and the
/// process that it has forked are killed together, nobody ends the step. `which` is the descriptor that is
/// read here.
Program start(std::vector<std::string> words, int which, const sigset_t& mask) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t self = ::getpid(), pid = ::fork();
  if (pid == 0) {
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != self) ::_exit(cannotStart);
    ::dup2(ends[1], which);
    std::signal(SIGPIPE, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    ::execvp(argv[0], argv.data());
    std::fprintf(stderr, "cannot start %s: %s\n", argv[0],
                 std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
    ::_exit(cannotStart);
  }
  ::close(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {pid, ends[0]};
}

/// Appends what is there to read; false at the end.
bool readAll(int descriptor, std::string& text) {
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    return got < 0 && errno == EAGAIN;
  }
}

void writeAll(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// srun says a signal of its step as 128 and the signal's number.
int asOfTheStep(int status) {
  constexpr int base = 128;
  if (!WIFEXITED(status) || WEXITSTATUS(status) <= base || WEXITSTATUS(status) >= base + NSIG) return status;
  return WEXITSTATUS(status) - base;
}

template <class Value>
bool isOneOf(const Value& value, std::initializer_list<Value> all) {
  return std::find(all.begin(), all.end(), value) != all.end();
}

class StepKeeper {
 public:
  StepKeeper(char* const* command, int signals, const sigset_t& mask)
      : name_(jobName(command)), signals_(signals), mask_(mask) {
    std::vector<std::string> words;
    for (char* const* word = command; *word != nullptr; ++word) words.emplace_back(*word);
    srun_ = start(std::move(words), STDERR_FILENO, mask_);
    // Whoever reads the step's output must see its end when srun ends.
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
  }

  /// The status of srun as waitpid() gives it.
  int run() {
    if (srun_.pid < 0) ::_exit(cannotStart);
    while (!status_) turn();
    relay();
    // What is left in the pipe comes from processes that will end with the step.
    if (srun_.output >= 0) ::close(std::exchange(srun_.output, -1));
    pass({});
    if (question_.pid > 0) ::kill(question_.pid, SIGKILL);
    if (!ending_ && *status_ != 0) askForJob();
    // srun that ends by itself leaves no job behind.
    if (ending_ || !WIFEXITED(*status_)) cancelJob();
    return *status_;
  }

 private:
  void turn() {
    std::array<pollfd, 3> waiting{
        {{signals_, POLLIN, 0}, {srun_.output, POLLIN, 0}, {question_.output, POLLIN, 0}}};
    const auto left = std::chrono::ceil<milliseconds>(next_ - Clock::now()).count();
    ::poll(waiting.data(), waiting.size(),
           next_ == Clock::time_point::max() ? -1 : static_cast<int>(std::max<long>(left, 0)));
    readSignals();
    if (waiting[1].revents != 0) relay();
    if (waiting[2].revents != 0) hearAnswer();
    if (Clock::now() >= next_) act();
  }

  void readSignals() {
    signalfd_siginfo info{};
    while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
      if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGQUIT) end();
    int status = 0;
    while (const pid_t ended = ::waitpid(-1, &status, WNOHANG)) {
      if (ended < 0) return;
      if (ended == srun_.pid) status_ = status;
    }
  }

  void end() {
    if (ending_) return;
    ending_ = true;
    if (std::exchange(isQueued_, false)) return endStep();
    ::kill(srun_.pid, SIGUSR2);
    next_ = Clock::now() + untilSwept;
  }

  void endStep() {
    isStepEnding_ = true;
    ::kill(srun_.pid, SIGTERM);
    next_ = Clock::now() + untilKilled;
  }

  /// What was planned for now: srun has had its time, or the scheduler is asked.
  void act() {
    next_ = Clock::time_point::max();
    if (ending_ && !isStepEnding_) {
      endStep();
    } else if (ending_) {
      ::kill(srun_.pid, SIGKILL);
    } else if (isQueued_ && question_.output < 0) {
      question_ = start({"squeue", "--noheader", "--states=PENDING", "--name=" + name_, "--format=%r"},
                        STDOUT_FILENO, mask_);
      answer_.clear();
    }
  }

  void hearAnswer() {
    if (readAll(question_.output, answer_)) return;
    ::close(question_.output);
    question_ = {};
    const std::string reason = answer_.substr(0, answer_.find('\n'));
    // A job that has just come is given its reason only by and by.
    if (isQueued_ && !reason.empty() && reason != "None" && reason != told_) tell(reason);
    if (isQueued_) next_ = Clock::now() + (told_.empty() ? firstQuestion : questionPeriod);
  }

  void tell(const std::string& reason) {
    told_ = reason;
    writeAll(std::string(queueMark) + " " + reason + "\n");
  }

  /// Passes on what srun says, and looks for what it says of the queue.
  void relay() {
    std::string text;
    if (srun_.output >= 0 && !readAll(srun_.output, text)) {
      ::close(srun_.output);
      srun_.output = -1;
    }
    pass(text);
    if (isGranted_) return;
    said_ += text;
    if (!isQueued_ && !ending_ && said_.find("queued and waiting for resources") != std::string::npos) {
      isQueued_ = true;
      writeAll(std::string(queueMark) + " waiting for resources\n");
      next_ = Clock::now();
    }
    if (said_.find("has been allocated resources") == std::string::npos) return;
    isGranted_ = true;
    if (std::exchange(isQueued_, false)) writeAll(std::string(queueMark) + "\n");
    if (!ending_) next_ = Clock::time_point::max();
  }

  /// Passes the text on without srun's lines about the end of the task, which the exit status says.
  void pass(std::string_view text) {
    constexpr std::string_view mark = "srun: error: ";
    held_ += text;
    std::string passed;
    while (!held_.empty()) {
      const std::size_t end = held_.find('\n');
      const bool mayBeOurs =
          isLineStart_ && (held_.starts_with(mark) || mark.starts_with(held_.substr(0, mark.size())));
      if (end == std::string::npos && mayBeOurs && srun_.output >= 0) break;
      const std::string line = held_.substr(0, end == std::string::npos ? end : end + 1);
      if (!mayBeOurs || line.find(": task 0: ") == std::string::npos) passed += line;
      isLineStart_ = line.ends_with('\n');
      held_.erase(0, line.size());
    }
    writeAll(passed);
  }

  /// srun may go without a word of what happened to its node or job, which the scheduler knows; where it has
  /// just ended the job, only as soon as that is over.
  void askForJob() {
    const auto before = Clock::now() + untilCancelled;
    // A task that ends by another signal, or by itself, is its own end.
    const bool mayBeEnded = isOneOf(asOfTheStep(*status_), {SIGTERM, SIGKILL});
    for (;;) {
      const std::string state = stateOfJob(before);
      // These are what others do to a job; "FAILED" and the like are its own end.
      if (isOneOf<std::string_view>(state, {"NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "TIMEOUT", "CANCELLED"}))
        return writeAll(std::string(jobMark) + " " + state + "\n");
      const bool isOver = !isOneOf<std::string_view>(state, {"", "RUNNING", "COMPLETING"});
      if (!mayBeEnded || isOver || Clock::now() + questionAgain >= before) return;
      ::poll(nullptr, 0, static_cast<int>(questionAgain.count()));
    }
  }

  std::string stateOfJob(Clock::time_point before) {
    const Program question = start({"squeue", "--noheader", "--states=all", "--name=" + name_, "--format=%T"},
                                   STDOUT_FILENO, mask_);
    if (question.pid < 0) return {};
    std::string answer;
    while (readAll(question.output, answer) && Clock::now() < before) {
      pollfd waiting{question.output, POLLIN, 0};
      ::poll(&waiting, 1, 50);
    }
    ::close(question.output);
    ::kill(question.pid, SIGKILL);
    return answer.substr(0, answer.find('\n'));
  }

  void cancelJob() {
    const Program cancel = start({"scancel", "--quiet", "--name=" + name_}, STDOUT_FILENO, mask_);
    const auto before = Clock::now() + untilCancelled;
    while (cancel.pid > 0 && Clock::now() < before) {
      if (::waitpid(cancel.pid, nullptr, WNOHANG) != 0) return;
      pollfd waiting{signals_, POLLIN, 0};
      ::poll(&waiting, 1, 50);
      signalfd_siginfo info{};
      [[maybe_unused]] const ssize_t got = ::read(signals_, &info, sizeof info);
    }
  }

  std::string name_;
  int signals_;
  const sigset_t& mask_;
  Program srun_, question_;
  std::string answer_, said_, told_, held_;
  bool isLineStart_ = true;
  bool isQueued_ = false, isGranted_ = false, ending_ = false, isStepEnding_ = false;
  Clock::time_point next_ = Clock::time_point::max();
  std::optional<int> status_;
};

}  // namespace

bool isStep(char* const* argv) {
  if (argv[0] == nullptr) return false;
  const std::string_view program(argv[0]);
  return program.substr(program.rfind('/') + 1) == "srun" && !jobName(argv).empty();
}

void keepStep(char* const* argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  sigset_t signals, before;
  sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGTERM, SIGQUIT, SIGUSR1, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  std::signal(SIGCHLD, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN);
  const int descriptor = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  endAs(asOfTheStep(StepKeeper(argv, descriptor, before).run()));
}

}  // namespace wb
