// SPDX-License-Identifier: MIT
// The functions of libpq that we use, from the library that is opened at run time. Within weakspot::store their names
// are these pointers, which hide the declarations of the header.
#pragma once

#include <libpq-fe.h>

#include "base/result.h"

namespace weakspot::store {

inline decltype(&::PQclear) PQclear = nullptr;
inline decltype(&::PQcmdStatus) PQcmdStatus = nullptr;
inline decltype(&::PQcmdTuples) PQcmdTuples = nullptr;
inline decltype(&::PQconnectdb) PQconnectdb = nullptr;
inline decltype(&::PQerrorMessage) PQerrorMessage = nullptr;
inline decltype(&::PQexec) PQexec = nullptr;
inline decltype(&::PQexecPrepared) PQexecPrepared = nullptr;
inline decltype(&::PQfinish) PQfinish = nullptr;
inline decltype(&::PQgetisnull) PQgetisnull = nullptr;
inline decltype(&::PQgetlength) PQgetlength = nullptr;
inline decltype(&::PQgetvalue) PQgetvalue = nullptr;
inline decltype(&::PQnfields) PQnfields = nullptr;
inline decltype(&::PQntuples) PQntuples = nullptr;
inline decltype(&::PQprepare) PQprepare = nullptr;
inline decltype(&::PQreset) PQreset = nullptr;
inline decltype(&::PQresultErrorField) PQresultErrorField = nullptr;
inline decltype(&::PQresultStatus) PQresultStatus = nullptr;
inline decltype(&::PQsetClientEncoding) PQsetClientEncoding = nullptr;
inline decltype(&::PQsetNoticeProcessor) PQsetNoticeProcessor = nullptr;
inline decltype(&::PQstatus) PQstatus = nullptr;
inline decltype(&::PQtransactionStatus) PQtransactionStatus = nullptr;

// Before any other of them is called. Opened once per process; the error says what is missing.
base::Status load_libpq();

}  // namespace weakspot::store
