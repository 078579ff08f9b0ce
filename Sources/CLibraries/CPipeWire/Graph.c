// A connection to a PipeWire server: passes on what the server says, makes the filter that plays or records, and its links.

#include "Functions.h"
#include "shim.h"
#include <errno.h>
#include <pipewire/extensions/metadata.h>
#include <spa/param/format.h>
#include <spa/param/latency-utils.h>
#include <spa/param/props.h>
#include <spa/pod/iter.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  /// The most ports of a filter.
  most_ports = 64,
  /// The most channels whose volume is read.
  most_volumes = 64,
};

/// A sink, a source, a port or the metadata that is listened to; freed with its proxy.
struct object {
  struct cpipewire_graph *graph;
  struct pw_proxy *proxy;
  struct spa_hook listener;
  uint32_t id;
  struct object *next;
};

/// A link of ours.
struct link {
  struct cpipewire_graph *graph;
  struct pw_proxy *proxy;
  struct spa_hook listener;
};

struct cpipewire_graph {
  struct pw_thread_loop *thread;
  struct pw_loop *loop;
  struct pw_context *context;
  struct pw_core *core;
  struct pw_registry *registry;
  struct spa_hook core_listener, registry_listener, filter_listener;
  struct object *objects;
  struct link links[most_ports * 2];
  int link_count;
  struct pw_filter *filter;
  void *ports[most_ports];
  int port_count;
  const struct spa_io_position *position;
  cpipewire_engine *engine;
  cpipewire_capture *capture;
  struct spa_source *timer, *bell;
  cpipewire_listener listener;
  void *box;
};

static void say(struct cpipewire_graph *graph, cpipewire_message message) {
  if (graph->listener) graph->listener(&message, graph->box);
}

const char *cpipewire_property(const cpipewire_message *message, const char *name) {
  return message->properties ? spa_dict_lookup(message->properties, name) : 0;
}

// MARK: Sinks and the default

static void node_told(void *data, const struct pw_node_info *info) {
  struct object *object = data;
  if (info->change_mask & PW_NODE_CHANGE_MASK_PROPS)
    say(object->graph, (cpipewire_message){.kind = cpipewire_node, .id = info->id, .properties = info->props});
}

static void properties_told(struct object *object, const struct spa_pod *param) {
  float values[most_volumes];
  uint32_t count = 0;
  int64_t muted = -1;
  const struct spa_pod_prop *property;
  SPA_POD_OBJECT_FOREACH((const struct spa_pod_object *)param, property) {
    bool is;
    int64_t nanoseconds;
    if (property->key == SPA_PROP_channelVolumes)
      count = spa_pod_copy_array(&property->value, SPA_TYPE_Float, values, most_volumes);
    else if (property->key == SPA_PROP_mute && spa_pod_get_bool(&property->value, &is) == 0)
      muted = is;
    else if (property->key == SPA_PROP_latencyOffsetNsec && spa_pod_get_long(&property->value, &nanoseconds) == 0)
      say(object->graph, (cpipewire_message){
        .kind = cpipewire_latency_offset, .id = object->id, .number = nanoseconds});
  }
  if (count > 0 || muted >= 0)
    say(object->graph, (cpipewire_message){
      .kind = cpipewire_volume, .id = object->id, .number = muted, .values = values, .count = count});
}

static void node_param(
  void *data, int seq, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *param) {
  struct object *object = data;
  if (!param || !spa_pod_is_object(param)) return;
  if (id == SPA_PARAM_Props) properties_told(object, param);
  const struct spa_pod_prop *rate = spa_pod_find_prop(param, 0, SPA_FORMAT_AUDIO_rate);
  int32_t number;
  if (id == SPA_PARAM_Format && rate && spa_pod_get_int(&rate->value, &number) == 0)
    say(object->graph, (cpipewire_message){.kind = cpipewire_node_rate, .id = object->id, .number = number});
}

static const struct pw_node_events node_events = {PW_VERSION_NODE_EVENTS, .info = node_told, .param = node_param};

