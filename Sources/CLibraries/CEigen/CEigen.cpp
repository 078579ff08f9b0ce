#include "CEigen.h"

#include <complex>
#include <new>

#include <eigen3/unsupported/Eigen/FFT>

struct ceigen_plan {
  Eigen::FFT<double> transform;
  Eigen::Index count;
};

extern "C" ceigen_plan *ceigen_plan_new(size_t count) {
  ceigen_plan *plan = new (std::nothrow) ceigen_plan;
  if (plan == nullptr) return nullptr;
  plan->count = static_cast<Eigen::Index>(count);
  plan->transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  return plan;
}

extern "C" void ceigen_plan_free(ceigen_plan *plan) { delete plan; }

extern "C" void ceigen_forward_real(ceigen_plan *plan, const double *input, double *output) {
  plan->transform.fwd(reinterpret_cast<std::complex<double> *>(output), input, plan->count);
}

extern "C" void ceigen_forward_complex(ceigen_plan *plan, const double *input, double *output) {
  plan->transform.fwd(reinterpret_cast<std::complex<double> *>(output),
                      reinterpret_cast<const std::complex<double> *>(input), plan->count);
}
