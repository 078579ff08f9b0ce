package import Recordings

/// What is done about artefacts.
package enum ArtefactCorrection: Hashable, Sendable, CustomStringConvertible {
  /// Lipponen and Tarvainen's correction, with its own parameters.
  case lipponenTarvainen
  /// Intervals beyond limits are left out.
  case range(RangeFilter)
  /// Nothing.
  case none

  /// Reads what ``description`` writes: `lipponen-tarvainen`, `none`, `range:300-2000`, `range:300-2000,20%`, and `range` for
  /// the limits that a ``RangeFilter`` has by itself; `nil` for anything else.
  package init?(_ text: String) {
    switch text {
    case "lipponen-tarvainen": self = .lipponenTarvainen
    case "range": self = .range(RangeFilter())
    case "none": self = .none
    default:
      guard text.hasPrefix("range:"), let filter = RangeFilter(String(text.dropFirst(6))) else { return nil }
      self = .range(filter)
    }
  }

  /// The forms of text that are corrections.
  package static let words = ["lipponen-tarvainen", "range", "range:300-2000", "range:300-2000,20%", "none"]

  /// The correction as it is given on a command line.
  package var description: String {
    switch self {
    case .lipponenTarvainen: "lipponen-tarvainen"
    case .range(let filter): "range:\(filter)"
    case .none: "none"
    }
  }

  /// A series with its artefacts corrected.
  package func correct(_ series: IntervalSeries) -> CorrectedSeries {
    switch self {
    case .lipponenTarvainen: LipponenTarvainen().correct(series)
    case .range(let filter): filter.correct(series)
    case .none: CorrectedSeries(uncorrected: series)
    }
  }
}
