// The functions of libpulse that the station calls, each handed on to the library once it has been opened: linked, it and
// the thirty shared objects that it needs (D-Bus, X11, codecs) would slow every command.
//
// The definitions must agree with the declarations of the library's own header, or this file does not compile.

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// What is defined here must not come in the way of the library's own functions.
#pragma GCC visibility push(hidden)
#include "shim.h"
#pragma GCC visibility pop

/// Functions with a result.
#define CPULSE_FUNCTIONS(entry) \
  entry(pa_channel_map *, channel_map_init_extend, \
    (pa_channel_map *m, unsigned channels, pa_channel_map_def_t def), (m, channels, def)) \
  entry(int, context_connect, \
    (pa_context *c, const char *server, pa_context_flags_t flags, const pa_spawn_api *api), (c, server, flags, api)) \
  entry(int, context_errno, (const pa_context *c), (c)) \
  entry(uint32_t, context_get_index, (const pa_context *c), (c)) \
  entry(pa_operation *, context_get_server_info, \
    (pa_context *c, pa_server_info_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_operation *, context_get_sink_info_by_index, \
    (pa_context *c, uint32_t idx, pa_sink_info_cb_t cb, void *userdata), (c, idx, cb, userdata)) \
  entry(pa_operation *, context_get_sink_info_by_name, \
    (pa_context *c, const char *name, pa_sink_info_cb_t cb, void *userdata), (c, name, cb, userdata)) \
  entry(pa_operation *, context_get_sink_info_list, \
    (pa_context *c, pa_sink_info_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_operation *, context_get_sink_input_info, \
    (pa_context *c, uint32_t idx, pa_sink_input_info_cb_t cb, void *userdata), (c, idx, cb, userdata)) \
  entry(pa_operation *, context_get_sink_input_info_list, \
    (pa_context *c, pa_sink_input_info_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_operation *, context_get_source_info_list, \
    (pa_context *c, pa_source_info_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_context_state_t, context_get_state, (const pa_context *c), (c)) \
  entry(pa_context *, context_new, (pa_mainloop_api *mainloop, const char *name), (mainloop, name)) \
  entry(pa_time_event *, context_rttime_new, \
    (const pa_context *c, pa_usec_t usec, pa_time_event_cb_t cb, void *userdata), (c, usec, cb, userdata)) \
  entry(pa_operation *, context_subscribe, \
    (pa_context *c, pa_subscription_mask_t m, pa_context_success_cb_t cb, void *userdata), (c, m, cb, userdata)) \
  entry(pa_cvolume *, cvolume_set, (pa_cvolume *a, unsigned channels, pa_volume_t v), (a, channels, v)) \
  entry(size_t, frame_size, (const pa_sample_spec *spec), (spec)) \
  entry(int, mainloop_dispatch, (pa_mainloop *m), (m)) \
  entry(pa_mainloop_api *, mainloop_get_api, (pa_mainloop *m), (m)) \
  entry(int, mainloop_iterate, (pa_mainloop *m, int block, int *retval), (m, block, retval)) \
  entry(pa_mainloop *, mainloop_new, (void), ()) \
  entry(int, mainloop_poll, (pa_mainloop *m), (m)) \
  entry(int, mainloop_prepare, (pa_mainloop *m, int timeout), (m, timeout)) \
  entry(pa_operation_state_t, operation_get_state, (const pa_operation *o), (o)) \
  entry(const char *, proplist_gets, (const pa_proplist *p, const char *key), (p, key)) \
  entry(int, sample_spec_valid, (const pa_sample_spec *spec), (spec)) \
  entry(int, stream_begin_write, (pa_stream *p, void **data, size_t *nbytes), (p, data, nbytes)) \
  entry(int, stream_connect_playback, \
    (pa_stream *s, const char *dev, const pa_buffer_attr *attr, pa_stream_flags_t flags, \
     const pa_cvolume *volume, pa_stream *sync_stream), \
    (s, dev, attr, flags, volume, sync_stream)) \
  entry(int, stream_connect_record, \
    (pa_stream *s, const char *dev, const pa_buffer_attr *attr, pa_stream_flags_t flags), (s, dev, attr, flags)) \
  entry(int, stream_disconnect, (pa_stream *s), (s)) \
  entry(int, stream_drop, (pa_stream *p), (p)) \
  entry(pa_operation *, stream_drain, (pa_stream *s, pa_stream_success_cb_t cb, void *userdata), (s, cb, userdata)) \
  entry(pa_context *, stream_get_context, (const pa_stream *p), (p)) \
  entry(uint32_t, stream_get_device_index, (const pa_stream *s), (s)) \
  entry(const char *, stream_get_device_name, (const pa_stream *s), (s)) \
  entry(uint32_t, stream_get_index, (const pa_stream *s), (s)) \
  entry(pa_stream_state_t, stream_get_state, (const pa_stream *p), (p)) \
  entry(int, stream_get_time, (pa_stream *s, pa_usec_t *r_usec), (s, r_usec)) \
  entry(const pa_timing_info *, stream_get_timing_info, (pa_stream *s), (s)) \
  entry(int64_t, stream_get_underflow_index, (const pa_stream *p), (p)) \
  entry(int, stream_is_suspended, (const pa_stream *s), (s)) \
  entry(int, stream_peek, (pa_stream *p, const void **data, size_t *nbytes), (p, data, nbytes)) \
  entry(pa_stream *, stream_new, \
    (pa_context *c, const char *name, const pa_sample_spec *ss, const pa_channel_map *map), (c, name, ss, map)) \
  entry(pa_operation *, stream_update_timing_info, \
    (pa_stream *p, pa_stream_success_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(size_t, stream_writable_size, (const pa_stream *p), (p)) \
  entry(int, stream_write, \
    (pa_stream *p, const void *data, size_t nbytes, pa_free_cb_t free_cb, int64_t offset, pa_seek_mode_t seek), \
    (p, data, nbytes, free_cb, offset, seek)) \
  entry(const char *, strerror, (int error), (error)) \
  entry(pa_mainloop_api *, threaded_mainloop_get_api, (pa_threaded_mainloop *m), (m)) \
  entry(pa_threaded_mainloop *, threaded_mainloop_new, (void), ()) \
  entry(int, threaded_mainloop_start, (pa_threaded_mainloop *m), (m)) \
  entry(size_t, usec_to_bytes, (pa_usec_t t, const pa_sample_spec *spec), (t, spec))

/// Functions without one.
#define CPULSE_ACTIONS(entry) \
  entry(context_disconnect, (pa_context *c), (c)) \
  entry(context_rttime_restart, (const pa_context *c, pa_time_event *e, pa_usec_t usec), (c, e, usec)) \
  entry(context_set_state_callback, (pa_context *c, pa_context_notify_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(context_set_subscribe_callback, \
    (pa_context *c, pa_context_subscribe_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(context_unref, (pa_context *c), (c)) \
  entry(mainloop_free, (pa_mainloop *m), (m)) \
  entry(mainloop_wakeup, (pa_mainloop *m), (m)) \
  entry(operation_cancel, (pa_operation *o), (o)) \
  entry(operation_set_state_callback, \
    (pa_operation *o, pa_operation_notify_cb_t cb, void *userdata), (o, cb, userdata)) \
  entry(operation_unref, (pa_operation *o), (o)) \
  entry(stream_set_moved_callback, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(stream_set_read_callback, (pa_stream *p, pa_stream_request_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(stream_set_state_callback, (pa_stream *s, pa_stream_notify_cb_t cb, void *userdata), (s, cb, userdata)) \
  entry(stream_set_suspended_callback, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(stream_set_underflow_callback, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(stream_set_write_callback, (pa_stream *p, pa_stream_request_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(stream_unref, (pa_stream *s), (s)) \
  entry(threaded_mainloop_free, (pa_threaded_mainloop *m), (m)) \
  entry(threaded_mainloop_lock, (pa_threaded_mainloop *m), (m)) \
  entry(threaded_mainloop_stop, (pa_threaded_mainloop *m), (m)) \
  entry(threaded_mainloop_unlock, (pa_threaded_mainloop *m), (m))

static struct {
#define CPULSE_MEMBER(result, name, parameters, arguments) result(*name) parameters;
  CPULSE_FUNCTIONS(CPULSE_MEMBER)
#undef CPULSE_MEMBER
#define CPULSE_MEMBER(name, parameters, arguments) void(*name) parameters;
  CPULSE_ACTIONS(CPULSE_MEMBER)
#undef CPULSE_MEMBER
} functions;

#define CPULSE_DEFINE(result, name, parameters, arguments) \
  result pa_##name parameters { return functions.name arguments; }
CPULSE_FUNCTIONS(CPULSE_DEFINE)
#undef CPULSE_DEFINE
#define CPULSE_DEFINE(name, parameters, arguments) \
  void pa_##name parameters { functions.name arguments; }
CPULSE_ACTIONS(CPULSE_DEFINE)
#undef CPULSE_DEFINE

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static void open_library(void) {
  void *library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
  const char *missing = library ? 0 : dlerror();
#define CPULSE_LOAD(name) \
  if (library && !missing && !(*(void **)&functions.name = dlsym(library, "pa_" #name))) missing = "pa_" #name;
#define CPULSE_FUNCTION(result, name, parameters, arguments) CPULSE_LOAD(name)
  CPULSE_FUNCTIONS(CPULSE_FUNCTION)
#undef CPULSE_FUNCTION
#define CPULSE_ACTION(name, parameters, arguments) CPULSE_LOAD(name)
  CPULSE_ACTIONS(CPULSE_ACTION)
#undef CPULSE_ACTION
#undef CPULSE_LOAD
  if (missing) strncpy(problem, missing, sizeof problem - 1);
}

int cpulse_open(char *reason, size_t size) {
  pthread_once(&once, open_library);
  if (!problem[0]) return 0;
  strncpy(reason, problem, size - 1);
  reason[size - 1] = 0;
  return -1;
}
