#pragma once
// The functions of libpipewire that the station calls, as pointers that are found when the library is opened: linked, it
// would have to be installed for every command. Its inline functions call through tables and need none of this.

#include <pipewire/filter.h>
#include <pipewire/pipewire.h>

#define CPIPEWIRE_FUNCTIONS(entry) \
  entry(context_connect) entry(context_destroy) entry(context_new) entry(core_disconnect) entry(filter_add_listener) \
  entry(filter_add_port) entry(filter_connect) entry(filter_destroy) entry(filter_get_dsp_buffer) \
  entry(filter_get_node_id) entry(filter_new) entry(filter_update_properties) entry(init) \
  entry(log_set_level) entry(properties_new_dict) entry(proxy_add_object_listener) entry(proxy_destroy) \
  entry(thread_loop_destroy) \
  entry(thread_loop_get_loop) entry(thread_loop_lock) entry(thread_loop_new) entry(thread_loop_start) \
  entry(thread_loop_stop) entry(thread_loop_unlock)

#pragma GCC visibility push(hidden)
extern struct cpipewire_functions {
#define CPIPEWIRE_MEMBER(name) __typeof__(&pw_##name) name;
  CPIPEWIRE_FUNCTIONS(CPIPEWIRE_MEMBER)
#undef CPIPEWIRE_MEMBER
} cpipewire;
#pragma GCC visibility pop
