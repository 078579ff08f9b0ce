/// The periodogram of Lomb (1976) and Scargle (1982) for unevenly spaced values, averaged over segments as in Welch's
/// method.
///
/// It needs no interpolation. Each segment's mean is subtracted, the window function is applied at the times of the
/// beats, and the scale is that of a one-sided density: for segments of duration T with weights w, 2 P T / sum(w^2), P
/// being SciPy's `lombscargle`. Frequencies with less than one period per segment are excluded.
struct LombScargleSpectrum {
  /// The duration of a segment in seconds; a shorter series is one segment.
  var segment: Double

  /// The window function over the beats.
  var window: SpectralWindow

  /// The spacing of the frequencies, which are its multiples.
  var frequencyStep: Double

  /// The upper limit of the frequencies.
  var highestFrequency: Double

  /// The spectrum of values at ascending times; `nil` if they span less than a second or no segment has three values.
  func spectrum(times: [Double], values: [Double]) -> PowerSpectrum? {
    guard let first = times.first, let last = times.last, last - first >= 1 else { return nil }
    let length = min(segment, last - first)
    let count = Int((highestFrequency / frequencyStep).rounded(.down))
    // The largest rounding error of a time or of a frequency.
    let tolerance = 1e-9
    var sums = [Double](repeating: 0, count: count)
    var segments = 0
    var low = 0
    // Segments advance by half their length as long as a whole one fits; the last beat may end one.
    var (start, end) = (first, first)
    while start + length <= last + tolerance * length {
      end = start + length
      while low < times.count, times[low] < start { low += 1 }
      var high = low
      while high < times.count, times[high] <= end + tolerance * length { high += 1 }
      if high - low >= 3 {
        add(times[low..<high], values[low..<high], start: start, length: length, to: &sums)
        segments += 1
      }
      start += length / 2
    }
    guard segments > 0 else { return nil }
    let lowest = (1 - tolerance) / length
    let omitted = sums.indices.prefix { Double($0 + 1) * frequencyStep < lowest }.count
    return PowerSpectrum(
      firstFrequency: Double(omitted + 1) * frequencyStep, frequencyStep: frequencyStep,
      densities: sums.dropFirst(omitted).map { $0 / Double(segments) }, segments: segments, duration: end - first)
  }

  private func add(
    _ times: ArraySlice<Double>, _ values: ArraySlice<Double>, start: Double, length: Double, to sums: inout [Double]
  ) {
    let mean = values.reduce(0, +) / Double(values.count)
    let weights = times.map { window.weight(at: ($0 - start) / length) }
    let energy = weights.reduce(0) { $0 + $1 * $1 }
    guard energy > 0 else { return }
    let weighted = zip(values, weights).map { ($0 - mean) * $1 }
    // The sine and cosine at each beat are rotated from one frequency to the next, and recomputed periodically.
    let steps = times.map { 2 * .pi * frequencyStep * ($0 - start) }
    let turns = steps.map { (cosine: cosine($0), sine: sine($0)) }
    var angles = turns
    for index in sums.indices {
      if index > 0, index % 32 == 0 {
        angles = steps.map { (cosine: cosine($0 * Double(index + 1)), sine: sine($0 * Double(index + 1))) }
      }
      let power = Self.power(weighted, angles)
      sums[index] += 2 * power * length / energy
      for beat in angles.indices {
        let (angle, turn) = (angles[beat], turns[beat])
        angles[beat].cosine = angle.cosine * turn.cosine - angle.sine * turn.sine
        angles[beat].sine = angle.sine * turn.cosine + angle.cosine * turn.sine
      }
    }
  }

  /// Scargle's equation 10, with its offset tau expressed by sums over the angles instead of shifted times.
  private static func power(_ values: [Double], _ angles: [(cosine: Double, sine: Double)]) -> Double {
    var (valueCosine, valueSine, cosines, products) = (0.0, 0.0, 0.0, 0.0)
    for (value, angle) in zip(values, angles) {
      valueCosine += value * angle.cosine
      valueSine += value * angle.sine
      cosines += angle.cosine * angle.cosine
      products += angle.cosine * angle.sine
    }
    let sines = Double(values.count) - cosines
    let offset = arctangent(2 * products, cosines - sines) / 2
    let (turnCosine, turnSine) = (cosine(offset), sine(offset))
    let along = turnCosine * valueCosine + turnSine * valueSine
    let across = turnCosine * valueSine - turnSine * valueCosine
    let mixed = 2 * turnCosine * turnSine * products
    let alongEnergy = turnCosine * turnCosine * cosines + mixed + turnSine * turnSine * sines
    let acrossEnergy = turnCosine * turnCosine * sines - mixed + turnSine * turnSine * cosines
    return 0.5
      * ((alongEnergy > 0 ? along * along / alongEnergy : 0)
        + (acrossEnergy > 0 ? across * across / acrossEnergy : 0))
  }
}
