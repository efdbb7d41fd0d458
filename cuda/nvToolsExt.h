// SPDX-License-Identifier: MIT
// NVTX, by which programs name parts of themselves for a profiler: nobody listens, so that nothing happens.
#pragma once

#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum {
  NVTX_MESSAGE_UNKNOWN,
  NVTX_MESSAGE_TYPE_ASCII,
  NVTX_MESSAGE_TYPE_UNICODE,
  NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum {
  NVTX_PAYLOAD_UNKNOWN,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
  NVTX_PAYLOAD_TYPE_INT64,
  NVTX_PAYLOAD_TYPE_DOUBLE,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
  NVTX_PAYLOAD_TYPE_INT32,
  NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration* nvtxStringHandle_t;
typedef union {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define __WS_NOTHING(name, ...) \
  static inline void name(__VA_ARGS__) {}
__WS_NOTHING(nvtxInitialize, const void*)
__WS_NOTHING(nvtxMarkA, const char*)
__WS_NOTHING(nvtxMarkW, const wchar_t*)
__WS_NOTHING(nvtxMarkEx, const nvtxEventAttributes_t*)
__WS_NOTHING(nvtxRangeEnd, nvtxRangeId_t)
__WS_NOTHING(nvtxNameCategoryA, uint32_t, const char*)
__WS_NOTHING(nvtxNameOsThreadA, uint32_t, const char*)
__WS_NOTHING(nvtxDomainDestroy, nvtxDomainHandle_t)
__WS_NOTHING(nvtxDomainMarkEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*)
__WS_NOTHING(nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t)
__WS_NOTHING(nvtxDomainNameCategoryA, nvtxDomainHandle_t, uint32_t, const char*)
#undef __WS_NOTHING

#define __WS_NONE(type, value, name, ...) \
  static inline type name(__VA_ARGS__) { return value; }
__WS_NONE(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushA, const char*)
__WS_NONE(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushW, const wchar_t*)
__WS_NONE(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushEx, const nvtxEventAttributes_t*)
__WS_NONE(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePop, void)
__WS_NONE(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePushEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*)
__WS_NONE(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop, nvtxDomainHandle_t)
__WS_NONE(nvtxRangeId_t, 0, nvtxRangeStartA, const char*)
__WS_NONE(nvtxRangeId_t, 0, nvtxRangeStartEx, const nvtxEventAttributes_t*)
__WS_NONE(nvtxRangeId_t, 0, nvtxDomainRangeStartEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*)
__WS_NONE(nvtxDomainHandle_t, 0, nvtxDomainCreateA, const char*)
__WS_NONE(nvtxStringHandle_t, 0, nvtxDomainRegisterStringA, nvtxDomainHandle_t, const char*)
#undef __WS_NONE

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
