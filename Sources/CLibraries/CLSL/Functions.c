// The functions of liblsl that the station calls, found when a stream is looked for: most stations do not have the library.
// Their declarations are ours, from the library's documentation.

#include "shim.h"
#include <lazy.h>

#define CLSL_FUNCTIONS(entry) \
  entry(lsl_library_version, int, (void)) \
  entry(lsl_local_clock, double, (void)) \
  entry(lsl_resolve_bypred, int, (clsl_info *, uint32_t, const char *, int32_t, double)) \
  entry(lsl_resolve_all, int, (clsl_info *, uint32_t, double)) \
  entry(lsl_create_streaminfo, clsl_info, (const char *, const char *, int32_t, double, int, const char *)) \
  entry(lsl_streaminfo_from_xml, clsl_info, (const char *)) \
  entry(lsl_destroy_streaminfo, void, (clsl_info)) \
  entry(lsl_get_name, const char *, (clsl_info)) \
  entry(lsl_get_type, const char *, (clsl_info)) \
  entry(lsl_get_source_id, const char *, (clsl_info)) \
  entry(lsl_get_hostname, const char *, (clsl_info)) \
  entry(lsl_get_uid, const char *, (clsl_info)) \
  entry(lsl_get_channel_count, int32_t, (clsl_info)) \
  entry(lsl_get_nominal_srate, double, (clsl_info)) \
  entry(lsl_get_channel_format, int, (clsl_info)) \
  entry(lsl_get_desc, clsl_element, (clsl_info)) \
  entry(lsl_child, clsl_element, (clsl_element, const char *)) \
  entry(lsl_next_sibling_n, clsl_element, (clsl_element, const char *)) \
  entry(lsl_empty, int32_t, (clsl_element)) \
  entry(lsl_child_value_n, const char *, (clsl_element, const char *)) \
  entry(lsl_append_child, clsl_element, (clsl_element, const char *)) \
  entry(lsl_append_child_value, clsl_element, (clsl_element, const char *, const char *)) \
  entry(lsl_create_inlet, clsl_inlet, (clsl_info, int32_t, int32_t, int32_t)) \
  entry(lsl_destroy_inlet, void, (clsl_inlet)) \
  entry(lsl_get_fullinfo, clsl_info, (clsl_inlet, double, int32_t *)) \
  entry(lsl_open_stream, void, (clsl_inlet, double, int32_t *)) \
  entry(lsl_time_correction_ex, double, (clsl_inlet, double *, double *, double, int32_t *)) \
  entry(lsl_pull_chunk_d, unsigned long, \
    (clsl_inlet, double *, double *, unsigned long, unsigned long, double, int32_t *)) \
  entry(lsl_samples_available, uint32_t, (clsl_inlet)) \
  entry(lsl_pull_sample_str, double, (clsl_inlet, char **, int32_t, double, int32_t *)) \
  entry(lsl_destroy_string, void, (char *)) \
  entry(lsl_create_outlet, clsl_outlet, (clsl_info, int32_t, int32_t)) \
  entry(lsl_destroy_outlet, void, (clsl_outlet)) \
  entry(lsl_have_consumers, int32_t, (clsl_outlet)) \
  entry(lsl_push_sample_strtp, int32_t, (clsl_outlet, const char **, double, int32_t)) \
  entry(lsl_push_sample_dtp, int32_t, (clsl_outlet, const double *, double, int32_t))

#define CLSL_DECLARE(name, type, parameters) type name parameters;
CLSL_FUNCTIONS(CLSL_DECLARE)
LAZY_FUNCTIONS(CLSL_FUNCTIONS)
LAZY_SEARCH(CLSL_FUNCTIONS)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_open;

int clsl_open(const char *const *paths, char *reason, size_t size, const char *configuration) {
  pthread_mutex_lock(&lock);
  reason[0] = 0;
  for (; !is_open && *paths; paths++) {
    void *library = dlopen(*paths, RTLD_NOW | RTLD_LOCAL);
    const char *missing = library ? lazy_search(library) : dlerror();
    if (!missing) {
      is_open = 1;
      // Of version 1.16 and later; before it is used for the first time.
      void (*configure)(const char *);
      *(void **)&configure = dlsym(library, "lsl_set_config_content");
      if (configure && configuration) configure(configuration);
    }
    // The first reason is that of the path that was given.
    if (missing && !reason[0]) strncat(reason, missing, size - 1);
    if (missing && library) dlclose(library);
  }
  int result = is_open ? 0 : -1;
  pthread_mutex_unlock(&lock);
  return result;
}

