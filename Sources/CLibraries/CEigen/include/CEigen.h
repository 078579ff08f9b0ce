#pragma once
#include <stddef.h>

/// Eigen is a C++ template library, which Swift cannot see: what the station needs of its FFT module, as C functions.
#ifdef __cplusplus
extern "C" {
#endif

/// What a transform of one length prepares once: its factors and twiddles.
typedef struct ceigen_plan ceigen_plan;

/// A plan for transforms of `count` points, to be freed with `ceigen_plan_free`; NULL when memory is short.
ceigen_plan *ceigen_plan_new(size_t count);

/// Frees a plan.
void ceigen_plan_free(ceigen_plan *plan);

/// The forward transform of `count` real numbers: bins 0 to count/2, real and imaginary parts in turn.
void ceigen_forward_real(ceigen_plan *plan, const double *input, double *output);

/// The forward transform of `count` complex numbers, real and imaginary parts in turn.
void ceigen_forward_complex(ceigen_plan *plan, const double *input, double *output);

#ifdef __cplusplus
}
#endif
