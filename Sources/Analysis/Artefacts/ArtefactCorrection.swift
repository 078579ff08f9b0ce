package import Recordings

/// The treatment of artefacts.
package enum ArtefactCorrection: Hashable, Sendable, CustomStringConvertible {
  /// Lipponen and Tarvainen's correction, with its own parameters.
  case lipponenTarvainen
  /// Drops intervals beyond limits.
  case range(RangeFilter)
  /// No correction.
  case none

  /// Parses what ``description`` returns: `lipponen-tarvainen`, `none`, `range:300-2000`, `range:300-2000,20%`, and
  /// `range` for the default limits of a ``RangeFilter``; `nil` for anything else.
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

  /// The valid forms, as examples.
  package static let words = ["lipponen-tarvainen", "range", "range:300-2000", "range:300-2000,20%", "none"]

  /// The correction as written on a command line.
  package var description: String {
    switch self {
    case .lipponenTarvainen: "lipponen-tarvainen"
    case .range(let filter): "range:\(filter)"
    case .none: "none"
    }
  }

  /// Corrects the artefacts of a series.
  package func correct(_ series: IntervalSeries) -> CorrectedSeries {
    switch self {
    case .lipponenTarvainen: LipponenTarvainen().correct(series)
    case .range(let filter): filter.correct(series)
    case .none: CorrectedSeries(uncorrected: series)
    }
  }
}