static void port_param(
  void *data, int seq, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *param) {
  struct object *object = data;
  struct spa_latency_info latency;
  if (id != SPA_PARAM_Latency || !param || spa_latency_parse(param, &latency) < 0) return;
  float values[] = {latency.max_quantum, (float)latency.max_rate, (float)latency.max_ns};
  say(object->graph, (cpipewire_message){
    .kind = cpipewire_port_latency, .id = object->id, .number = latency.direction == SPA_DIRECTION_INPUT,
    .values = values, .count = SPA_N_ELEMENTS(values)});
}

static const struct pw_port_events port_events = {PW_VERSION_PORT_EVENTS, .param = port_param};

static int default_told(void *data, uint32_t subject, const char *key, const char *type, const char *value) {
  struct object *object = data;
  if (subject != 0 || !key) return 0;
  if (strcmp(key, "default.audio.sink") == 0)
    say(object->graph, (cpipewire_message){.kind = cpipewire_default_sink, .text = value});
  if (strcmp(key, "default.audio.source") == 0)
    say(object->graph, (cpipewire_message){.kind = cpipewire_default_source, .text = value});
  return 0;
}

static const struct pw_metadata_events metadata_events = {PW_VERSION_METADATA_EVENTS, .property = default_told};

/// Listens to an object until it is gone.
static void watch(
  struct cpipewire_graph *graph, uint32_t id, const char *type, uint32_t version, const void *events) {
  struct pw_proxy *proxy = pw_registry_bind(graph->registry, id, type, version, sizeof(struct object));
  if (!proxy) return;
  struct object *object = calloc(1, sizeof *object);
  if (!object) return;
  *object = (struct object){.graph = graph, .proxy = proxy, .id = id, .next = graph->objects};
  graph->objects = object;
  cpipewire.pw_proxy_add_object_listener(proxy, &object->listener, events, object);
  uint32_t params[] = {SPA_PARAM_Props, SPA_PARAM_Format}, latency[] = {SPA_PARAM_Latency};
  if (events == &node_events)
    pw_node_subscribe_params((struct pw_node *)proxy, params, SPA_N_ELEMENTS(params));
  else if (events == &port_events)
    pw_port_subscribe_params((struct pw_port *)proxy, latency, SPA_N_ELEMENTS(latency));
}

static void leave(struct object *object) {
  spa_hook_remove(&object->listener);
  cpipewire.pw_proxy_destroy(object->proxy);
  free(object);
}

// MARK: The registry

static void global_made(
  void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version, const struct spa_dict *props) {
  struct cpipewire_graph *graph = data;
  cpipewire_message message = {.id = id, .properties = props};
  if (!props) return;
  if (strcmp(type, PW_TYPE_INTERFACE_Node) == 0) {
    message.kind = cpipewire_node;
    say(graph, message);
    const char *class = spa_dict_lookup(props, PW_KEY_MEDIA_CLASS);
    if (class && (strcmp(class, "Audio/Sink") == 0 || strcmp(class, "Audio/Duplex") == 0 ||
                  strncmp(class, "Audio/Source", strlen("Audio/Source")) == 0))
      watch(graph, id, type, PW_VERSION_NODE, &node_events);
  } else if (strcmp(type, PW_TYPE_INTERFACE_Port) == 0) {
    message.kind = cpipewire_port;
    say(graph, message);
  } else if (strcmp(type, PW_TYPE_INTERFACE_Link) == 0) {
    message.kind = cpipewire_link_made;
    say(graph, message);
  } else if (strcmp(type, PW_TYPE_INTERFACE_Client) == 0) {
    message.kind = cpipewire_client;
    say(graph, message);
  } else if (strcmp(type, PW_TYPE_INTERFACE_Metadata) == 0) {
    const char *name = spa_dict_lookup(props, PW_KEY_METADATA_NAME);
    if (name && strcmp(name, "default") == 0) watch(graph, id, type, PW_VERSION_METADATA, &metadata_events);
  }
}

static void global_gone(void *data, uint32_t id) {
  struct cpipewire_graph *graph = data;
  for (struct object **place = &graph->objects; *place; place = &(*place)->next) {
    if ((*place)->id != id) continue;
    struct object *gone = *place;
    *place = gone->next;
    leave(gone);
    break;
  }
  say(graph, (cpipewire_message){.kind = cpipewire_removed, .id = id});
}

