// SPDX-License-Identifier: MIT
// A small language for kernels. The harness builds them once; each target has a printer for them.
//
// A kernel has numbered variables of 32 or 64 bits, expressions over them without side effects, and structured
// statements: a Block can be left by a Break, a Loop goes round by a Continue and is left by a Break or by reaching
// its end. Addresses are 64-bit values: of buffers, or of the workgroup's shared memory (which starts at 0).
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "litmus/asynchronous.h"
#include "litmus/fence.h"
#include "litmus/operators.h"
#include "litmus/vocabulary.h"

namespace weakspot::codegen {

enum class Width : std::uint8_t { w32, w64 };

enum class Op : std::uint8_t {
  add,
  sub,
  mul,
  div,  // unsigned; dividing by zero gives an unspecified value
  rem,
  and_,
  or_,
  xor_,
  shl,  // amounts at or above the width give 0 (shl, shr) or the sign (sar)
  shr,
  sar,
  min,  // unsigned
  not_,
  neg,
  eq,  // comparisons give 0 or 1, in 32 bits
  ne,
  lt,
  le,
  lt_signed,
  le_signed,
  widen,         // 32 -> 64, zero-extended
  widen_signed,  // 32 -> 64
  narrow,        // 64 -> 32
  mul_wide,      // 32 x 32 -> 64, unsigned
  select,        // first argument not 0 ? second : third
};

enum class Builtin : std::uint8_t { local_id, workgroup_id };

struct Var {
  std::uint32_t index = 0;
  Width width = Width::w32;
  friend bool operator==(const Var&, const Var&) = default;
};

class Expr;

struct ExprNode {
  enum class Kind : std::uint8_t { constant, variable, builtin, buffer, op };
  Kind kind = Kind::constant;
  Width width = Width::w32;
  std::uint64_t value = 0;  // constant; number of the variable or buffer
  Builtin builtin = Builtin::local_id;
  Op op = Op::add;
  std::vector<Expr> args;
};

// A value; copies share the tree. Operators fold constants and neutral elements, so harness code need not.
class Expr {
 public:
  Expr(std::uint32_t constant);  // NOLINT: numbers stand for themselves
  Expr(Var variable);            // NOLINT: and so do variables
  explicit Expr(ExprNode node) : node_(std::make_shared<const ExprNode>(std::move(node))) {}

  const ExprNode& node() const { return *node_; }
  Width width() const { return node_->width; }
  std::optional<std::uint64_t> constant() const;

 private:
  std::shared_ptr<const ExprNode> node_;
};

bool is_comparison(const ExprNode& node);

Expr constant64(std::uint64_t value);
Expr builtin(Builtin which);
Expr buffer_address(std::uint32_t buffer);  // the address of the buffer's first byte
Expr apply(Op op, std::vector<Expr> args);
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator%(Expr a, Expr b);
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);
Expr operator^(Expr a, Expr b);
Expr operator<<(Expr a, Expr b);
Expr operator>>(Expr a, Expr b);
Expr equal(Expr a, Expr b);
Expr not_equal(Expr a, Expr b);
Expr less(Expr a, Expr b);      // unsigned
Expr at_least(Expr a, Expr b);  // unsigned
Expr select(Expr condition, Expr yes, Expr no);
Expr widen(Expr a);
Expr mul_wide(Expr a, Expr b);

// The value of an operator at the width of its operands: the meaning that printers must match.
std::uint64_t evaluate(Op op, Width width, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0);

// The words of Vulkan tests beyond order and scope, exactly as written. In other tests accesses are never private, and
// acquire and release cover all memory.
struct VulkanWords {
  litmus::Tags tags;         // non-private, available, visible
  litmus::Spaces semantics;  // the storage classes that an acquire or release covers
};

// The address of an access, and its type, order and scope.
struct MemoryAccess {
  Expr address = constant64(0);
  bool shared = false;  // the workgroup's memory
  // Only with `shared`, and in PTX: the memory of some workgroup of the cluster, at an address that a MapStep gave.
  bool cluster = false;
  litmus::Type type = litmus::Type::u32;
  litmus::Order order = litmus::Order::plain;
  litmus::Scope scope = litmus::Scope::device;
  litmus::CacheOp cache = litmus::CacheOp::none;
  // texture, constant: a load, in PTX, of what is at that address of the module's `viewed` buffer.
  litmus::Proxy proxy = litmus::Proxy::generic;
  bool is_volatile = false;
  std::optional<VulkanWords> vulkan;
};

struct Stmt;
using Body = std::vector<Stmt>;

