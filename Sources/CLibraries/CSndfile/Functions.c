// The functions of libsndfile that the station calls, each handed on to the library once it has been opened: linked, it
// and the codecs that it needs (FLAC, Vorbis, Opus, LAME) would slow every command.
//
// The definitions must agree with the declarations of the library's own header, or this file does not compile.

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// What is defined here must not come in the way of the library's own functions.
#pragma GCC visibility push(hidden)
#include "shim.h"
#pragma GCC visibility pop

#define CSNDFILE_FUNCTIONS(entry) \
  entry(int, close, (SNDFILE *sndfile), (sndfile)) \
  entry(int, error, (SNDFILE *sndfile), (sndfile)) \
  entry(const char *, error_number, (int errnum), (errnum)) \
  entry(const char *, get_string, (SNDFILE *sndfile, int str_type), (sndfile, str_type)) \
  entry(SNDFILE *, open_virtual, \
    (SF_VIRTUAL_IO *sfvirtual, int mode, SF_INFO *sfinfo, void *user_data), (sfvirtual, mode, sfinfo, user_data)) \
  entry(sf_count_t, readf_float, (SNDFILE *sndfile, float *ptr, sf_count_t frames), (sndfile, ptr, frames)) \
  entry(sf_count_t, writef_int, (SNDFILE *sndfile, const int *ptr, sf_count_t frames), (sndfile, ptr, frames))

static struct {
#define CSNDFILE_MEMBER(result, name, parameters, arguments) result(*name) parameters;
  CSNDFILE_FUNCTIONS(CSNDFILE_MEMBER)
#undef CSNDFILE_MEMBER
} functions;

#define CSNDFILE_DEFINE(result, name, parameters, arguments) \
  result sf_##name parameters { return functions.name arguments; }
CSNDFILE_FUNCTIONS(CSNDFILE_DEFINE)
#undef CSNDFILE_DEFINE

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static void open_library(void) {
  void *library = dlopen("libsndfile.so.1", RTLD_NOW | RTLD_LOCAL);
  const char *missing = library ? 0 : dlerror();
#define CSNDFILE_LOAD(result, name, parameters, arguments) \
  if (library && !missing && !(*(void **)&functions.name = dlsym(library, "sf_" #name))) missing = "sf_" #name;
  CSNDFILE_FUNCTIONS(CSNDFILE_LOAD)
#undef CSNDFILE_LOAD
  if (missing) strncpy(problem, missing, sizeof problem - 1);
}

int csndfile_open(char *reason, size_t size) {
  pthread_once(&once, open_library);
  if (!problem[0]) return 0;
  strncpy(reason, problem, size - 1);
  reason[size - 1] = 0;
  return -1;
}
