#pragma once
#include <dlfcn.h>
#include <postgresql/libpq-fe.h>
#include <string.h>

// libpq 15, opened when the first server is needed: linked, it and what it needs (Kerberos, LDAP, OpenSSL) would slow every
// command.

#define CPOSTGRES_FUNCTIONS(entry) \
  entry(PQconninfoOption *, conninfoParse, (const char *url, char **reason)) \
  entry(void, conninfoFree, (PQconninfoOption *options)) \
  entry(void, freemem, (void *memory)) \
  entry(PGconn *, connectStartParams, (const char *const *names, const char *const *values, int expands)) \
  entry(PostgresPollingStatusType, connectPoll, (PGconn *connection)) \
  entry(ConnStatusType, status, (const PGconn *connection)) \
  entry(int, connectionNeedsPassword, (const PGconn *connection)) \
  entry(int, socket, (const PGconn *connection)) \
  entry(char *, errorMessage, (const PGconn *connection)) \
  entry(void, finish, (PGconn *connection)) \
  entry(PQnoticeProcessor, setNoticeProcessor, (PGconn *connection, PQnoticeProcessor processor, void *argument)) \
  entry(int, setnonblocking, (PGconn *connection, int isNonblocking)) \
  entry(int, flush, (PGconn *connection)) \
  entry(int, consumeInput, (PGconn *connection)) \
  entry(int, isBusy, (PGconn *connection)) \
  entry(PGresult *, getResult, (PGconn *connection)) \
  entry(PGcancel *, getCancel, (PGconn *connection)) \
  entry(int, cancel, (PGcancel *cancel, char *reason, int size)) \
  entry(void, freeCancel, (PGcancel *cancel)) \
  entry(int, sendPrepare, (PGconn *connection, const char *name, const char *sql, int count, const Oid *types)) \
  entry(int, sendQuery, (PGconn *connection, const char *sql)) \
  entry(int, sendQueryParams, (PGconn *connection, const char *sql, int count, const Oid *types, \
    const char *const *values, const int *lengths, const int *formats, int resultFormat)) \
  entry(int, sendQueryPrepared, (PGconn *connection, const char *name, int count, const char *const *values, \
    const int *lengths, const int *formats, int resultFormat)) \
  entry(ExecStatusType, resultStatus, (const PGresult *result)) \
  entry(char *, resultErrorField, (const PGresult *result, int field)) \
  entry(void, clear, (PGresult *result)) \
  entry(char *, cmdStatus, (PGresult *result)) \
  entry(char *, cmdTuples, (PGresult *result)) \
  entry(int, ntuples, (const PGresult *result)) \
  entry(char *, getvalue, (const PGresult *result, int row, int column)) \
  entry(int, getlength, (const PGresult *result, int row, int column)) \
  entry(int, getisnull, (const PGresult *result, int row, int column))

/// The functions that stores use, by their names without `PQ`.
typedef struct {
#define CPOSTGRES_MEMBER(result, name, arguments) result(*name) arguments;
  CPOSTGRES_FUNCTIONS(CPOSTGRES_MEMBER)
#undef CPOSTGRES_MEMBER
} cpostgres_functions;

/// Opens the library and finds every function; 0, or −1 and the reason.
static inline int cpostgres_load(cpostgres_functions *functions, char *reason, size_t size) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  const char *missing = library ? 0 : dlerror();
#define CPOSTGRES_LOAD(result, name, arguments) \
  if (library && !missing && !(*(void **)&functions->name = dlsym(library, "PQ" #name))) missing = "PQ" #name;
  CPOSTGRES_FUNCTIONS(CPOSTGRES_LOAD)
#undef CPOSTGRES_LOAD
  if (!missing) return 0;
  strncpy(reason, missing, size - 1);
  reason[size - 1] = 0;
  return -1;
}
