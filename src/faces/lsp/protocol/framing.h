// SPDX-License-Identifier: MIT
// Messages on a stream of bytes: a header `Content-Length: N`, an empty line, and N bytes (Language Server
// Protocol 3.17, "Base Protocol").
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weakspot::lsp {

inline constexpr std::size_t kLargestMessage = std::size_t{64} << 20;

// Takes a stream apart. After a fault it goes on at the next header, so that one bad message does not lose the others.
class FrameReader {
 public:
  struct Item {
    bool fault = false;
    std::string text;  // the message, or what is wrong
  };

  void feed(std::string_view bytes);
  // The next whole message or fault; none: more bytes are needed.
  std::optional<Item> next();

 private:
  std::optional<Item> header();
  Item lost(std::string reason);
  bool find_header();

  std::string buffer_;
  std::size_t at_ = 0;                 // bytes before it were taken
  std::optional<std::size_t> length_;  // length of the message whose header was read
  std::size_t skip_ = 0;               // bytes of a message that is too large
  bool lost_ = false;                  // looking for a header
};

std::string framed(std::string_view message);

}  // namespace weakspot::lsp
