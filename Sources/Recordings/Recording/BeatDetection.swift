/// How the beats of a recording were found in a waveform.
package struct BeatDetection: Sendable {
  /// The detector's name and version: `pan-tompkins/2`.
  package let detector: String
  /// The channel of the waveform.
  package let channel: String
  /// The number of its samples per second, in Hz.
  package let rate: Double

  /// Creates the facts on a detection that has found nothing yet.
  package init(detector: String, channel: String, rate: Double) {
    (self.detector, self.channel, self.rate) = (detector, channel, rate)
  }

  /// The times of the R peaks or of the pulse waves' peaks, in seconds.
  package var peaks: [Double] = []
  /// The number of waves that were left out because they were too unlike each other.
  package var unclear = 0
  /// The mean of the qualities of all seconds, from 0 to 1; `nil` for less than a second.
  package var quality: Double?
  /// The seconds in which the signal was flat, and those in which the amplifier was saturated.
  package var faults = (flat: 0, saturated: 0)
  /// How the beats agree with others of the same heart; `nil` where there are none.
  package var comparison: Comparison?

  /// How found beats agree with those that a file marks or a sensor recorded.
  package struct Comparison: Sendable {
    /// What they are compared with: a sensor's name, or `annotations`.
    package let reference: String
    /// The numbers of beats: those of the reference, those that both have, and those that only the detector found.
    package let counts: (reference: Int, both: Int, extra: Int)
    /// The mean and the standard deviation of the found beats' times minus the others', in milliseconds; `nil` where fewer
    /// than half of the others were found, so that they may agree by chance.
    package let difference: (mean: Double, deviation: Double)?

    /// Beats further apart are different ones, in seconds.
    static let tolerance = 0.15
    /// The longest lateness of a sensor that is taken out, in seconds: beats of another recording fit at any.
    static let maxShift = 3.0

    /// Compares beats within the time of both.
    ///
    /// A sensor's times may all be late by the same time, which is taken out before beats are matched.
    package init?(of found: [Double], with others: [Double], called reference: String) {
      guard let first = others.first, let last = others.last, !found.isEmpty else { return nil }
      self.reference = reference
      let tolerance = Self.tolerance
      let shift = Self.shift(from: others, to: found)
      let within = found.filter { (first + shift - tolerance...last + shift + tolerance).contains($0) }
      var rest = within[...]
      var differences: [Double] = []
      for beat in others {
        rest = rest.drop { $0 < beat + shift - tolerance }
        guard let nearest = rest.first, nearest <= beat + shift + tolerance else { continue }
        differences.append((nearest - beat) * 1000)
        rest = rest.dropFirst()
      }
      counts = (others.count, differences.count, within.count - differences.count)
      guard differences.count >= 2, 2 * differences.count >= others.count else {
        difference = nil
        return
      }
      let mean = differences.reduce(0, +) / Double(differences.count)
      let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      difference = (mean, (squares / Double(differences.count - 1)).squareRoot())
    }

    /// The median distance of each other beat from the nearest found one.
    private static func shift(from others: [Double], to found: [Double]) -> Double {
      var place = 0
      let distances = others.map { beat -> Double in
        while place + 1 < found.count, abs(found[place + 1] - beat) < abs(found[place] - beat) { place += 1 }
        return found[place] - beat
      }
      let median = distances.sorted()[distances.count / 2]
      return median.magnitude <= maxShift ? median : 0
    }
  }
}
