#pragma once
#include <pulse/pulseaudio.h>

/// A timer is freed through a table of functions of the loop that made it, which PulseAudio gives only to the loop's owner.
static inline void cpulse_free_timer(const pa_mainloop_api *api, pa_time_event *timer) { api->time_free(timer); }

/// The calendar's nanoseconds at which a timing was stamped: the members of `timeval` are not visible to Swift in every build.
static inline int64_t cpulse_stamp_nanoseconds(const pa_timing_info *timing) {
  return (int64_t)timing->timestamp.tv_sec * 1000000000 + (int64_t)timing->timestamp.tv_usec * 1000;
}
