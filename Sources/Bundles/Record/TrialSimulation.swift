import Basics
import Quantities

/// What of a trial the station invented.
///
/// `simulated` is true for both kinds; a rehearsal's trial also lists its simulated sensors under `simulatedSensors`.
package enum TrialSimulation: Hashable, Sendable, FlatInJSON {
  case none
  /// Person, sensors, sound and time: a trial of `station simulate`.
  case everything
  /// These sensors, as the operator named them: a trial of a rehearsal.
  case sensors([String])

  private enum CodingKeys: String, CodingKey {
    case isSimulated = "simulated"
    case sensors = "simulatedSensors"
  }

  /// Decodes the members.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let sensors = try members.decodeIfPresent([String].self, forKey: .sensors)
    self.init(try members.decodeIfPresent(Bool.self, forKey: .isSimulated), sensors)
  }

  /// What a result's members say.
  init(_ isSimulated: Bool?, _ sensors: [String]?) {
    self = isSimulated ?? false ? sensors.map { .sensors($0) } ?? .everything : .none
  }

  /// Encodes the members.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(isSimulated, forKey: .isSimulated)
    try members.encodeIfPresent(sensors, forKey: .sensors)
  }

  private var sensors: [String]? { if case .sensors(let sensors) = self { sensors } else { nil } }

  /// Whether anything was simulated, so that the trial does not count as data of a person.
  package var isSimulated: Bool { self != .none }
}

extension TrialSimulation {
  /// The words that mark texts and pictures of simulated data.
  package static let mark = Source.simulationMark

  /// The mark and its reason, for one trial; `nil` for a trial that is not simulated.
  package var sentence: String? {
    switch self {
    case .none: nil
    case .everything: "\(Self.mark): “station simulate” made this trial; no person took part"
    case .sensors(let sensors): "\(Self.mark): this trial was recorded with \(Self.named(sensors))"
    }
  }

  /// `the simulated sensor “simulated:seed=7”`.
  static func named(_ sensors: [String]) -> String {
    "the simulated sensor\(sensors.count == 1 ? "" : "s") \(sensors.map { "“\($0.visible)”" }.joined(separator: ", "))"
  }

  /// The mark for several trials; `nil` if none of them is simulated.
  package static func sentence(simulated: Int, of trials: Int) -> String? {
    guard simulated > 0 else { return nil }
    guard simulated < trials else {
      return "\(mark): \(trials == 1 ? "the only trial is simulated" : "all \(trials) trials are simulated")"
    }
    return "\(mark): \(simulated) of \(trials) trials \(simulated == 1 ? "is" : "are") simulated"
  }
}
