// SPDX-License-Identifier: MIT
// The statements of the functions of a CUDA source, as far as their punctuation shows them: enough to put a statement
// before or behind another one. Macros are not looked into.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weakspot::prove {

struct Token {
  enum class Kind : std::uint8_t { word, text, mark };  // numbers are words
  Kind kind = Kind::mark;
  std::size_t begin = 0, end = 0;
  std::size_t directive = 0;  // the beginning of preprocessor lines right before it; else `begin`
};

// Without comments, white space and lines of the preprocessor.
std::vector<Token> tokens_of(std::string_view text);

struct Statement {
  enum class Kind : std::uint8_t { plain, block, choice, loop, do_loop, label };
  static constexpr std::size_t kNone = ~std::size_t{0};

  Kind kind = Kind::plain;
  std::size_t begin = 0, end = 0;  // with its parts
  std::size_t front = 0;           // a statement put before it goes here: before lines of the preprocessor
  std::size_t parent = kNone;      // none: the body of a function
  std::size_t index = 0;           // among the parts of the parent
  std::vector<std::size_t> parts;
  bool leaves = false;  // return, break, continue, goto
  bool kernel = false;  // the body of a __global__ function
};

class Statements {
 public:
  explicit Statements(std::string_view text);

  const std::vector<Token>& tokens() const { return tokens_; }
  const Statement& operator[](std::size_t number) const { return all_[number]; }
  std::size_t size() const { return all_.size(); }
  // The innermost statement there, which is no block.
  std::optional<std::size_t> at(std::size_t offset) const;
  // The body of the function that the statement is in.
  std::size_t body_of(std::size_t statement) const;
  // The tokens of a statement that are not those of a part of it.
  std::vector<std::size_t> own_tokens(std::size_t statement) const;

 private:
  std::string_view word(std::size_t token) const;
  bool is(std::size_t token, std::string_view text) const { return token < tokens_.size() && word(token) == text; }
  std::size_t read(std::size_t token, std::size_t parent);  // the token behind it
  std::size_t read_block(std::size_t token, std::size_t own);
  std::size_t skip_brackets(std::size_t token) const;
  std::size_t skip_to_end(std::size_t token) const;
  std::size_t open(std::size_t token, std::size_t parent, Statement::Kind kind);

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Statement> all_;
};

}  // namespace weakspot::prove
