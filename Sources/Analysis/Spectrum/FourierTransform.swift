import CEigen

/// A discrete Fourier transform of fixed length, for any number of signals.
///
/// Eigen's FFT does the computation. Its time grows with the largest prime factor, so lengths with a large one are
/// computed by a power of two (Bluestein, "A linear filtering approach to the computation of discrete Fourier
/// transform", 1970).
@safe struct FourierTransform: ~Copyable {
  private let plan: OpaquePointer
  private let chirp: Chirp?

  /// The number of points.
  let count: Int

  /// Creates a transform of `count` points.
  init(count: Int) {
    precondition(count > 0, "a transform needs a point")
    self.count = count
    let chirp = Self.hasLargeFactor(count) ? Chirp(count: count) : nil
    guard let plan = unsafe ceigen_plan_new(chirp?.length ?? count) else {
      preconditionFailure("no memory for a Fourier transform of \(count) points")
    }
    unsafe self.plan = plan
    self.chirp = chirp
    if let chirp { chirp.spectrum = forward(chirp.kernel) }
  }

  deinit { unsafe ceigen_plan_free(plan) }

  /// The squared magnitudes of bins 0 to count/2.
  func powers(of signal: [Double]) -> [Double] {
    precondition(signal.count == count, "a transform of \(count) points was given \(signal.count)")
    // Eigen does not support a transform of one point, which is the point itself.
    guard count > 1 else { return [signal[0] * signal[0]] }
    let bins = count / 2 + 1
    var parts: [Double]
    if let chirp {
      parts = chirp.transform(signal) { forward($0) }
    } else {
      parts = [Double](repeating: 0, count: 2 * bins)
      unsafe ceigen_forward_real(plan, signal, &parts)
    }
    return (0..<bins).map { bin in
      let (real, imaginary) = (parts[2 * bin], parts[2 * bin + 1])
      return real * real + imaginary * imaginary
    }
  }

  private func forward(_ complex: [Double]) -> [Double] {
    var output = [Double](repeating: 0, count: complex.count)
    unsafe ceigen_forward_complex(plan, complex, &output)
    return output
  }

  private static func hasLargeFactor(_ count: Int) -> Bool {
    var rest = count
    for factor in 2...64 { while rest % factor == 0 { rest /= factor } }
    return rest > 1
  }
}

/// Bluestein's chirp: it turns a transform into a convolution of arbitrary length.
private final class Chirp {
  let length: Int
  let kernel: [Double]
  var spectrum: [Double] = []
  private let count: Int
  private let wave: [Double]

  init(count: Int) {
    self.count = count
    var length = 1
    while length < 2 * count - 1 { length *= 2 }
    self.length = length
    // exp(-i pi n^2 / N): n^2 is taken modulo 2 N, which keeps the angle small and exact.
    var wave: [Double] = []
    for index in 0..<count {
      let angle = -Double.pi * Double(index * index % (2 * count)) / Double(count)
      wave += [cosine(angle), sine(angle)]
    }
    self.wave = wave
    var kernel = [Double](repeating: 0, count: 2 * length)
    for index in 0..<count {
      for place in Set([index, (length - index) % length]) {
        kernel[2 * place] = wave[2 * index]
        kernel[2 * place + 1] = -wave[2 * index + 1]
      }
    }
    self.kernel = kernel
  }

  func transform(_ signal: [Double], by forward: ([Double]) -> [Double]) -> [Double] {
    var folded = [Double](repeating: 0, count: 2 * length)
    for index in 0..<count {
      folded[2 * index] = signal[index] * wave[2 * index]
      folded[2 * index + 1] = signal[index] * wave[2 * index + 1]
    }
    var product = forward(folded)
    // The inverse transform of a product is the conjugate of the transform of its conjugate.
    for index in 0..<length {
      let (real, imaginary) = (product[2 * index], product[2 * index + 1])
      let (kernelReal, kernelImaginary) = (spectrum[2 * index], spectrum[2 * index + 1])
      product[2 * index] = real * kernelReal - imaginary * kernelImaginary
      product[2 * index + 1] = -(real * kernelImaginary + imaginary * kernelReal)
    }
    let convolved = forward(product)
    var result = [Double](repeating: 0, count: 2 * (count / 2 + 1))
    for index in 0...(count / 2) {
      let (real, imaginary) = (convolved[2 * index] / Double(length), -convolved[2 * index + 1] / Double(length))
      result[2 * index] = real * wave[2 * index] - imaginary * wave[2 * index + 1]
      result[2 * index + 1] = real * wave[2 * index + 1] + imaginary * wave[2 * index]
    }
    return result
  }
}
