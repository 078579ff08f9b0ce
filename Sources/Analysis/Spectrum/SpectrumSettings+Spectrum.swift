/// The spectrum of a stretch of intervals, with the settings that define its bands.
struct IntervalSpectrum {
  var spectrum: PowerSpectrum
  var settings: SpectrumSettings
  /// The number of intervals used, from the first on.
  var intervalsUsed: Int
  /// The time from the first beat that ends an interval to the last, in seconds.
  var available: Double
  /// The time that the segments cover, in seconds; a grid may pass the last beat by a fraction of its step.
  var covered: Double { min(spectrum.duration, available) }
  /// The frequency below which densities belong to no band.
  var lowestFrequency = 0.0

  func power(in band: ClosedRange<Double>) -> Double? {
    spectrum.power(in: band, rule: settings.rule, lowest: lowestFrequency)
  }

  /// The power from 0 to 0.5 Hz, summed by bands; a band without frequencies adds nothing.
  var totalPower: Double {
    let bands = [
      0...settings.vlf.lowerBound, settings.vlf, settings.lf, settings.hf, settings.hf.upperBound...0.5,
    ]
    return bands.reduce(0) { $0 + (power(in: $1) ?? 0) }
  }
}

extension SpectrumSettings {
  /// The longest duration of intervals for a spectrum, in seconds: 58 days at 4 samples per second, two days at 100.
  ///
  /// A longer duration means an invalid interval, or would not fit into memory.
  var longestDuration: Double {
    let rate = if case .welch(let welch) = method { welch.rate } else { 4.0 }
    return 20_000_000 / rate
  }

  /// Whether intervals exceed `longestDuration`.
  func isTooLong(_ intervals: some Collection<Double>) -> Bool {
    intervals.reduce(0, +) / 1000 > longestDuration
  }

  /// The spectrum of successive intervals in milliseconds; `nil` if there are too few or their duration is too long.
  func spectrum(of intervals: [Double]) -> IntervalSpectrum? {
    guard !intervals.isEmpty, !isTooLong(intervals) else { return nil }
    let times = sums(of: intervals).map { $0 / 1000 }
    let available = times[times.count - 1] - times[0]
    var result: IntervalSpectrum
    switch method {
    case .welch(let welch):
      guard let signal = welch.signal(of: intervals), let spectrum = welch.spectrum(of: signal, lasting: available)
      else { return nil }
      // The last sample used is at this beat or after the one before it.
      let used = times.firstIndex { $0 - times[0] >= spectrum.duration } ?? times.count - 1
      result = IntervalSpectrum(
        spectrum: spectrum, settings: self, intervalsUsed: used + 1, available: available)
      if omitsSlowest { result.lowestFrequency = 2 * welch.rate / (Double(signal.count) / 2) }
    case .lombScargle(let lomb):
      let estimator = LombScargleSpectrum(
        segment: lomb.segment, window: lomb.window, frequencyStep: lomb.frequencyStep, highestFrequency: 0.5)
      guard let spectrum = estimator.spectrum(times: times, values: intervals) else { return nil }
      let used = times.firstIndex { $0 - times[0] > spectrum.duration * (1 + 1e-9) } ?? times.count
      result = IntervalSpectrum(spectrum: spectrum, settings: self, intervalsUsed: used, available: available)
    }
    // Equal intervals have no power; the remainder is rounding error.
    if intervals.allSatisfy({ $0 == intervals[0] }) {
      result.spectrum.densities = result.spectrum.densities.map { _ in 0 }
    }
    if isDividedByMaximum, let most = result.spectrum.densities.max(), most > 0 {
      result.spectrum.densities = result.spectrum.densities.map { $0 / most }
    }
    return result
  }
}

extension WelchSettings {
  /// Interpolates the intervals to a constant sampling rate; `nil` if they are too few or too short.
  func signal(of intervals: [Double]) -> [Double]? {
    guard intervals.count >= interpolation.leastPoints else { return nil }
    var signal: [Double]
    switch grid {
    case .betweenBeats:
      let sums = sums(of: intervals)
      let times = sums.map { ($0 - sums[0]) / 1000 }
      let count = Int((times[times.count - 1] * rate).rounded(.up))
      let places = (0..<count).map { Double($0) / rate }
      signal = interpolation.values(at: places, x: times, y: intervals)
    case .pastLastBeat:
      let times = sums(of: intervals.map { $0 / 1000 })
      let (first, last) = (times[0], times[times.count - 1])
      // As in NumPy's arange: the number of steps is rounded up, and the step is the difference of the first two
      // places.
      let count = Int(((last + 1 / rate - first) / (1 / rate)).rounded(.up))
      let step = first + 1 / rate - first
      let places = (0..<count).map { first + Double($0) * step }
      let inside = places.firstIndex { $0 > last } ?? places.count
      signal = interpolation.values(at: Array(places[..<inside]), x: times, y: intervals)
      signal += [Double](repeating: intervals[intervals.count - 1], count: places.count - inside)
    }
    guard signal.count >= 4 else { return nil }
    if removesOverallMean, let mean = mean(signal) { signal = signal.map { $0 - mean } }
    return signal
  }

  /// The spectrum of a signal of intervals with that duration in seconds.
  func spectrum(of signal: [Double], lasting duration: Double) -> PowerSpectrum? {
    let wanted =
      switch segment {
      case .samples(let count): count
      // As NeuroKit2 computes it from the lowest frequency: rounding may leave one sample less than half.
      case .half: Int(2 / (2 * rate / (Double(signal.count) / 2)) * rate)
      case .samplesByDuration(let shorter, let longer, let limit):
        duration < limit ? shorter : longer
      }
    let length = min(wanted, signal.count)
    guard length >= 2 else { return nil }
    let points =
      switch transform {
      case .segment: length
      case .twiceSegment: 2 * length
      case .points(let count): max(count, length)
      }
    let welch = WelchSpectrum(
      rate: rate, segment: length, transform: points, window: window, removesMean: removesSegmentMean)
    return welch.spectrum(of: signal)
  }
}

private func sums(of numbers: [Double]) -> [Double] {
  var sum = 0.0
  return numbers.map { number in
    sum += number
    return sum
  }
}
