#include "shim.h"
#include <archive.h>
#include <archive_entry.h>
#include <lazy.h>
#include <locale.h>

#define CARCHIVE_FUNCTIONS(entry) \
  entry(archive_read_new) entry(archive_read_support_format_zip_seekable) entry(archive_read_open_filename) \
  entry(archive_read_next_header) entry(archive_read_data) entry(archive_read_free) entry(archive_error_string) \
  entry(archive_entry_pathname) entry(archive_entry_size) entry(archive_entry_is_data_encrypted) \
  entry(archive_entry_new) entry(archive_entry_set_filetype) entry(archive_entry_free) entry(archive_write_new) \
  entry(archive_write_set_format_raw) entry(archive_write_add_filter_gzip) entry(archive_write_set_options) \
  entry(archive_write_set_bytes_per_block) entry(archive_write_open) entry(archive_write_header) \
  entry(archive_write_data) entry(archive_write_close) entry(archive_write_free)

LAZY_FUNCTIONS(CARCHIVE_FUNCTIONS)
LAZY_LIBRARY("libarchive.so.13", CARCHIVE_FUNCTIONS, 0)

const char *carchive_open(void) { return lazy_open(); }

carchive carchive_zip(const char *path) {
  carchive archive = functions.archive_read_new();
  if (!archive) return 0;
  functions.archive_read_support_format_zip_seekable(archive);
  // Where that fails, so does `carchive_next`.
  functions.archive_read_open_filename(archive, path, 1 << 16);
  return archive;
}

int carchive_next(carchive archive, const char **name, int64_t *size, bool *is_encrypted) {
  // Names are converted to the characters of the thread's language.
  locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", 0);
  locale_t previous = utf8 ? uselocale(utf8) : 0;
  struct archive_entry *entry = 0;
  int status = functions.archive_read_next_header(archive, &entry);
  bool is_member = status == ARCHIVE_OK || status == ARCHIVE_WARN;
  if (is_member) {
    *name = functions.archive_entry_pathname(entry);
    *size = functions.archive_entry_size(entry);
    *is_encrypted = functions.archive_entry_is_data_encrypted(entry);
  }
  if (utf8) {
    uselocale(previous);
    freelocale(utf8);
  }
  return is_member ? 1 : status == ARCHIVE_EOF ? 0 : -1;
}

ssize_t carchive_read(carchive archive, void *bytes, size_t room) {
  return functions.archive_read_data(archive, bytes, room);
}

const char *carchive_reason(carchive archive) { return functions.archive_error_string(archive); }
void carchive_zip_free(carchive archive) { functions.archive_read_free(archive); }

carchive carchive_gzip(ssize_t (*take)(carchive, void *, const void *, size_t), void *box) {
  carchive archive = functions.archive_write_new();
  struct archive_entry *entry = functions.archive_entry_new();
  bool is_open =
    archive && entry && functions.archive_write_set_format_raw(archive) == ARCHIVE_OK &&
    functions.archive_write_add_filter_gzip(archive) == ARCHIVE_OK &&
    functions.archive_write_set_options(archive, "gzip:compression-level=6,gzip:!timestamp") == ARCHIVE_OK &&
    // Without zeros behind the file.
    functions.archive_write_set_bytes_per_block(archive, 0) == ARCHIVE_OK &&
    functions.archive_write_open(archive, box, 0, take, 0) == ARCHIVE_OK;
  if (is_open) {
    functions.archive_entry_set_filetype(entry, AE_IFREG);
    is_open = functions.archive_write_header(archive, entry) == ARCHIVE_OK;
  }
  functions.archive_entry_free(entry);
  if (is_open) return archive;
  functions.archive_write_free(archive);
  return 0;
}

bool carchive_write(carchive archive, const void *bytes, size_t count) {
  return functions.archive_write_data(archive, bytes, count) == (la_ssize_t)count;
}

bool carchive_finish(carchive archive) { return functions.archive_write_close(archive) == ARCHIVE_OK; }
void carchive_gzip_free(carchive archive) { functions.archive_write_free(archive); }
