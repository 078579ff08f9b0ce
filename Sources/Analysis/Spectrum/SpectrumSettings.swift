/// The method for computing the powers of bands.
package struct SpectrumSettings: Hashable, Sendable {
  /// The method for computing the densities.
  var method: Method

  /// The very low frequencies, in hertz.
  ///
  /// The Task Force's bounds are 0.003 and 0.04 Hz; 0.0033 Hz is NeuroKit2's.
  package var vlf = 0.0033...0.04

  /// The low frequencies, in hertz.
  package var lf = 0.04...0.15

  /// The high frequencies, in hertz.
  package var hf = 0.15...0.4

  /// The rule for summing densities.
  var rule = BandRule.sum

  /// Whether frequencies below four cycles per signal duration are excluded, as in NeuroKit2.
  var omitsSlowest = false

  /// Whether the densities are divided by the largest, which leaves the powers without a unit.
  package var isDividedByMaximum = false

  /// The reference of normalised units.
  var normalisation = Normalisation.lfAndHF

  /// Creates settings with the bands of the Task Force (Circulation 93:1043, 1996), except for the lower bound of
  /// ``vlf``.
  init(method: Method) { self.method = method }

  /// The methods for computing densities.
  enum Method: Hashable, Sendable {
    /// Welch's periodogram of interpolated intervals.
    case welch(WelchSettings)
    /// The Lomb–Scargle periodogram of the intervals without interpolation.
    case lombScargle(LombScargleSettings)
  }

  /// The reference of normalised units.
  enum Normalisation: Hashable, Sendable {
    /// LF and HF together, in percent.
    case lfAndHF
    /// All power from 0 to 0.5 Hz, as a fraction.
    case total
  }
}

/// The interpolation of intervals and the parameters of Welch's method.
struct WelchSettings: Hashable, Sendable {
  /// The interpolation of the signal.
  var interpolation: Interpolation

  /// Samples per second.
  var rate: Double

  /// The length of segments.
  var segment: Segment

  /// The number of points in a segment's transform.
  var transform: Transform = .segment

  /// The window function of the segments.
  var window = SpectralWindow.hann

  /// Whether the signal's mean is subtracted first.
  var removesOverallMean = false

  /// Whether each segment's mean is subtracted.
  var removesSegmentMean = true

  /// The times of the signal's samples.
  var grid = Grid.betweenBeats

  /// Creates settings; segments overlap by half.
  init(interpolation: Interpolation, rate: Double, segment: Segment) {
    self.interpolation = interpolation
    self.rate = rate
    self.segment = segment
  }

  /// The length of segments; a shorter signal is one segment.
  enum Segment: Hashable, Sendable {
    /// A fixed number of samples.
    case samples(Int)
    /// Half the signal.
    case half
    /// One number of samples below a duration in seconds, another one from there on.
    case samplesByDuration(shorter: Int, longer: Int, limit: Double)
  }

  /// The number of points in a transform.
  enum Transform: Hashable, Sendable {
    /// As many as the segment.
    case segment
    /// Twice as many, half of them zero padding.
    case twiceSegment
    /// A fixed number, unless the segment is longer.
    case points(Int)
  }

  /// The times of samples; each sample is the value of the interpolation there.
  enum Grid: String, Hashable, Sendable {
    /// From the first beat (inclusive) to the last (exclusive), a half-open range; times are sums of milliseconds.
    case betweenBeats = "from the first beat on, before the last"
    /// From the first beat until the last is reached or passed, where the value is the last interval; times are sums of
    /// seconds.
    case pastLastBeat = "from the first beat until the last is reached or passed, where the value is the last interval"
  }
}

/// The parameters of the Lomb–Scargle periodogram.
struct LombScargleSettings: Hashable, Sendable {
  /// The duration of segments in seconds, which overlap by half.
  var segment = 256.0

  /// The window function over the beats.
  var window = SpectralWindow.hann

  /// The spacing of frequencies, in hertz.
  var frequencyStep = 1.0 / 256

  /// Creates the standard settings, whose segments are those of the station's Welch periodogram.
  init() {}
}

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
