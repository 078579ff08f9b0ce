// The functions of libsoxr that the station calls, found when a sound is resampled for the first time: linked, it and the
// OpenMP library that it needs would slow every command.

#include "shim.h"
#include <dlfcn.h>
#include <pthread.h>
#include <soxr.h>
#include <string.h>

#define CSOXR_FUNCTIONS(entry) entry(create) entry(delete) entry(io_spec) entry(process) entry(quality_spec)

static struct {
#define CSOXR_MEMBER(name) __typeof__(&soxr_##name) name;
  CSOXR_FUNCTIONS(CSOXR_MEMBER)
#undef CSOXR_MEMBER
} functions;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static void open_library(void) {
  void *library = dlopen("libsoxr.so.0", RTLD_NOW | RTLD_LOCAL);
  const char *missing = library ? 0 : dlerror();
#define CSOXR_LOAD(name) \
  if (library && !missing && !(*(void **)&functions.name = dlsym(library, "soxr_" #name))) missing = "soxr_" #name;
  CSOXR_FUNCTIONS(CSOXR_LOAD)
#undef CSOXR_LOAD
  if (missing) strncpy(problem, missing, sizeof problem - 1);
}

int csoxr_open(char *reason, size_t size) {
  pthread_once(&once, open_library);
  if (!problem[0]) return 0;
  strncpy(reason, problem, size - 1);
  reason[size - 1] = 0;
  return -1;
}

csoxr csoxr_new(double from, double to, unsigned channels) {
  soxr_io_spec_t samples = functions.io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  soxr_quality_spec_t quality = functions.quality_spec(SOXR_HQ, 0);
  soxr_error_t error = 0;
  csoxr resampler = functions.create(from, to, channels, &error, &samples, &quality, 0);
  return error ? 0 : resampler;
}

void csoxr_free(csoxr resampler) { functions.delete(resampler); }

ptrdiff_t csoxr_process(
  csoxr resampler, const float *input, size_t count, size_t *used, float *output, size_t room) {
  size_t given = 0;
  return functions.process(resampler, input, count, used, output, room, &given) ? -1 : (ptrdiff_t)given;
}