int clsl_version(void) { return functions.lsl_library_version(); }
double clsl_clock(void) { return functions.lsl_local_clock(); }
int clsl_resolve(clsl_info *found, int room, const char *predicate, int least, double seconds) {
  return functions.lsl_resolve_bypred(found, room, predicate, least, seconds);
}
int clsl_resolve_all(clsl_info *found, int room, double seconds) { return functions.lsl_resolve_all(found, room, seconds); }
clsl_info clsl_info_new(const char *name, const char *type, int channels, double rate, int format, const char *source) {
  return functions.lsl_create_streaminfo(name, type, channels, rate, format, source);
}
clsl_info clsl_info_read(const char *xml) { return functions.lsl_streaminfo_from_xml(xml); }
void clsl_info_free(clsl_info info) { functions.lsl_destroy_streaminfo(info); }
const char *clsl_name(clsl_info info) { return functions.lsl_get_name(info); }
const char *clsl_type(clsl_info info) { return functions.lsl_get_type(info); }
const char *clsl_source(clsl_info info) { return functions.lsl_get_source_id(info); }
const char *clsl_host(clsl_info info) { return functions.lsl_get_hostname(info); }
const char *clsl_identifier(clsl_info info) { return functions.lsl_get_uid(info); }
int clsl_channels(clsl_info info) { return functions.lsl_get_channel_count(info); }
double clsl_rate(clsl_info info) { return functions.lsl_get_nominal_srate(info); }
int clsl_format(clsl_info info) { return functions.lsl_get_channel_format(info); }

clsl_element clsl_first_channel(clsl_info info) {
  return functions.lsl_child(functions.lsl_child(functions.lsl_get_desc(info), "channels"), "channel");
}
clsl_element clsl_next_channel(clsl_element channel) { return functions.lsl_next_sibling_n(channel, "channel"); }
int clsl_is_empty(clsl_element element) { return functions.lsl_empty(element); }
const char *clsl_text(clsl_element element, const char *member) { return functions.lsl_child_value_n(element, member); }

void clsl_add_channel(clsl_info info, const char *label, const char *type, const char *unit) {
  clsl_element channels = functions.lsl_child(functions.lsl_get_desc(info), "channels");
  if (functions.lsl_empty(channels)) channels = functions.lsl_append_child(functions.lsl_get_desc(info), "channels");
  clsl_element channel = functions.lsl_append_child(channels, "channel");
  functions.lsl_append_child_value(channel, "label", label);
  functions.lsl_append_child_value(channel, "type", type);
  functions.lsl_append_child_value(channel, "unit", unit);
}

clsl_inlet clsl_inlet_new(clsl_info info, int seconds) { return functions.lsl_create_inlet(info, seconds, 0, 0); }
void clsl_inlet_free(clsl_inlet inlet) { functions.lsl_destroy_inlet(inlet); }
clsl_info clsl_full_info(clsl_inlet inlet, double seconds, int *error) {
  return functions.lsl_get_fullinfo(inlet, seconds, error);
}
void clsl_open_stream(clsl_inlet inlet, double seconds, int *error) { functions.lsl_open_stream(inlet, seconds, error); }
double clsl_correction(clsl_inlet inlet, double *uncertainty, double seconds, int *error) {
  double remote;
  return functions.lsl_time_correction_ex(inlet, &remote, uncertainty, seconds, error);
}
unsigned long clsl_pull(
  clsl_inlet inlet, double *values, double *times, unsigned long room, unsigned long frames, double seconds,
  int *error) {
  return functions.lsl_pull_chunk_d(inlet, values, times, room, frames, seconds, error);
}
unsigned int clsl_available(clsl_inlet inlet) { return functions.lsl_samples_available(inlet); }
double clsl_pull_texts(clsl_inlet inlet, char **texts, int channels, double seconds, int *error) {
  return functions.lsl_pull_sample_str(inlet, texts, channels, seconds, error);
}
void clsl_text_free(char *text) { functions.lsl_destroy_string(text); }

clsl_outlet clsl_outlet_new(clsl_info info) { return functions.lsl_create_outlet(info, 0, 360); }
void clsl_outlet_free(clsl_outlet outlet) { functions.lsl_destroy_outlet(outlet); }
int clsl_is_received(clsl_outlet outlet) { return functions.lsl_have_consumers(outlet); }
int clsl_push_text(clsl_outlet outlet, const char *text, double time) {
  return functions.lsl_push_sample_strtp(outlet, &text, time, 1);
}
int clsl_push(clsl_outlet outlet, const double *values, double time) {
  return functions.lsl_push_sample_dtp(outlet, values, time, 1);
}
