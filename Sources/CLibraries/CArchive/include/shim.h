#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Opens libarchive and finds every function that the station calls; NULL, or why that is not possible. Only the first call
/// does anything, from any thread; before it succeeds no other function here may be called.
const char *carchive_open(void);

/// An archive that is read or written; the functions that make one return NULL where there is no memory.
typedef struct archive *carchive;

/// A zip archive at a path, before its first member.
carchive carchive_zip(const char *path);

/// The next member of a zip archive, with a name that is valid until the member after it is asked for; 1, 0 at the end, −1 for
/// an archive that is damaged.
int carchive_next(carchive, const char **name, int64_t *size, bool *is_encrypted);

/// The next unpacked bytes of the member; 0 at its end, negative for one that cannot be unpacked.
ssize_t carchive_read(carchive, void *bytes, size_t room);

/// Why the last call failed; may be NULL.
const char *carchive_reason(carchive);
void carchive_zip_free(carchive);

/// A gzip file without name and time, so that its bytes are the same each time; `take` gets them, and returns their number.
carchive carchive_gzip(ssize_t (*take)(carchive, void *box, const void *bytes, size_t count), void *box);

/// Compresses bytes; ends the file. Both return whether that was possible.
bool carchive_write(carchive, const void *bytes, size_t count);
bool carchive_finish(carchive);
void carchive_gzip_free(carchive);
