/// The method for computing the powers of bands.
package struct SpectrumSettings: Hashable, Sendable {
  /// The method for computing the densities.
  package var method: Method

  /// The very low frequencies, in hertz.
  ///
  /// The Task Force's bounds are 0.003 and 0.04 Hz; 0.0033 Hz is NeuroKit2's.
  package var vlf = 0.0033...0.04

  /// The low frequencies, in hertz.
  package var lf = 0.04...0.15

  /// The high frequencies, in hertz.
  package var hf = 0.15...0.4

  /// The rule for summing densities.
  package var rule = BandRule.sum

  /// Whether frequencies below four cycles per signal duration are excluded, as in NeuroKit2.
  package var omitsSlowest = false

  /// Whether the densities are divided by the largest, which leaves the powers without a unit.
  package var isDividedByMaximum = false

  /// The reference of normalised units.
  package var normalisation = Normalisation.lfAndHF

  /// Creates settings with the bands of the Task Force (Circulation 93:1043, 1996), except for the lower bound of
  /// ``vlf``.
  package init(method: Method) { self.method = method }

  /// The methods for computing densities.
  package enum Method: Hashable, Sendable {
    /// Welch's periodogram of interpolated intervals.
    case welch(WelchSettings)
    /// The Lomb–Scargle periodogram of the intervals without interpolation.
    case lombScargle(LombScargleSettings)
  }

  /// The reference of normalised units.
  package enum Normalisation: Hashable, Sendable {
    /// LF and HF together, in percent.
    case lfAndHF
    /// All power from 0 to 0.5 Hz, as a fraction.
    case total
  }
}

/// The interpolation of intervals and the parameters of Welch's method.
package struct WelchSettings: Hashable, Sendable {
  /// The interpolation of the signal.
  package var interpolation: Interpolation

  /// Samples per second.
  package var rate: Double

  /// The length of segments.
  package var segment: Segment

  /// The number of points in a segment's transform.
  package var transform: Transform = .segment

  /// The window function of the segments.
  package var window = SpectralWindow.hann

  /// Whether the signal's mean is subtracted first.
  package var removesOverallMean = false

  /// Whether each segment's mean is subtracted.
  package var removesSegmentMean = true

  /// The times of the signal's samples.
  package var grid = Grid.betweenBeats

  /// Creates settings; segments overlap by half.
  package init(interpolation: Interpolation, rate: Double, segment: Segment) {
    self.interpolation = interpolation
    self.rate = rate
    self.segment = segment
  }

  /// The length of segments; a shorter signal is one segment.
  package enum Segment: Hashable, Sendable {
    /// A fixed number of samples.
    case samples(Int)
    /// Half the signal.
    case half
    /// One number of samples below a duration in seconds, another one from there on.
    case samplesByDuration(shorter: Int, longer: Int, limit: Double)
  }

  /// The number of points in a transform.
  package enum Transform: Hashable, Sendable {
    /// As many as the segment.
    case segment
    /// Twice as many, half of them zero padding.
    case twiceSegment
    /// A fixed number, unless the segment is longer.
    case points(Int)
  }

  /// The times of samples; each sample is the value of the interpolation there.
  package enum Grid: String, Hashable, Sendable {
    /// From the first beat (inclusive) to the last (exclusive), a half-open range; times are sums of milliseconds.
    case betweenBeats = "from the first beat on, before the last"
    /// From the first beat until the last is reached or passed, where the value is the last interval; times are sums of
    /// seconds.
    case pastLastBeat = "from the first beat until the last is reached or passed, where the value is the last interval"
  }
}

/// The parameters of the Lomb–Scargle periodogram.
package struct LombScargleSettings: Hashable, Sendable {
  /// The duration of segments in seconds, which overlap by half.
  package var segment = 256.0

  /// The window function over the beats.
  package var window = SpectralWindow.hann

  /// The spacing of frequencies, in hertz.
  package var frequencyStep = 1.0 / 256

  /// Creates the standard settings, whose segments are those of the station's Welch periodogram.
  package init() {}
}
