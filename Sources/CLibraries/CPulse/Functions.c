// The functions of libpulse that the station calls, each handed on to the library once it has been opened: linked, it and
// the thirty shared objects that it needs (D-Bus, X11, codecs) would slow every command.
//
// The definitions must agree with the declarations of the library's own header, or this file does not compile.

#include <lazy.h>

// What is defined here must not come in the way of the library's own functions.
#pragma GCC visibility push(hidden)
#include "shim.h"
#pragma GCC visibility pop

#define CPULSE_FUNCTIONS(entry) \
  entry(pa_channel_map_init_extend, pa_channel_map *, \
    (pa_channel_map *m, unsigned channels, pa_channel_map_def_t def), (m, channels, def)) \
  entry(pa_context_connect, int, \
    (pa_context *c, const char *server, pa_context_flags_t flags, const pa_spawn_api *api), (c, server, flags, api)) \
  entry(pa_context_errno, int, (const pa_context *c), (c)) \
  entry(pa_context_get_index, uint32_t, (const pa_context *c), (c)) \
  entry(pa_context_get_server_info, pa_operation *, \
    (pa_context *c, pa_server_info_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_context_get_sink_info_by_index, pa_operation *, \
    (pa_context *c, uint32_t idx, pa_sink_info_cb_t cb, void *userdata), (c, idx, cb, userdata)) \
  entry(pa_context_get_sink_info_by_name, pa_operation *, \
    (pa_context *c, const char *name, pa_sink_info_cb_t cb, void *userdata), (c, name, cb, userdata)) \
  entry(pa_context_get_sink_info_list, pa_operation *, \
    (pa_context *c, pa_sink_info_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_context_get_sink_input_info, pa_operation *, \
    (pa_context *c, uint32_t idx, pa_sink_input_info_cb_t cb, void *userdata), (c, idx, cb, userdata)) \
  entry(pa_context_get_sink_input_info_list, pa_operation *, \
    (pa_context *c, pa_sink_input_info_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_context_get_source_info_list, pa_operation *, \
    (pa_context *c, pa_source_info_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_context_get_state, pa_context_state_t, (const pa_context *c), (c)) \
  entry(pa_context_new, pa_context *, (pa_mainloop_api *mainloop, const char *name), (mainloop, name)) \
  entry(pa_context_rttime_new, pa_time_event *, \
    (const pa_context *c, pa_usec_t usec, pa_time_event_cb_t cb, void *userdata), (c, usec, cb, userdata)) \
  entry(pa_context_subscribe, pa_operation *, \
    (pa_context *c, pa_subscription_mask_t m, pa_context_success_cb_t cb, void *userdata), (c, m, cb, userdata)) \
  entry(pa_cvolume_set, pa_cvolume *, (pa_cvolume *a, unsigned channels, pa_volume_t v), (a, channels, v)) \
  entry(pa_frame_size, size_t, (const pa_sample_spec *spec), (spec)) \
  entry(pa_mainloop_dispatch, int, (pa_mainloop *m), (m)) \
  entry(pa_mainloop_get_api, pa_mainloop_api *, (pa_mainloop *m), (m)) \
  entry(pa_mainloop_iterate, int, (pa_mainloop *m, int block, int *retval), (m, block, retval)) \
  entry(pa_mainloop_new, pa_mainloop *, (void), ()) \
  entry(pa_mainloop_poll, int, (pa_mainloop *m), (m)) \
  entry(pa_mainloop_prepare, int, (pa_mainloop *m, int timeout), (m, timeout)) \
  entry(pa_operation_get_state, pa_operation_state_t, (const pa_operation *o), (o)) \
  entry(pa_proplist_gets, const char *, (const pa_proplist *p, const char *key), (p, key)) \
  entry(pa_sample_spec_valid, int, (const pa_sample_spec *spec), (spec)) \
  entry(pa_stream_begin_write, int, (pa_stream *p, void **data, size_t *nbytes), (p, data, nbytes)) \
  entry(pa_stream_connect_playback, int, \
    (pa_stream *s, const char *dev, const pa_buffer_attr *attr, pa_stream_flags_t flags, \
     const pa_cvolume *volume, pa_stream *sync_stream), \
    (s, dev, attr, flags, volume, sync_stream)) \
  entry(pa_stream_connect_record, int, \
    (pa_stream *s, const char *dev, const pa_buffer_attr *attr, pa_stream_flags_t flags), (s, dev, attr, flags)) \
  entry(pa_stream_disconnect, int, (pa_stream *s), (s)) \
  entry(pa_stream_drop, int, (pa_stream *p), (p)) \
  entry(pa_stream_drain, pa_operation *, (pa_stream *s, pa_stream_success_cb_t cb, void *userdata), (s, cb, userdata)) \
  entry(pa_stream_get_context, pa_context *, (const pa_stream *p), (p)) \
  entry(pa_stream_get_device_index, uint32_t, (const pa_stream *s), (s)) \
  entry(pa_stream_get_device_name, const char *, (const pa_stream *s), (s)) \
  entry(pa_stream_get_index, uint32_t, (const pa_stream *s), (s)) \
  entry(pa_stream_get_state, pa_stream_state_t, (const pa_stream *p), (p)) \
  entry(pa_stream_get_time, int, (pa_stream *s, pa_usec_t *r_usec), (s, r_usec)) \
  entry(pa_stream_get_timing_info, const pa_timing_info *, (pa_stream *s), (s)) \
  entry(pa_stream_get_underflow_index, int64_t, (const pa_stream *p), (p)) \
  entry(pa_stream_is_suspended, int, (const pa_stream *s), (s)) \
  entry(pa_stream_peek, int, (pa_stream *p, const void **data, size_t *nbytes), (p, data, nbytes)) \
  entry(pa_stream_new, pa_stream *, \
    (pa_context *c, const char *name, const pa_sample_spec *ss, const pa_channel_map *map), (c, name, ss, map)) \
  entry(pa_stream_update_timing_info, pa_operation *, \
    (pa_stream *p, pa_stream_success_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(pa_stream_writable_size, size_t, (const pa_stream *p), (p)) \
  entry(pa_stream_write, int, \
    (pa_stream *p, const void *data, size_t nbytes, pa_free_cb_t free_cb, int64_t offset, pa_seek_mode_t seek), \
    (p, data, nbytes, free_cb, offset, seek)) \
  entry(pa_strerror, const char *, (int error), (error)) \
  entry(pa_threaded_mainloop_get_api, pa_mainloop_api *, (pa_threaded_mainloop *m), (m)) \
  entry(pa_threaded_mainloop_new, pa_threaded_mainloop *, (void), ()) \
  entry(pa_threaded_mainloop_start, int, (pa_threaded_mainloop *m), (m)) \
  entry(pa_usec_to_bytes, size_t, (pa_usec_t t, const pa_sample_spec *spec), (t, spec)) \
  entry(pa_context_disconnect, void, (pa_context *c), (c)) \
  entry(pa_context_rttime_restart, void, (const pa_context *c, pa_time_event *e, pa_usec_t usec), (c, e, usec)) \
  entry(pa_context_set_state_callback, void, (pa_context *c, pa_context_notify_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_context_set_subscribe_callback, void, \
    (pa_context *c, pa_context_subscribe_cb_t cb, void *userdata), (c, cb, userdata)) \
  entry(pa_context_unref, void, (pa_context *c), (c)) \
  entry(pa_mainloop_free, void, (pa_mainloop *m), (m)) \
  entry(pa_mainloop_wakeup, void, (pa_mainloop *m), (m)) \
  entry(pa_operation_cancel, void, (pa_operation *o), (o)) \
  entry(pa_operation_set_state_callback, void, \
    (pa_operation *o, pa_operation_notify_cb_t cb, void *userdata), (o, cb, userdata)) \
  entry(pa_operation_unref, void, (pa_operation *o), (o)) \
  entry(pa_stream_set_moved_callback, void, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(pa_stream_set_read_callback, void, (pa_stream *p, pa_stream_request_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(pa_stream_set_state_callback, void, (pa_stream *s, pa_stream_notify_cb_t cb, void *userdata), (s, cb, userdata)) \
  entry(pa_stream_set_suspended_callback, void, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(pa_stream_set_underflow_callback, void, (pa_stream *p, pa_stream_notify_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(pa_stream_set_write_callback, void, (pa_stream *p, pa_stream_request_cb_t cb, void *userdata), (p, cb, userdata)) \
  entry(pa_stream_unref, void, (pa_stream *s), (s)) \
  entry(pa_threaded_mainloop_free, void, (pa_threaded_mainloop *m), (m)) \
  entry(pa_threaded_mainloop_lock, void, (pa_threaded_mainloop *m), (m)) \
  entry(pa_threaded_mainloop_stop, void, (pa_threaded_mainloop *m), (m)) \
  entry(pa_threaded_mainloop_unlock, void, (pa_threaded_mainloop *m), (m))

LAZY_FUNCTIONS(CPULSE_FUNCTIONS)
LAZY_LIBRARY("libpulse.so.0", CPULSE_FUNCTIONS, 0)

#define CPULSE_DEFINE(name, result, parameters, arguments) \
  result name parameters { return functions.name arguments; }
CPULSE_FUNCTIONS(CPULSE_DEFINE)

const char *cpulse_open(void) { return lazy_open(); }
