// SPDX-License-Identifier: MIT
#include "http/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "base/check.h"
#include "http/replies.h"

namespace weakspot::http {
namespace {

constexpr int kGlanceMs = 100;
constexpr std::chrono::seconds kLeavingTime{2};
constexpr int kAcceptedInATurn = 256;

// A message to a client: a whole answer, or the beginning, a part or the end of a stream.
struct Letter {
  enum class Kind : std::uint8_t { answer, begin, part, end };

  std::uint64_t connection = 0;
  Kind kind = Kind::answer;
  Response response;
  std::string bytes;
  std::shared_ptr<std::atomic<bool>> gone;  // a stream's, for its sender
};

// Letters on their way from other threads to the server's, which a byte in a pipe wakes.
class Mailbox {
 public:
  Mailbox() {
    int ends[2] = {-1, -1};
    WEAKSPOT_CHECK(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    out_ = base::UniqueFd(ends[0]);
    in_ = base::UniqueFd(ends[1]);
  }

  void post(Letter letter) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) {
      if (letter.gone) *letter.gone = true;
      return;
    }
    waiting_.push_back(std::move(letter));
    const char byte = 0;
    // A full pipe wakes the reader as well.
    [[maybe_unused]] const ssize_t written = ::write(in_.get(), &byte, 1);
  }

  std::vector<Letter> take() {
    std::array<char, 4096> bytes;
    while (::read(out_.get(), bytes.data(), bytes.size()) > 0) {
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(waiting_, {});
  }

  // Nobody takes letters any more.
  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    for (const Letter& letter : std::exchange(waiting_, {})) {
      if (letter.gone) *letter.gone = true;
    }
  }

  int descriptor() const { return out_.get(); }

 private:
  std::mutex mutex_;
  bool closed_ = false;
  std::vector<Letter> waiting_;
  base::UniqueFd in_;
  base::UniqueFd out_;
};

class PostedStream final : public Stream {
 public:
  PostedStream(std::shared_ptr<Mailbox> mailbox, std::uint64_t connection, std::shared_ptr<std::atomic<bool>> gone)
      : mailbox_(std::move(mailbox)), connection_(connection), gone_(std::move(gone)) {}
  ~PostedStream() override {
    if (!*gone_) mailbox_->post({connection_, Letter::Kind::end, {}, {}, nullptr});
  }
  PostedStream(const PostedStream&) = delete;
  PostedStream& operator=(const PostedStream&) = delete;

  bool send(std::string bytes) override {
    if (*gone_) return false;
    mailbox_->post({connection_, Letter::Kind::part, {}, std::move(bytes), nullptr});
    return true;
  }
  const std::atomic<bool>& gone() const override { return *gone_; }

 private:
  std::shared_ptr<Mailbox> mailbox_;
  std::uint64_t connection_;
  std::shared_ptr<std::atomic<bool>> gone_;
};

class Posting final : public Answering {
 public:
  Posting(std::shared_ptr<Mailbox> mailbox, std::uint64_t connection)
      : mailbox_(std::move(mailbox)), connection_(connection) {}
  ~Posting() override {
    if (mailbox_) give(refusal(500, "the request was not answered"));
  }
  Posting(const Posting&) = delete;
  Posting& operator=(const Posting&) = delete;

  void give(Response response) override {
    if (const std::shared_ptr<Mailbox> mailbox = std::exchange(mailbox_, nullptr)) {
      mailbox->post({connection_, Letter::Kind::answer, std::move(response), {}, nullptr});
    }
  }
  std::unique_ptr<Stream> stream(Response response) override {
    std::shared_ptr<Mailbox> mailbox = std::exchange(mailbox_, nullptr);
    WEAKSPOT_CHECK(mailbox != nullptr);
    auto gone = std::make_shared<std::atomic<bool>>(false);
    mailbox->post({connection_, Letter::Kind::begin, std::move(response), {}, gone});
    return std::make_unique<PostedStream>(std::move(mailbox), connection_, std::move(gone));
  }