static const struct pw_registry_events registry_events = {
  PW_VERSION_REGISTRY_EVENTS, .global = global_made, .global_remove = global_gone};

// MARK: The server

static void core_told(void *data, const struct pw_core_info *info) {
  struct spa_dict_item items[] = {{"core.version", info->version}};
  struct spa_dict properties = SPA_DICT_INIT_ARRAY(items);
  say(data, (cpipewire_message){.kind = cpipewire_server, .properties = &properties});
}

static void core_done(void *data, uint32_t id, int seq) {
  if (id == PW_ID_CORE) say(data, (cpipewire_message){.kind = cpipewire_done, .number = seq});
}

static void core_failed(void *data, uint32_t id, int seq, int result, const char *text) {
  say(data, (cpipewire_message){.kind = cpipewire_error, .id = id, .number = result, .text = text});
}

static const struct pw_core_events core_events = {
  PW_VERSION_CORE_EVENTS, .info = core_told, .done = core_done, .error = core_failed};

static void time_passed(void *data, uint64_t times) { say(data, (cpipewire_message){.kind = cpipewire_tick}); }

cpipewire_graph *cpipewire_graph_connect(const char *remote) {
  struct cpipewire_graph *graph = calloc(1, sizeof *graph);
  if (!graph) return 0;
  graph->thread = cpipewire.pw_thread_loop_new("station", 0);
  graph->loop = graph->thread ? cpipewire.pw_thread_loop_get_loop(graph->thread) : 0;
  struct spa_dict_item settings[] = {{PW_KEY_CONFIG_NAME, "client-rt.conf"}};
  if (graph->loop)
    graph->context = cpipewire.pw_context_new(
      graph->loop, cpipewire.pw_properties_new_dict(&SPA_DICT_INIT_ARRAY(settings)), 0);
  struct spa_dict_item items[] = {{PW_KEY_APP_NAME, "station"}, {PW_KEY_REMOTE_NAME, remote}};
  if (graph->context)
    graph->core = cpipewire.pw_context_connect(
      graph->context, cpipewire.pw_properties_new_dict(&SPA_DICT_INIT(items, remote ? 2 : 1)), 0);
  if (graph->core) {
    graph->timer = pw_loop_add_timer(graph->loop, time_passed, graph);
    graph->bell = pw_loop_add_event(graph->loop, time_passed, graph);
  }
  if (graph->timer && graph->bell) return graph;
  int number = errno;
  cpipewire_graph_close(graph);
  errno = number;
  return 0;
}

int cpipewire_graph_listen(cpipewire_graph *graph, cpipewire_listener listener, void *box) {
  graph->listener = listener;
  graph->box = box;
  pw_core_add_listener(graph->core, &graph->core_listener, &core_events, graph);
  graph->registry = pw_core_get_registry(graph->core, PW_VERSION_REGISTRY, 0);
  if (!graph->registry) return -errno;
  pw_registry_add_listener(graph->registry, &graph->registry_listener, &registry_events, graph);
  // What the server says first is not missed.
  return cpipewire.pw_thread_loop_start(graph->thread);
}

void cpipewire_graph_close(cpipewire_graph *graph) {
  if (graph->thread) cpipewire.pw_thread_loop_stop(graph->thread);
  graph->listener = 0;
  if (graph->filter) cpipewire.pw_filter_destroy(graph->filter);
  for (int index = 0; index < graph->link_count; index++) {
    spa_hook_remove(&graph->links[index].listener);
    cpipewire.pw_proxy_destroy(graph->links[index].proxy);
  }
  while (graph->objects) {
    struct object *gone = graph->objects;
    graph->objects = gone->next;
    leave(gone);
  }
  if (graph->registry) {
    spa_hook_remove(&graph->registry_listener);
    cpipewire.pw_proxy_destroy((struct pw_proxy *)graph->registry);
  }
  if (graph->timer) pw_loop_destroy_source(graph->loop, graph->timer);
  if (graph->bell) pw_loop_destroy_source(graph->loop, graph->bell);
  if (graph->core) {
    if (graph->core_listener.link.next) spa_hook_remove(&graph->core_listener);
    cpipewire.pw_core_disconnect(graph->core);
  }
  if (graph->context) cpipewire.pw_context_destroy(graph->context);
  if (graph->thread) cpipewire.pw_thread_loop_destroy(graph->thread);
  free(graph);
}

