// SPDX-License-Identifier: MIT
#include "store/postgres/postgres_library.h"

#include "store/connection/shared_library.h"

namespace weakspot::store {

base::Status load_libpq() {
  static const base::Status loaded = [] {
    SharedLibrary library("libpq.so.5");
    library.find("PQclear", PQclear);
    library.find("PQcmdStatus", PQcmdStatus);
    library.find("PQcmdTuples", PQcmdTuples);
    library.find("PQconnectdb", PQconnectdb);
    library.find("PQerrorMessage", PQerrorMessage);
    library.find("PQexec", PQexec);
    library.find("PQexecPrepared", PQexecPrepared);
    library.find("PQfinish", PQfinish);
    library.find("PQgetisnull", PQgetisnull);
    library.find("PQgetlength", PQgetlength);
    library.find("PQgetvalue", PQgetvalue);
    library.find("PQnfields", PQnfields);
    library.find("PQntuples", PQntuples);
    library.find("PQprepare", PQprepare);
    library.find("PQreset", PQreset);
    library.find("PQresultErrorField", PQresultErrorField);
    library.find("PQresultStatus", PQresultStatus);
    library.find("PQsetClientEncoding", PQsetClientEncoding);
    library.find("PQsetNoticeProcessor", PQsetNoticeProcessor);
    library.find("PQstatus", PQstatus);
    library.find("PQtransactionStatus", PQtransactionStatus);
    return library.found("a store on PostgreSQL");
  }();
  return loaded;
}

}  // namespace weakspot::store