 private:
  std::shared_ptr<Mailbox> mailbox_;
  std::uint64_t connection_;
};

struct Client {
  // Streaming: more may follow at any time. Leaving: all is said, and what the client still sends is thrown away. If we
  // closed at once, it would lose our last words.
  enum class State : std::uint8_t { reading, waiting, writing, streaming, leaving };

  base::UniqueFd socket;
  std::string address;
  State state = State::reading;
  Clock::time_point until;       // end of the state; a waiting client is ours to answer
  Clock::time_point heard_of{};  // when bytes went one way or the other
  std::string in;                // read and not understood yet
  std::string out;               // to be written, from `written` on
  std::size_t written = 0;
  bool keep_open = false;                   // after the response
  std::shared_ptr<std::atomic<bool>> gone;  // a stream's: tells its sender

  Client() = default;
  ~Client() {
    if (gone) *gone = true;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // True if the client may take its time: we owe it an answer, or it has taken all that there is of a stream.
  bool is_patient() const { return state == State::waiting || (state == State::streaming && written == out.size()); }
};

class Loop final : public Server {
 public:
  Loop(Listener listener, ServerLimits limits, Handler handler)
      : listener_(std::move(listener)),
        limits_(std::move(limits)),
        handler_(std::move(handler)),
        mailbox_(std::make_shared<Mailbox>()) {}
  ~Loop() override { mailbox_->close(); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void turn() override {
    wait();
    for (Letter& letter : mailbox_->take()) deliver(std::move(letter));
    accept();
    const Clock::time_point now = Clock::now();
    for (auto entry = clients_.begin(); entry != clients_.end();) {
      const bool over = !entry->second.is_patient() && now > entry->second.until;
      entry = over ? drop(entry) : std::next(entry);
    }
  }

 private:
  using Clients = std::map<std::uint64_t, Client>;

  Clients::iterator drop(Clients::iterator entry) {
    const auto place = by_address_.find(entry->second.address);
    place->second.erase(entry->first);
    if (place->second.empty()) by_address_.erase(place);
    return clients_.erase(entry);
  }

  // Waits for something to do, and does what concerns clients.
  void wait() {
    watched_.assign({{listener_.descriptor(), POLLIN, 0}, {mailbox_->descriptor(), POLLIN, 0}});
    ids_.clear();
    // With all places taken by those who wait for us, new clients wait in the system's queue.
    if (std::exchange(full_, false)) watched_[0].events = 0;
    for (const auto& [id, client] : clients_) {
      if (client.state == Client::State::waiting) continue;
      const bool writes = client.state == Client::State::writing ||
                          (client.state == Client::State::streaming && client.written < client.out.size());
      const short events = writes ? POLLOUT : POLLIN;
      watched_.push_back({client.socket.get(), events, 0});
      ids_.push_back(id);
    }
    ::poll(watched_.data(), watched_.size(), kGlanceMs);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (watched_[i + 2].revents == 0) continue;
      const auto found = clients_.find(ids_[i]);
      if (!go_on(found->first, found->second)) drop(found);
    }
  }

