#pragma once
#include <stddef.h>

/// Opens libsoxr and finds every function that the station calls; NULL, or why that is not possible. Only the
/// first call does anything, from any thread; before it succeeds no other function here may be called.
const char *csoxr_open(void);

/// A change of the sample rate of 32-bit floating-point frames, channels interleaved; the settings are structures and macros
/// of the library's header.
typedef struct soxr *csoxr;

/// NULL where there is no memory for it.
csoxr csoxr_new(double from, double to, unsigned channels);
void csoxr_free(csoxr resampler);

/// Takes frames and gives frames; without input (NULL) the rest of the sound. Returns how many were given, −1 after an error;
/// `used` is how many were taken.
ptrdiff_t csoxr_process(
  csoxr resampler, const float *input, size_t count, size_t *used, float *output, size_t room);