void cpipewire_graph_lock(cpipewire_graph *graph) { cpipewire.pw_thread_loop_lock(graph->thread); }
void cpipewire_graph_unlock(cpipewire_graph *graph) { cpipewire.pw_thread_loop_unlock(graph->thread); }
int cpipewire_graph_sync(cpipewire_graph *graph) { return pw_core_sync(graph->core, PW_ID_CORE, 0); }

void cpipewire_graph_tick(cpipewire_graph *graph, int64_t interval) {
  struct timespec every = {interval / 1000000000, interval % 1000000000};
  pw_loop_update_timer(graph->loop, graph->timer, &every, &every, false);
}

// MARK: The filter

static int64_t monotonic(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// A cycle, on the real-time thread; the bell writes to a descriptor, which does not block.
static void filter_process(void *data, struct spa_io_position *position) {
  struct cpipewire_graph *graph = data;
  if (!position || position->clock.rate.denom == 0) return;
  const struct spa_io_clock *clock = &position->clock;
  cpipewire_cycle cycle = {
    .nsec = (int64_t)clock->nsec, .position = (int64_t)clock->position, .duration = (int64_t)clock->duration,
    .delay = clock->delay, .rate = clock->rate.denom, .driver = clock->id, .now = monotonic()};
  float *planes[most_ports];
  for (int port = 0; port < graph->port_count; port++)
    planes[port] = cpipewire.pw_filter_get_dsp_buffer(graph->ports[port], (uint32_t)cycle.duration);
  if (graph->capture) {
    cpipewire_capture_cycle(graph->capture, &cycle, planes);
    return;
  }
  bool is_news = cpipewire_engine_cycle(graph->engine, &cycle, planes);
  cpipewire_engine_finish(graph->engine, monotonic());
  if (is_news) pw_loop_signal_event(graph->loop, graph->bell);
}

static void filter_changed(
  void *data, enum pw_filter_state old, enum pw_filter_state state, const char *error) {
  say(data, (cpipewire_message){.kind = cpipewire_filter_state, .number = state, .text = error});
}

static void filter_given(void *data, void *port, uint32_t id, void *area, uint32_t size) {
  struct cpipewire_graph *graph = data;
  if (!port && id == SPA_IO_Position) graph->position = size >= sizeof *graph->position ? area : 0;
}

static const struct pw_filter_events filter_events = {
  PW_VERSION_FILTER_EVENTS, .state_changed = filter_changed, .io_changed = filter_given, .process = filter_process};

/// Makes the filter with a port for each channel name.
static int make_filter(
  cpipewire_graph *graph, enum pw_direction direction, const char *const *channels, int count, bool is_low_latency) {
  if (count > most_ports) return -EINVAL;
  bool plays = direction == PW_DIRECTION_OUTPUT;
  struct spa_dict_item items[] = {
    {PW_KEY_MEDIA_TYPE, "Audio"}, {PW_KEY_MEDIA_CATEGORY, plays ? "Playback" : "Capture"}, {PW_KEY_MEDIA_ROLE, "DSP"},
    {PW_KEY_NODE_NAME, "station"}, {PW_KEY_NODE_DESCRIPTION, plays ? "station: stimulus" : "station: recording"},
    {PW_KEY_APP_NAME, "station"},
    // Without a jump of the clock in the middle of a stimulus.
    {PW_KEY_NODE_LOCK_QUANTUM, "true"}, {PW_KEY_NODE_LOCK_RATE, "true"},
    // Last, so that it can be left out.
    {PW_KEY_NODE_LATENCY, "256/48000"}};
  struct spa_dict properties = SPA_DICT_INIT(items, SPA_N_ELEMENTS(items) - (is_low_latency ? 0 : 1));
  graph->filter = cpipewire.pw_filter_new(
    graph->core, plays ? "stimulus" : "recording", cpipewire.pw_properties_new_dict(&properties));
  if (!graph->filter) return -errno;
  cpipewire.pw_filter_add_listener(graph->filter, &graph->filter_listener, &filter_events, graph);
  for (int port = 0; port < count; port++) {
    char name[80];
    snprintf(name, sizeof name, "%s_%d_%s", plays ? "output" : "input", port, channels[port]);
    struct spa_dict_item about[] = {
      {PW_KEY_FORMAT_DSP, "32 bit float mono audio"}, {PW_KEY_PORT_NAME, name}, {PW_KEY_AUDIO_CHANNEL, channels[port]}};
    graph->ports[port] = cpipewire.pw_filter_add_port(
      graph->filter, direction, PW_FILTER_PORT_FLAG_MAP_BUFFERS, 0,
      cpipewire.pw_properties_new_dict(&SPA_DICT_INIT_ARRAY(about)), 0, 0);
    if (!graph->ports[port]) return -errno;
  }
  graph->port_count = count;
  return cpipewire.pw_filter_connect(graph->filter, PW_FILTER_FLAG_RT_PROCESS, 0, 0);
}

int cpipewire_graph_play(
  cpipewire_graph *graph, cpipewire_engine *engine, const char *const *channels, int count, bool is_low_latency) {
  graph->engine = engine;
  return make_filter(graph, PW_DIRECTION_OUTPUT, channels, count, is_low_latency);
}

int cpipewire_graph_record(cpipewire_graph *graph, cpipewire_capture *capture, const char *const *channels, int count) {
  graph->capture = capture;
  return make_filter(graph, PW_DIRECTION_INPUT, channels, count, false);
}

void cpipewire_graph_watch_port(cpipewire_graph *graph, uint32_t port) {
  watch(graph, port, PW_TYPE_INTERFACE_Port, PW_VERSION_PORT, &port_events);
}

void cpipewire_graph_force_quantum(cpipewire_graph *graph, int frames) {
  char text[16];
  snprintf(text, sizeof text, "%d", frames);
  struct spa_dict_item items[] = {{PW_KEY_NODE_FORCE_QUANTUM, text}};
  if (graph->filter) cpipewire.pw_filter_update_properties(graph->filter, 0, &SPA_DICT_INIT_ARRAY(items));
}

uint32_t cpipewire_graph_filter(cpipewire_graph *graph) {
  return graph->filter ? cpipewire.pw_filter_get_node_id(graph->filter) : UINT32_MAX;
}

cpipewire_clock cpipewire_graph_clock(cpipewire_graph *graph) {
  const struct spa_io_clock *clock = graph->position ? &graph->position->clock : 0;
  return clock ? (cpipewire_clock){.rate = clock->rate.denom, .duration = (int64_t)clock->duration}
               : (cpipewire_clock){0};
}

static void link_told(void *data, const struct pw_link_info *info) {
  struct link *link = data;
  if (info->change_mask & PW_LINK_CHANGE_MASK_STATE)
    say(link->graph, (cpipewire_message){.kind = cpipewire_link_state, .id = info->id,
                                           .number = info->state == PW_LINK_STATE_ACTIVE});
}

static const struct pw_link_events link_events = {PW_VERSION_LINK_EVENTS, .info = link_told};

int cpipewire_graph_link(cpipewire_graph *graph, uint32_t output, uint32_t input) {
  if (graph->link_count >= (int)SPA_N_ELEMENTS(graph->links)) return -ENOSPC;
  char from[16], to[16];
  snprintf(from, sizeof from, "%u", output);
  snprintf(to, sizeof to, "%u", input);
  struct spa_dict_item items[] = {{PW_KEY_LINK_OUTPUT_PORT, from}, {PW_KEY_LINK_INPUT_PORT, to}};
  struct pw_proxy *proxy = pw_core_create_object(
    graph->core, "link-factory", PW_TYPE_INTERFACE_Link, PW_VERSION_LINK, &SPA_DICT_INIT_ARRAY(items), 0);
  if (!proxy) return -errno;
  struct link *link = &graph->links[graph->link_count++];
  *link = (struct link){.graph = graph, .proxy = proxy};
  cpipewire.pw_proxy_add_object_listener(proxy, &link->listener, &link_events, link);
  return 0;
}
