// The functions of libsndfile that the station calls, each handed on to the library once it has been opened: linked, it
// and the codecs that it needs (FLAC, Vorbis, Opus, LAME) would slow every command.
//
// The definitions must agree with the declarations of the library's own header, or this file does not compile.

#include <lazy.h>

// What is defined here must not come in the way of the library's own functions.
#pragma GCC visibility push(hidden)
#include "shim.h"
#pragma GCC visibility pop

#define CSNDFILE_FUNCTIONS(entry) \
  entry(sf_close, int, (SNDFILE *sndfile), (sndfile)) \
  entry(sf_error, int, (SNDFILE *sndfile), (sndfile)) \
  entry(sf_error_number, const char *, (int errnum), (errnum)) \
  entry(sf_get_string, const char *, (SNDFILE *sndfile, int str_type), (sndfile, str_type)) \
  entry(sf_open_virtual, SNDFILE *, \
    (SF_VIRTUAL_IO *sfvirtual, int mode, SF_INFO *sfinfo, void *user_data), (sfvirtual, mode, sfinfo, user_data)) \
  entry(sf_readf_float, sf_count_t, (SNDFILE *sndfile, float *ptr, sf_count_t frames), (sndfile, ptr, frames)) \
  entry(sf_writef_int, sf_count_t, (SNDFILE *sndfile, const int *ptr, sf_count_t frames), (sndfile, ptr, frames))

LAZY_FUNCTIONS(CSNDFILE_FUNCTIONS)
LAZY_LIBRARY("libsndfile.so.1", CSNDFILE_FUNCTIONS, 0)

#define CSNDFILE_DEFINE(name, result, parameters, arguments) \
  result name parameters { return functions.name arguments; }
CSNDFILE_FUNCTIONS(CSNDFILE_DEFINE)

const char *csndfile_open(void) { return lazy_open(); }
