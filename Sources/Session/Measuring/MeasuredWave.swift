package import Quantities
package import Sensors

/// The latest seconds of a sensor's wave, for a screen.
package struct MeasuredWave: Sendable {
  /// How many seconds are kept.
  static let length = 6.0
  /// The time over which the slow course is taken away, in seconds.
  static let baseline = 1.0

  private var values: [[Double]] = []
  private var rate = 0.0
  private var isOfColours = false

  package init() {}

  /// Takes what the sensor says.
  package mutating func take(_ event: SensorEvent) {
    guard case .waveform(let frames) = event else { return }
    let width = frames.format.channels.count
    rate = frames.format.rate
    isOfColours = frames.format.channels == ["red", "green", "blue"]
    for start in stride(from: 0, to: frames.values.count, by: width) {
      values.append(frames.values[start..<start + width].map(Double.init))
    }
    let most = Int((Self.length + 2 * Self.baseline) * rate)
    if values.count > most { values.removeFirst(values.count - most) }
  }

  /// The wave without its slow course, of the channel that changes most; empty for a sensor that sends none.
  ///
  /// The colours of pictures darken with a pulse, and are turned around.
  package var trace: [Double] {
    guard let width = values.first?.count, rate > 0 else { return [] }
    let candidates = (0..<(isOfColours ? width : 1)).map { channel in
      Self.withoutBaseline(values.map { $0.count > channel ? $0[channel] : .nan }, half: Int(Self.baseline * rate / 2))
    }
    let best = candidates.max { Self.power($0) < Self.power($1) } ?? []
    let latest = best.suffix(Int(Self.length * rate))
    return isOfColours ? latest.map { -$0 } : Array(latest)
  }

  private static func withoutBaseline(_ values: [Double], half: Int) -> [Double] {
    values.indices.map { index in
      let window = values[max(0, index - half)...min(values.count - 1, index + half)]
      let mean = window.reduce(0, +) / Double(window.count)
      return mean != 0 ? values[index] / mean.magnitude - (mean < 0 ? -1 : 1) : values[index]
    }
  }

  private static func power(_ values: [Double]) -> Double { values.reduce(0) { $0 + ($1.isFinite ? $1 * $1 : 0) } }
}

/// Why a heart rate could not be measured.
package enum MeasurementFailure: Hashable, Sendable, CustomStringConvertible {
  /// The sensor saw no pulse.
  case problem(SignalProblem)
  /// The sensor did not touch the skin.
  case noContact
  /// The sensor did not answer.
  case unanswered
  /// It is connected, and sent nothing.
  case noData
  /// It sends other things than a heart rate.
  case noHeartRate
  /// The heart rate was never steady, or known for too little of the time.
  case unsteady
  /// The connection could not be made.
  case lost(reason: String)
  /// It ended before enough was measured.
  case ended(reason: String)

  /// The code for programs: `noFinger`, `unsteady`.
  package var code: String {
    switch self {
    case .problem(let problem): problem.rawValue
    case .noContact: "noContact"
    case .unanswered: "unanswered"
    case .noData: "noData"
    case .noHeartRate: "noHeartRate"
    case .unsteady: "unsteady"
    case .lost: "lost"
    case .ended: "ended"
    }
  }

  /// What failed, and what to do.
  package var description: String {
    switch self {
    case .problem(let problem): "\(problem.words); \(problem.advice)"
    case .noContact: "the sensor has no skin contact; check how it sits"
    case .unanswered: "the sensor does not answer; check that it is switched on"
    case .noData: "the sensor is connected and sends nothing; check it with “station check sensor”"
    case .noHeartRate: "the sensor sends data, but no heart rate; check it with “station check sensor”"
    case .unsteady: "the heart rate was not steady, or known for too little of the time; keep still"
    case .lost(let reason): "the sensor cannot be reached: \(reason)"
    case .ended(let reason): "the sensor ended before enough was measured: \(reason)"
    }
  }
}
