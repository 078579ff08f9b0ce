/// The spectrum of a stretch of intervals, with what is needed to read bands off it.
struct IntervalSpectrum {
  var spectrum: PowerSpectrum
  var settings: SpectrumSettings
  /// Frequencies below it belong to no band.
  var lowestFrequency = 0.0

  func power(in band: ClosedRange<Double>) -> Double? {
    spectrum.power(in: band, rule: settings.rule, lowest: lowestFrequency)
  }

  /// Everything from 0 to 0.5 Hz, band by band; a band without frequencies adds nothing.
  var totalPower: Double {
    let bands = [
      0...settings.vlf.lowerBound, settings.vlf, settings.lf, settings.hf, settings.hf.upperBound...0.5,
    ]
    return bands.reduce(0) { $0 + (power(in: $1) ?? 0) }
  }
}

extension SpectrumSettings {
  /// The longest signal that a spectrum is made of: 58 days at 4 Hz.
  ///
  /// What lasts longer has an interval that is none, and would not fit into memory.
  private static let mostSamples = 20_000_000.0

  /// Whether intervals last longer than a spectrum is made for.
  func isTooLong(_ intervals: some Collection<Double>) -> Bool {
    let rate = if case .welch(let welch) = method { welch.rate } else { 4.0 }
    return intervals.reduce(0, +) / 1000 * rate > Self.mostSamples
  }

  /// The spectrum of intervals in milliseconds that follow one another; `nil` where there are too few or they last too
  /// long.
  func spectrum(of intervals: [Double]) -> IntervalSpectrum? {
    guard !isTooLong(intervals) else { return nil }
    var result: IntervalSpectrum
    switch method {
    case .welch(let welch):
      guard let signal = welch.signal(of: intervals), let spectrum = welch.spectrum(of: signal) else { return nil }
      result = IntervalSpectrum(spectrum: spectrum, settings: self)
      if omitsSlowest { result.lowestFrequency = 2 * welch.rate / (Double(signal.count) / 2) }
    case .lombScargle(let lomb):
      let estimator = LombScargleSpectrum(
        segment: lomb.segment, window: lomb.window, frequencyStep: lomb.frequencyStep, highestFrequency: 0.5)
      let times = sums(of: intervals).map { $0 / 1000 }
      guard let spectrum = estimator.spectrum(times: times, values: intervals) else { return nil }
      result = IntervalSpectrum(spectrum: spectrum, settings: self)
    }
    // What rounding leaves of intervals that are all alike is no power.
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
  /// The intervals as a signal of one rate; `nil` where there are too few of them or they last too short.
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
      // NumPy's arange: the number of steps is rounded up, and the step is the difference of the first two places.
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

  /// The spectrum of the signal.
  func spectrum(of signal: [Double]) -> PowerSpectrum? {
    let wanted =
      switch segment {
      case .samples(let count): count
      // As NeuroKit2 computes it, by way of the lowest frequency: rounding may leave one sample less than half.
      case .half: Int(2 / (2 * rate / (Double(signal.count) / 2)) * rate)
      case .samplesByDuration(let shorter, let longer, let limit):
        Double(signal.count) / rate <= limit ? shorter : longer
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
