#pragma once
#include <sndfile.h>
#include <stddef.h>

/// Opens libsndfile and finds every function that the station calls; NULL, or why that is not possible. Only the
/// first call does anything, from any thread; before it succeeds no function of libsndfile may be called.
const char *csndfile_open(void);
