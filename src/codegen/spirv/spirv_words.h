// The numbers of SPIR-V that we use, under the names of the specification (SPIR-V 1.5, unified1).
#pragma once

#include <cstdint>

namespace weakspot::codegen::spirv {

inline constexpr std::uint32_t kMagic = 0x07230203;
inline constexpr std::uint32_t kVersion15 = 0x00010500;  // Vulkan 1.2 and newer
inline constexpr std::size_t kHeaderWords = 5;

enum class OpCode : std::uint16_t {
  Name = 5,
  MemoryModel = 14,
  EntryPoint = 15,
  ExecutionMode = 16,
  Capability = 17,
  TypeVoid = 19,
  TypeBool = 20,
  TypeInt = 21,
  TypeVector = 23,
  TypeArray = 28,
  TypeStruct = 30,
  TypePointer = 32,
  TypeFunction = 33,
  Constant = 43,
  Function = 54,
  FunctionEnd = 56,
  Variable = 59,
  Load = 61,
  Store = 62,
  AccessChain = 65,
  Decorate = 71,
  MemberDecorate = 72,
  CompositeExtract = 81,
  UConvert = 113,
  SConvert = 114,
  ConvertUToPtr = 120,
  SNegate = 126,
  IAdd = 128,
  ISub = 130,
  IMul = 132,
  UDiv = 134,
  UMod = 137,
  Select = 169,
  IEqual = 170,
  INotEqual = 171,
  ULessThan = 176,
  SLessThan = 177,
  ULessThanEqual = 178,
  SLessThanEqual = 179,
  ShiftRightLogical = 194,
  ShiftRightArithmetic = 195,
  ShiftLeftLogical = 196,
  BitwiseOr = 197,
  BitwiseXor = 198,
  BitwiseAnd = 199,
  Not = 200,
  ControlBarrier = 224,
  MemoryBarrier = 225,
  AtomicLoad = 227,
  AtomicStore = 228,
  AtomicExchange = 229,
  AtomicCompareExchange = 230,
  AtomicIAdd = 234,
  AtomicISub = 235,
  AtomicSMin = 236,
  AtomicUMin = 237,
  AtomicSMax = 238,
  AtomicUMax = 239,
  AtomicAnd = 240,
  AtomicOr = 241,
  AtomicXor = 242,
  LoopMerge = 246,
  SelectionMerge = 247,
  Label = 248,
  Branch = 249,
  BranchConditional = 250,
  Return = 253,
  Unreachable = 255,
};

enum class Capability : std::uint32_t {
  Shader = 1,
  Int64 = 11,
  Int64Atomics = 12,
  Int16 = 22,
  Int8 = 39,
  GroupNonUniform = 61,
  StorageBuffer16BitAccess = 4433,
  StorageBuffer8BitAccess = 4448,
  VulkanMemoryModel = 5345,
  VulkanMemoryModelDeviceScope = 5346,
  PhysicalStorageBufferAddresses = 5347,
};

enum class StorageClass : std::uint32_t {
  Input = 1,
  Workgroup = 4,
  Function = 7,
  PushConstant = 9,
  PhysicalStorageBuffer = 5349,
};

enum class Decoration : std::uint32_t { Block = 2, BuiltIn = 11, Offset = 35 };
enum class BuiltIn : std::uint32_t {
  WorkgroupId = 26,
  LocalInvocationIndex = 29,
  SubgroupSize = 36,
  SubgroupId = 40,
  SubgroupLocalInvocationId = 41,
};

inline constexpr std::uint32_t kAddressingPhysicalStorageBuffer64 = 5348;
inline constexpr std::uint32_t kMemoryModelVulkan = 3;
inline constexpr std::uint32_t kExecutionModelGLCompute = 5;
inline constexpr std::uint32_t kExecutionModeLocalSize = 17;

enum class MemoryScope : std::uint32_t { Device = 1, Workgroup = 2, Subgroup = 3, QueueFamily = 5 };

// Memory semantics, a mask.
enum Semantics : std::uint32_t {
  kRelaxed = 0,
  kAcquire = 0x2,
  kRelease = 0x4,
  kAcquireRelease = 0x8,
  kUniformMemory = 0x40,  // storage buffers, however addressed
  kWorkgroupMemory = 0x100,
  kMakeAvailable = 0x2000,
  kMakeVisible = 0x4000,
  kVolatileSemantics = 0x8000,
};

// Memory operands of OpLoad and OpStore, a mask; Aligned, MakePointerAvailable and MakePointerVisible are followed by
// the alignment or the scope, in this order.
enum MemoryOperands : std::uint32_t {
  kVolatileAccess = 0x1,
  kAligned = 0x2,
  kMakePointerAvailable = 0x8,
  kMakePointerVisible = 0x10,
  kNonPrivatePointer = 0x20,
};

}  // namespace weakspot::codegen::spirv
