#pragma once
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

// Cairo 1.16 and Pango 1.50, opened when the first chart needs them: linked, their twenty shared objects would slow every
// command. The declarations below are copied from <cairo.h>, <cairo-pdf.h>, <pango/pango.h> and <pango/pangocairo.h>,
// whose binary interfaces have been stable since Cairo 1.0 and Pango 1.0; every handle is a `void *`.

/// PangoRectangle.
typedef struct {
  int x, y, width, height;
} cpango_rectangle;

/// cairo_write_func_t: takes the next bytes of a file, and says 0.
typedef int (*cpango_write)(void *closure, const unsigned char *bytes, unsigned int count);

#define CPANGO_CAIRO(entry) \
  entry(void *, image_surface_create, (int format, int width, int height)) \
  entry(void *, pdf_surface_create_for_stream, (cpango_write write, void *closure, double width, double height)) \
  entry(void, pdf_surface_set_metadata, (void *surface, int key, const char *text)) \
  entry(int, pdf_surface_add_outline, (void *surface, int parent, const char *text, const char *link, int flags)) \
  entry(int, surface_write_to_png_stream, (void *surface, cpango_write write, void *closure)) \
  entry(void, surface_finish, (void *surface)) \
  entry(int, surface_status, (void *surface)) \
  entry(void, surface_destroy, (void *surface)) \
  entry(const char *, status_to_string, (int status)) \
  entry(void *, create, (void *surface)) \
  entry(int, status, (void *context)) \
  entry(void, destroy, (void *context)) \
  entry(void, scale, (void *context, double x, double y)) \
  entry(void, translate, (void *context, double x, double y)) \
  entry(void, show_page, (void *context)) \
  entry(void, tag_begin, (void *context, const char *name, const char *attributes)) \
  entry(void, tag_end, (void *context, const char *name)) \
  entry(void, save, (void *context)) \
  entry(void, restore, (void *context)) \
  entry(void, clip, (void *context)) \
  entry(void, paint, (void *context)) \
  entry(void, rectangle, (void *context, double x, double y, double width, double height)) \
  entry(void, new_path, (void *context)) \
  entry(void, move_to, (void *context, double x, double y)) \
  entry(void, line_to, (void *context, double x, double y)) \
  entry(void, arc, (void *context, double x, double y, double radius, double from, double to)) \
  entry(void, close_path, (void *context)) \
  entry(void, set_source_rgba, (void *context, double red, double green, double blue, double alpha)) \
  entry(void, set_line_width, (void *context, double width)) \
  entry(void, set_line_cap, (void *context, int cap)) \
  entry(void, set_line_join, (void *context, int join)) \
  entry(void, set_dash, (void *context, const double *lengths, int count, double offset)) \
  entry(void, fill, (void *context)) \
  entry(void, stroke, (void *context)) \
  entry(void *, font_options_create, (void)) \
  entry(void, font_options_destroy, (void *options)) \
  entry(void, font_options_set_hint_style, (void *options, int style)) \
  entry(void, font_options_set_hint_metrics, (void *options, int metrics)) \
  entry(void, font_options_set_antialias, (void *options, int antialias))

#define CPANGO_PANGO(entry) \
  entry(void *, font_description_from_string, (const char *text)) \
  entry(void, font_description_set_absolute_size, (void *description, double size)) \
  entry(void, font_description_set_weight, (void *description, int weight)) \
  entry(void, font_description_free, (void *description)) \
  entry(void *, font_map_create_context, (void *font_map)) \
  entry(void *, layout_new, (void *context)) \
  entry(void, layout_set_font_description, (void *layout, const void *description)) \
  entry(void, layout_set_text, (void *layout, const char *text, int length)) \
  entry(void, layout_set_markup, (void *layout, const char *markup, int length)) \
  entry(void, layout_set_width, (void *layout, int width)) \
  entry(void, layout_set_height, (void *layout, int height)) \
  entry(void, layout_set_wrap, (void *layout, int wrap)) \
  entry(void, layout_set_ellipsize, (void *layout, int place)) \
  entry(void, layout_set_alignment, (void *layout, int alignment)) \
  entry(void, layout_set_auto_dir, (void *layout, int is_automatic)) \
  entry(void, layout_set_spacing, (void *layout, int spacing)) \
  entry(void, layout_set_single_paragraph_mode, (void *layout, int setting)) \
  entry(void, layout_get_extents, (void *layout, cpango_rectangle *ink, cpango_rectangle *logical)) \
  entry(int, layout_get_baseline, (void *layout)) \
  entry(void, context_set_round_glyph_positions, (void *context, int rounds))