struct Assign {
  Var target;
  Expr value;
};
// Values narrower than the target are extended as their type says.
struct LoadFrom {
  Var target;
  MemoryAccess access;
};
struct StoreTo {
  MemoryAccess access;
  Expr value;
};
struct AtomicOn {
  litmus::RmwOp op = litmus::RmwOp::add;
  std::optional<Var> target;  // the old value
  MemoryAccess access;
  Expr operand;
  std::optional<Expr> expected;  // cas
};
struct FenceOf {
  litmus::Fence fence;
  std::optional<VulkanWords> vulkan;
};
// A barrier of the workgroup, of those `threads` of it that name the same `id`, or of the subgroup; or one of the two
// halves of a barrier of the cluster.
struct BarrierOf {
  enum class Kind : std::uint8_t { workgroup, named, subgroup, cluster_arrive, cluster_wait };
  Kind kind = Kind::workgroup;
  Expr id = 0u;               // named: 1 to 15
  std::uint32_t threads = 0;  // named: a multiple of the subgroup size
  // The memory that the barrier orders and the scope, in languages that name them; empty: all memory.
  litmus::Spaces semantics;
  litmus::Scope memory_scope = litmus::Scope::workgroup;
  // Only with Vulkan's words and for cluster_arrive, which may be relaxed; other barriers acquire and release.
  std::optional<VulkanWords> vulkan;
  litmus::Order order = litmus::Order::acq_rel;
};

// ---- asynchronous operations, which only PTX has ----

// A place of data: in a buffer, in the workgroup's memory, or (`cluster`) in that of a workgroup of the cluster.
struct Place {
  Expr address = constant64(0);
  bool shared = false;
  bool cluster = false;
};
struct CopyStep {
  litmus::AsyncEngine engine = litmus::AsyncEngine::bulk;
  litmus::Type type = litmus::Type::u32;  // reductions and remote stores
  std::optional<litmus::RmwOp> reduce;
  Place to;
  Place from;
  Expr value = 0u;  // remote stores
  std::uint32_t bytes = 4;
  std::optional<Place> mbarrier;
  std::uint32_t multicast = 0;  // a bit per workgroup of the cluster: the copy goes to the same place in each
};
struct MbarrierStep {
  enum class Op : std::uint8_t { init, invalidate, arrive, drop, expect, complete, follow, test, attempt };
  Op op = Op::arrive;
  Place mbarrier;
  litmus::Order order = litmus::Order::release;
  litmus::Scope scope = litmus::Scope::workgroup;
  std::uint32_t count = 1;  // init, arrive, drop
  std::uint32_t bytes = 0;  // arrive, drop, expect, complete
  Expr phase = 0u;          // test, attempt
  Var target;               // test, attempt (which may wait for a while): 1 if the phase is over
};
// The address, in the cluster's window, of what is at `address` in the memory of a workgroup of the cluster.
struct MapStep {
  Var target;
  Expr address;
  Expr workgroup;
};
struct AsyncOf {
  std::variant<CopyStep, MbarrierStep, litmus::AsyncControl, MapStep> step;
};

// ---- control ----

struct If {
  Expr condition;
  Body yes;
  Body no;
};
struct Block {
  std::uint32_t label = 0;
  Body body;
};
struct Loop {
  std::uint32_t label = 0;
  Body body;
};
struct Break {
  std::uint32_t label = 0;
};
struct Continue {
  std::uint32_t label = 0;
};
// A comment. In PTX and OpenCL C the names of the variables follow, for those who check what became of the code.
struct Comment {
  std::string text;
  std::vector<std::pair<std::string, Var>> variables = {};
};
// What follows, up to the next one, is code of an instruction of the test, or of none.
struct Origin {
  struct Instruction {
    std::uint32_t thread = 0;
    std::uint32_t number = 0;
  };
  std::optional<Instruction> of = std::nullopt;
};

// What a device has nothing of.
template <typename Node>
concept ForReaders = std::same_as<Node, Comment> || std::same_as<Node, Origin>;

struct Stmt {
  std::variant<Assign, LoadFrom, StoreTo, AtomicOn, FenceOf, BarrierOf, AsyncOf, If, Block, Loop, Break, Continue,
               Comment, Origin>
      node;
};

struct Kernel {
  std::string name;
  std::uint32_t workgroup_size = 1;
  std::uint32_t shared_bytes = 0;
  std::uint32_t shared_alignment = 8;
  std::uint32_t cluster_size = 1;
  bool subgroups = false;  // a subgroup must be a run of local ids that starts at a multiple of its size
  std::vector<Width> variables;
  Body body;
};

struct KernelModule {
  std::vector<std::string> buffers;
  std::vector<Kernel> kernels;
  std::uint32_t viewed = 0;  // the buffer that loads through a texture or through constant memory see
};

}  // namespace weakspot::codegen
