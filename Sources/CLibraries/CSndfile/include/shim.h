#pragma once
#include <sndfile.h>
#include <stddef.h>

/// Opens libsndfile and finds every function that the station calls; 0, or −1 and the reason. Only the first call does
/// anything, from any thread; before it succeeds no function of libsndfile may be called.
int csndfile_open(char *reason, size_t size);
