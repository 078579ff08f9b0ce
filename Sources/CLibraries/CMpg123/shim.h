#pragma once
#include <mpg123.h>

/// `mpg123_param` is renamed by a macro, which Swift does not see: sets the flags that a decoder of single frames needs.
///
/// Floats at the stream's own rate, every frame decoded as sound (the caller has taken the encoder's tag out and trims
/// delay and padding itself), whole frames given one at a time, nothing printed.
static inline int cmpg123_set_flags(mpg123_handle *decoder, long free_format_size) {
  long flags = MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_IGNORE_INFOFRAME | MPG123_NO_READAHEAD | MPG123_NO_PEEK_END;
  long unwanted = MPG123_GAPLESS | MPG123_AUTO_RESAMPLE | MPG123_FUZZY;
  int result = mpg123_param(decoder, MPG123_REMOVE_FLAGS, unwanted, 0);
  if (result == MPG123_OK) result = mpg123_param(decoder, MPG123_ADD_FLAGS, flags, 0);
  if (result == MPG123_OK && free_format_size > 0)
    result = mpg123_param(decoder, MPG123_FREEFORMAT_SIZE, free_format_size, 0);
  return result;
}
