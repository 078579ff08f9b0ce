#pragma once
// The functions of libpipewire that the station calls, as pointers that are found when the library is opened: linked, it
// would have to be installed for every command. Its inline functions call through tables and need none of this.

#include <lazy.h>
#include <pipewire/filter.h>
#include <pipewire/pipewire.h>

#define CPIPEWIRE_FUNCTIONS(entry) \
  entry(pw_context_connect) entry(pw_context_destroy) entry(pw_context_new) entry(pw_core_disconnect) \
  entry(pw_filter_add_listener) entry(pw_filter_add_port) entry(pw_filter_connect) entry(pw_filter_destroy) \
  entry(pw_filter_get_dsp_buffer) entry(pw_filter_get_node_id) entry(pw_filter_new) \
  entry(pw_filter_update_properties) entry(pw_init) entry(pw_log_set_level) entry(pw_properties_new_dict) \
  entry(pw_proxy_add_object_listener) entry(pw_proxy_destroy) entry(pw_thread_loop_destroy) \
  entry(pw_thread_loop_get_loop) entry(pw_thread_loop_lock) entry(pw_thread_loop_new) entry(pw_thread_loop_start) \
  entry(pw_thread_loop_stop) entry(pw_thread_loop_unlock)

#pragma GCC visibility push(hidden)
extern struct cpipewire_functions {
  CPIPEWIRE_FUNCTIONS(LAZY_MEMBER)
} cpipewire;
#pragma GCC visibility pop
