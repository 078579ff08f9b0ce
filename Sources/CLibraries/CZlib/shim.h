#pragma once
#include <zlib.h>

/// `deflateInit2` is a macro, which Swift cannot call: a gzip file without name and time, so that its bytes are the same
/// each time.
static inline int czlib_begin_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// `inflateInit2` is one too: the raw data of a member of a zip archive.
static inline int czlib_begin_inflating(z_stream *stream) { return inflateInit2(stream, -15); }