#define CPANGO_PANGOCAIRO(entry) \
  entry(void *, font_map_get_default, (void)) \
  entry(void, context_set_font_options, (void *context, const void *options)) \
  entry(void, show_layout, (void *cairo, void *layout)) \
  entry(void, layout_path, (void *cairo, void *layout))

/// The functions that charts use, by the names of their libraries and of their own.
typedef struct {
#define CPANGO_MEMBER(result, name, arguments) result(*cairo_##name) arguments;
  CPANGO_CAIRO(CPANGO_MEMBER)
#undef CPANGO_MEMBER
#define CPANGO_MEMBER(result, name, arguments) result(*pango_##name) arguments;
  CPANGO_PANGO(CPANGO_MEMBER)
#undef CPANGO_MEMBER
#define CPANGO_MEMBER(result, name, arguments) result(*pangocairo_##name) arguments;
  CPANGO_PANGOCAIRO(CPANGO_MEMBER)
#undef CPANGO_MEMBER
  void (*object_unref)(void *object);
} cpango_functions;

/// Opens a library and keeps it open; where that fails, puts the reason into `reason`.
static inline void *cpango_open(const char *name, char *reason, size_t size) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    strncpy(reason, text ? text : name, size - 1);
    reason[size - 1] = 0;
  }
  return library;
}

/// Finds one function; puts its name into `reason` where the library lacks it.
static inline void *cpango_find(void *library, const char *name, char *reason, size_t size) {
  void *function = dlsym(library, name);
  if (!function) {
    strncpy(reason, name, size - 1);
    reason[size - 1] = 0;
  }
  return function;
}

/// Opens the libraries and finds every function; 0, or −1 and the reason. Assigning what `dlsym` returns to function
/// pointers of their own types is not possible in Swift.
static inline int cpango_load(cpango_functions *functions, char *reason, size_t size) {
  void *cairo = cpango_open("libcairo.so.2", reason, size);
  void *pango = cairo ? cpango_open("libpango-1.0.so.0", reason, size) : 0;
  void *pangocairo = pango ? cpango_open("libpangocairo-1.0.so.0", reason, size) : 0;
  void *gobject = pangocairo ? cpango_open("libgobject-2.0.so.0", reason, size) : 0;
  if (!gobject) return -1;
#define CPANGO_LOAD(result, name, arguments) \
  if (!(*(void **)&functions->cairo_##name = cpango_find(cairo, "cairo_" #name, reason, size))) return -1;
  CPANGO_CAIRO(CPANGO_LOAD)
#undef CPANGO_LOAD
#define CPANGO_LOAD(result, name, arguments) \
  if (!(*(void **)&functions->pango_##name = cpango_find(pango, "pango_" #name, reason, size))) return -1;
  CPANGO_PANGO(CPANGO_LOAD)
#undef CPANGO_LOAD
#define CPANGO_LOAD(result, name, arguments) \
  if (!(*(void **)&functions->pangocairo_##name = cpango_find(pangocairo, "pango_cairo_" #name, reason, size))) return -1;
  CPANGO_PANGOCAIRO(CPANGO_LOAD)
#undef CPANGO_LOAD
  if (!(*(void **)&functions->object_unref = cpango_find(gobject, "g_object_unref", reason, size))) return -1;
  return 0;
}
