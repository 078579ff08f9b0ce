package import Quantities

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
