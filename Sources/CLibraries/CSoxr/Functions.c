// The functions of libsoxr that the station calls, found when a sound is resampled for the first time: linked, it and the
// OpenMP library that it needs would slow every command.

#include "shim.h"
#include <lazy.h>
#include <soxr.h>

#define CSOXR_FUNCTIONS(entry) \
  entry(soxr_create) entry(soxr_delete) entry(soxr_io_spec) entry(soxr_process) entry(soxr_quality_spec)

LAZY_FUNCTIONS(CSOXR_FUNCTIONS)
LAZY_LIBRARY("libsoxr.so.0", CSOXR_FUNCTIONS, 0)

const char *csoxr_open(void) { return lazy_open(); }

csoxr csoxr_new(double from, double to, unsigned channels) {
  soxr_io_spec_t samples = functions.soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  soxr_quality_spec_t quality = functions.soxr_quality_spec(SOXR_HQ, 0);
  soxr_error_t error = 0;
  csoxr resampler = functions.soxr_create(from, to, channels, &error, &samples, &quality, 0);
  return error ? 0 : resampler;
}

void csoxr_free(csoxr resampler) { functions.soxr_delete(resampler); }

ptrdiff_t csoxr_process(
  csoxr resampler, const float *input, size_t count, size_t *used, float *output, size_t room) {
  size_t given = 0;
  return functions.soxr_process(resampler, input, count, used, output, room, &given) ? -1 : (ptrdiff_t)given;
}
