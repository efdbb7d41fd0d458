// SPDX-License-Identifier: MIT
#include "backend/opencl/opencl_compilers.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>
#include <utility>

#include "base/source.h"
#include "json/json.h"

namespace weakspot::backend::opencl {
namespace {

using base::Child;

// Fewer at a time are compiled sooner than processes are ready, each of which opens the device.
constexpr unsigned kFewest = 3;
constexpr std::size_t kMostProcesses = 4;
constexpr auto kMostTime = std::chrono::minutes(2);
constexpr std::string_view kHexDigits = "0123456789abcdef";

// Binaries may have any bytes, and texts of JSON only characters.
std::string to_hex(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kHexDigits[byte >> 4];
    text += kHexDigits[byte & 15];
  }
  return text;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    unsigned byte = 0;
    const auto [end, code] = std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
    if (code != std::errc() || end != text.data() + i + 2) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::optional<base::JsonValue> read_line(std::string_view line) {
  base::Result<base::JsonValue> value = base::read_json_text(base::Source("line", std::string(line)));
  if (!value) return std::nullopt;
  return *std::move(value);
}

}  // namespace

std::string to_line(const Compiled& compiled) {
  return base::json_compact(base::json_object({{"binary", to_hex(compiled.binary)}, {"log", compiled.log}}));
}

std::optional<Compiled> compiled_from_line(std::string_view line) {
  const std::optional<base::JsonValue> value = read_line(line);
  if (!value) return std::nullopt;
  std::optional<std::string> binary = from_hex(value->at("binary").text());
  if (!binary || binary->empty()) return std::nullopt;
  return Compiled{*std::move(binary), value->at("log").text()};
}

std::string to_line(std::string_view text) { return base::json_compact(base::json_object({{"text", text}})); }

std::optional<std::string> text_from_line(std::string_view line) {
  const std::optional<base::JsonValue> value = read_line(line);
  if (!value || !value->at("text").is(base::JsonValue::Kind::string)) return std::nullopt;
  return value->at("text").text();
}

std::optional<Compiled> Compilers::compile(const std::string& text) {
  std::optional<Child> child = take();
  if (!child) return std::nullopt;
  std::string line;
  const bool answered =
      child->send(to_line(text)) && child->receive(line, Child::Clock::now() + kMostTime) == Child::Received::line;
  give_back(answered ? std::move(child) : std::nullopt);
  return answered ? compiled_from_line(line) : std::nullopt;
}

// Starts the processes once it is worth while. Whether there are any.
bool Compilers::may_start() {
  if (started_) return alive_ != 0;
  if (command_.empty() || loading_ < kFewest) return false;
  started_ = true;
  const std::size_t wanted = std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, kMostProcesses);
  for (std::size_t i = 0; i < wanted; ++i) {
    base::Result<Child> child = Child::start(command_);
    if (!child) break;
    idle_.push_back(*std::move(child));
    ++alive_;
  }
  return alive_ != 0;
}

std::optional<Child> Compilers::take() {
  std::unique_lock lock(mutex_);
  if (!may_start()) return std::nullopt;
  changed_.wait(lock, [&] { return !idle_.empty() || alive_ == 0; });
  if (idle_.empty()) return std::nullopt;
  Child child = std::move(idle_.back());
  idle_.pop_back();
  return child;
}

// Without a child: it is gone.
void Compilers::give_back(std::optional<Child> child) {
  const std::lock_guard lock(mutex_);
  if (child) {
    idle_.push_back(*std::move(child));
  } else {
    --alive_;
  }
  changed_.notify_all();
}

}  // namespace weakspot::backend::opencl
