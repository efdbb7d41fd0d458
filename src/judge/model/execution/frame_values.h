// SPDX-License-Identifier: MIT
// The values of a frame's events while reads-from is being chosen. Each choice makes values known, which make other
// values known. A contradiction (a branch that should have gone the other way, a different address) shows at once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "litmus/value.h"
#include "model/execution/frames.h"

namespace weakspot::model {

class FrameValues {
 public:
  FrameValues(const Layout& layout, const std::vector<litmus::ObservedRegister>& watched);

  // False if the frame contradicts itself before anything is chosen.
  bool consistent() const { return consistent_; }

  // Chooses where a read, or a piece of one, reads from; false if that contradicts the known values. In both cases
  // undo() takes it back.
  bool read_from(EventId read, EventId write);
  // Whether the read cannot read from the write even if nothing else is chosen yet.
  bool contradicts(EventId read, EventId write);
  // Supposes a value for a read whose source depends on the read itself and so has no value yet. The read is an
  // operation from first_unknown().
  bool suppose(EventId operation, const litmus::Value& value);
  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);

  bool known(EventId operation) const { return known_[operation]; }
  const litmus::Value& value(EventId operation) const { return by_operation()[operation]; }
  // By event: what it, or the piece, reads or writes. The value of one of several pieces has no sign.
  const std::vector<litmus::Value>& values() const { return values_; }
  // The first read without a value, in the order of events.
  std::optional<EventId> first_unknown() const;

  // The final value of a watched register, by its index, if it is known.
  std::optional<litmus::Value> final_register(std::size_t index);

  // True if some computation was meaningless (arithmetic on addresses, parts of addresses). It was treated as a
  // contradiction.
  bool met_nonsense() const { return met_nonsense_; }

 private:
  struct Pending {  // can be computed once its reads are known
    std::uint32_t thread = 0;
    ExprId expression = 0;
    std::optional<EventId> write;            // the operation that stores it, or
    const Constraint* constraint = nullptr;  // the constraint that it must satisfy
    std::uint32_t missing = 0;
  };
  struct Watched {
    std::uint32_t thread = 0;
    ExprId expression = 0;
    std::vector<EventId> reads;
  };
  struct Step {
    enum class Kind : std::uint8_t { source, piece, operation };
    EventId id;  // an event, a piece, or an operation whose value became known
    Kind kind;
  };

  bool has_pieces(EventId operation) const {
    return !layout_.pieces.empty() && layout_.end_of_pieces(operation) - layout_.first_piece(operation) > 1;
  }
  const std::vector<litmus::Value>& by_operation() const { return layout_.pieces.empty() ? values_ : wholes_; }

  void set_initial_values();
  void add_pending(std::uint32_t thread, ExprId expression, std::optional<EventId> write, const Constraint* constraint);
  bool learn(EventId operation, const litmus::Value& value);
  bool cuts_address(EventId operation) const;
  bool spread(EventId operation, const litmus::Value& value);
  bool resolve(const Pending& pending);
  bool learn_from(EventId read, EventId write);
  bool learn_piece(EventId read, const litmus::Value& value);
  litmus::Value assembled(EventId operation) const;
  bool stop_at_nonsense();
  auto value_of(std::uint32_t thread) const {
    return [this, first = layout_.first[thread]](std::uint32_t event) { return by_operation()[first + event]; };
  }

  const Layout& layout_;
  std::vector<EventId> reads_;
  std::vector<litmus::Value> values_;  // by event
  std::vector<bool> known_;            // by operation
  std::vector<std::optional<EventId>> source_;
  // Used only if some access has pieces:
  std::vector<litmus::Value> wholes_;   // by operation
  std::vector<bool> piece_known_;       // by event
  std::vector<std::uint32_t> missing_;  // by operation: how many pieces of a read are not known
  std::vector<Pending> pending_;
  std::vector<std::vector<std::uint32_t>> uses_;  // by read: the pending ones that wait for it
  std::vector<Watched> watched_;
  std::vector<Step> trail_;
  bool consistent_ = true;
  bool met_nonsense_ = false;
};

}  // namespace weakspot::model
