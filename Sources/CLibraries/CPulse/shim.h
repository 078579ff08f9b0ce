#pragma once
#include <pulse/pulseaudio.h>

/// A timer is freed through a table of functions of the loop that made it, which PulseAudio gives only to the loop's owner.
static inline void cpulse_free_timer(const pa_mainloop_api *api, pa_time_event *timer) { api->time_free(timer); }
