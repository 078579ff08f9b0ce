/// How the powers of bands are computed.
package struct SpectrumSettings: Hashable, Sendable {
  /// How the densities come about.
  package var method: Method

  /// The very low frequencies, in hertz.
  ///
  /// The Task Force's bounds are 0.003 and 0.04 Hz; 0.0033 Hz is NeuroKit2's.
  package var vlf = 0.0033...0.04

  /// The low frequencies, in hertz.
  package var lf = 0.04...0.15

  /// The high frequencies, in hertz.
  package var hf = 0.15...0.4

  /// How densities are added up.
  package var rule = BandRule.sum

  /// Whether frequencies below four over the signal's duration are left out, as NeuroKit2 does.
  package var omitsSlowest = false

  /// Whether the densities are divided by the largest, which leaves the powers without a unit.
  package var isDividedByMaximum = false

  /// What normalised units are shares of.
  package var normalisation = Normalisation.lfAndHF

  /// A method, with the bands of the Task Force (Circulation 93:1043, 1996) but for the lower bound of ``vlf``.
  package init(method: Method) { self.method = method }

  /// How the densities come about.
  package enum Method: Hashable, Sendable {
    /// Welch's periodogram of interpolated intervals.
    case welch(WelchSettings)
    /// The Lomb–Scargle periodogram of the intervals as they are.
    case lombScargle(LombScargleSettings)
  }

  /// What normalised units are shares of.
  package enum Normalisation: Hashable, Sendable {
    /// Of LF and HF together, in percent.
    case lfAndHF
    /// Of everything from 0 to 0.5 Hz, as a fraction.
    case total
  }
}

/// How intervals are interpolated and transformed.
package struct WelchSettings: Hashable, Sendable {
  /// How the signal is made.
  package var interpolation: Interpolation

  /// Samples a second.
  package var rate: Double

  /// How long segments are.
  package var segment: Segment

  /// How many points a segment's transform has.
  package var transform: Transform = .segment

  /// The segments' weights.
  package var window = SpectralWindow.hann

  /// Whether the signal's mean is taken off first.
  package var removesOverallMean = false

  /// Whether each segment's mean is taken off.
  package var removesSegmentMean = true

  /// Where the signal's samples lie.
  package var grid = Grid.betweenBeats

  /// Settings; segments overlap by half.
  package init(interpolation: Interpolation, rate: Double, segment: Segment) {
    self.interpolation = interpolation
    self.rate = rate
    self.segment = segment
  }

  /// How long segments are; a signal that is shorter is one segment.
  package enum Segment: Hashable, Sendable {
    /// So many samples.
    case samples(Int)
    /// Half the signal.
    case half
    /// So many samples up to a duration in seconds, other so many from there on.
    case samplesByDuration(shorter: Int, longer: Int, limit: Double)
  }

  /// How many points a transform has.
  package enum Transform: Hashable, Sendable {
    /// As many as the segment.
    case segment
    /// Twice as many, half of them zeros.
    case twiceSegment
    /// So many, if the segment is not longer.
    case points(Int)
  }

  /// Where samples lie; each takes the value of the spline there.
  package enum Grid: String, Hashable, Sendable {
    /// From the first beat on, before the last; times are sums of milliseconds.
    case betweenBeats = "from the first beat on, before the last"
    /// From the first beat on, the last reached or passed, where the last interval stands; times are sums of seconds.
    case pastLastBeat = "from the first beat until the last is reached or passed, where the last interval stands"
  }
}

/// How the Lomb–Scargle periodogram is computed.
package struct LombScargleSettings: Hashable, Sendable {
  /// The duration of segments in seconds, which overlap by half.
  package var segment = 256.0

  /// The beats' weights.
  package var window = SpectralWindow.hann

  /// How far frequencies lie apart, in hertz.
  package var frequencyStep = 1.0 / 256

  /// The standard settings, whose segments are those of the station's Welch periodogram.
  package init() {}
}
