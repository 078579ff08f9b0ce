#pragma once
#include <pulse/pulseaudio.h>
#include <stddef.h>

/// Opens libpulse and finds every function that the station calls; NULL, or why that is not possible. Only the
/// first call does anything, from any thread; before it succeeds no function of PulseAudio may be called.
const char *cpulse_open(void);

/// A timer is freed through a table of functions of the loop that made it, which PulseAudio gives only to the loop's owner.
static inline void cpulse_free_timer(const pa_mainloop_api *api, pa_time_event *timer) { api->time_free(timer); }

/// So is a descriptor that the loop watches, made and let go of.
static inline pa_io_event *cpulse_watch(pa_mainloop_api *api, int descriptor, pa_io_event_cb_t readable, void *box) {
  return api->io_new(api, descriptor, PA_IO_EVENT_INPUT, readable, box);
}
static inline void cpulse_unwatch(const pa_mainloop_api *api, pa_io_event *watch) { api->io_free(watch); }

/// The calendar's nanoseconds at which a timing was stamped: the members of `timeval` are not visible to Swift in every build.
static inline int64_t cpulse_stamp_nanoseconds(const pa_timing_info *timing) {
  return (int64_t)timing->timestamp.tv_sec * 1000000000 + (int64_t)timing->timestamp.tv_usec * 1000;
}
