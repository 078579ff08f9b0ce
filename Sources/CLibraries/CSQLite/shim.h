#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast, which does not import: SQLite copies the bytes before it returns.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// The first bytes of a connection's file, read through SQLite's own handle on it, without a lock. SQLite's methods of a file are
/// pointers in a struct of pointers. What lies beyond the file's end is zero.
static inline int csqlite_read_beginning(sqlite3 *database, void *bytes, int count) {
  sqlite3_file *file = 0;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result) return result;
  if (!file || !file->pMethods) return SQLITE_CANTOPEN;
  result = file->pMethods->xRead(file, bytes, count, 0);
  return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
}

/// `sqlite3_db_config` is variadic, which Swift cannot call. A file cannot use its own schema to write where it should not,
/// nor run functions with side effects from it.
static inline int csqlite_distrust_schema(sqlite3 *database) {
  int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  return result ? result : sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}