  void accept() {
    for (int i = 0; i < kAcceptedInATurn; ++i) {
      if (clients_.size() >= limits_.connections) {
        pollfd newcomers{listener_.descriptor(), POLLIN, 0};
        if (::poll(&newcomers, 1, 0) <= 0) return;
        full_ = !end_quietest(most_connected());
        if (full_) return;
      }
      sockaddr_in address{};
      socklen_t length = sizeof address;
      base::UniqueFd socket(::accept4(listener_.descriptor(), reinterpret_cast<sockaddr*>(&address), &length,
                                      SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!socket.valid()) {
        full_ = errno == EMFILE || errno == ENFILE;
        return;
      }
      welcome(std::move(socket), sender_address(ntohl(address.sin_addr.s_addr)));
    }
  }

  void welcome(base::UniqueFd socket, const std::string& address) {
    const bool limited = std::find(limits_.proxies.begin(), limits_.proxies.end(), address) == limits_.proxies.end();
    const auto known = by_address_.find(address);
    if (limited && known != by_address_.end() && known->second.size() >= limits_.per_address && !end_quietest(known)) {
      return;
    }
    const int yes = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    Client& client = clients_[++last_id_];
    client.socket = std::move(socket);
    client.address = address;
    client.heard_of = Clock::now();
    client.until = client.heard_of + limits_.request;
    by_address_[address].insert(last_id_);
  }

  using Addresses = std::map<std::string, std::set<std::uint64_t>>;

  Addresses::iterator most_connected() {
    return std::max_element(by_address_.begin(), by_address_.end(),
                            [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  }

  // Ends a connection of the address; false if all of them wait for us.
  bool end_quietest(Addresses::iterator address) {
    if (address == by_address_.end()) return false;
    auto quietest = clients_.end();
    for (const std::uint64_t id : address->second) {
      const auto client = clients_.find(id);
      if (client->second.is_patient()) continue;
      if (quietest == clients_.end() || client->second.heard_of < quietest->second.heard_of) quietest = client;
    }
    if (quietest == clients_.end()) return false;
    drop(quietest);
    return true;
  }

  // False: the client is gone.
  bool go_on(std::uint64_t id, Client& client) {
    if (client.state == Client::State::reading) return read(id, client);
    if (client.state == Client::State::writing) return write(id, client);
    if (client.state == Client::State::streaming && client.written < client.out.size()) return write_stream(client);
    std::array<char, 1 << 14> bytes;
    const ssize_t count = ::recv(client.socket.get(), bytes.data(), bytes.size(), 0);
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
  }

  bool read(std::uint64_t id, Client& client) {
    std::array<char, 1 << 16> bytes;
    const ssize_t count = ::recv(client.socket.get(), bytes.data(), bytes.size(), 0);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    if (count == 0) return false;
    client.heard_of = Clock::now();
    if (client.in.empty()) client.until = client.heard_of + limits_.request;
    client.in.append(bytes.data(), static_cast<std::size_t>(count));
    return understand(id, client);
  }

  bool understand(std::uint64_t id, Client& client) {
    Asked asked;
    Refused refused;
    std::size_t taken = 0;
    std::size_t length = 0;
    Head head = read_head(client.in, asked.request, taken, length, refused);
    const std::size_t most =
        length <= limits_.body || !limits_.most_body ? limits_.body : limits_.most_body(asked.request);
    if (head == Head::complete && length > most) {
      head = Head::wrong;
      refused = {413, fmt::format("the body is longer than {} bytes", most)};
    }
    if (head == Head::wrong) {
      client.keep_open = false;
      return begin_writing(id, client, refusal(refused.status, refused.sentence));
    }
    if (head == Head::incomplete || client.in.size() - taken < length) return true;
    asked.request.body = client.in.substr(taken, length);
    client.in.erase(0, taken + length);
    client.keep_open = asked.request.keep_open;
    client.state = Client::State::waiting;
    asked.sender = sender_of(asked.request, client.address, limits_.proxies);
    handler_(std::move(asked), std::make_unique<Posting>(mailbox_, id));
    return true;
  }

  void deliver(Letter letter) {
    const auto found = clients_.find(letter.connection);
    if (found == clients_.end()) {
      if (letter.gone) *letter.gone = true;
      return;
    }
    if (!deliver(found->first, found->second, std::move(letter))) drop(found);
  }

  bool deliver(std::uint64_t id, Client& client, Letter letter) {
    switch (letter.kind) {
      case Letter::Kind::answer:
        return begin_writing(id, client, letter.response);
      case Letter::Kind::begin:
        client.gone = std::move(letter.gone);
        client.keep_open = false;
        client.state = Client::State::streaming;
        watch_for_silence(client.socket.get());
        return add_to_stream(client, write_response(letter.response, After::stream));
      case Letter::Kind::part:
        return client.state == Client::State::streaming && add_to_stream(client, std::move(letter.bytes));
      case Letter::Kind::end:
        break;
    }
    // The rest of the stream is an answer that ends.
    client.state = Client::State::writing;
    client.until = Clock::now() + limits_.response;
    return write(id, client);
  }

  // A listener whose machine is gone says nothing, not even that: the system gives up what it does not confirm.
  void watch_for_silence(int socket) const {
    const auto most = static_cast<unsigned>(limits_.response.count());
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &most, sizeof most);
  }

  bool add_to_stream(Client& client, std::string bytes) {
    const bool was_idle = client.written == client.out.size();
    if (was_idle) {
      client.out = std::move(bytes);
      client.written = 0;
      client.until = Clock::now() + limits_.response;
    } else if (client.out.size() - client.written + bytes.size() > limits_.stream) {
      return false;
    } else {
      client.out.erase(0, std::exchange(client.written, 0));
      client.out += bytes;
    }
    return write_stream(client);
  }

  bool write_stream(Client& client) {
    const std::size_t before = client.written;
    const bool alive = write_some(client);
    if (client.written != before) client.until = Clock::now() + limits_.response;
    return alive;
  }

  // Writes as much as the client takes now; false if it is gone.
  static bool write_some(Client& client) {
    while (client.written < client.out.size()) {
      const ssize_t count = ::send(client.socket.get(), client.out.data() + client.written,
                                   client.out.size() - client.written, MSG_NOSIGNAL);
      if (count < 0) return errno == EINTR || errno == EAGAIN;
      client.written += static_cast<std::size_t>(count);
      client.heard_of = Clock::now();
    }
    return true;
  }

  bool begin_writing(std::uint64_t id, Client& client, const Response& response) {
    client.out = write_response(response, client.keep_open ? After::keep_open : After::close);
    client.written = 0;
    client.state = Client::State::writing;
    client.until = Clock::now() + limits_.response;
    return write(id, client);
  }

  bool write(std::uint64_t id, Client& client) {
    if (!write_some(client)) return false;
    if (client.written < client.out.size()) return true;
    client.out.clear();
    client.written = 0;
    if (!client.keep_open) {
      ::shutdown(client.socket.get(), SHUT_WR);
      client.state = Client::State::leaving;
      client.until = Clock::now() + kLeavingTime;
      return true;
    }
    client.state = Client::State::reading;
    client.until = Clock::now() + (client.in.empty() ? limits_.idle : limits_.request);
    return client.in.empty() || understand(id, client);
  }

  Listener listener_;
  ServerLimits limits_;
  Handler handler_;
  std::shared_ptr<Mailbox> mailbox_;  // shared with answers that outlive the server
  Clients clients_;
  Addresses by_address_;  // the clients
  bool full_ = false;     // nobody can be let in before the next turn
  std::uint64_t last_id_ = 0;
  std::vector<pollfd> watched_;
  std::vector<std::uint64_t> ids_;  // the clients in `watched_`
};

}  // namespace

std::size_t allow_descriptors(std::size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlimit more{std::min<rlim_t>(wanted, limit.rlim_max), limit.rlim_max};
  if (more.rlim_cur > limit.rlim_cur && ::setrlimit(RLIMIT_NOFILE, &more) == 0) limit = more;
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, wanted));
}

std::unique_ptr<Server> make_server(Listener listener, ServerLimits limits, Handler handler) {
  return std::make_unique<Loop>(std::move(listener), std::move(limits), std::move(handler));
}

void serve(Listener listener, ServerLimits limits, Handler handler, const std::atomic<bool>& stop) {
  const std::unique_ptr<Server> server = make_server(std::move(listener), std::move(limits), std::move(handler));
  while (!stop) server->turn();
}

}  // namespace weakspot::http
