package import Recordings

/// A recorded series and its version without artefacts.
package struct CorrectedSeries: Hashable, Sendable {
  /// The intervals as recorded.
  package let raw: IntervalSeries

  /// The intervals without artefacts.
  package let corrected: IntervalSeries

  /// The corrected artefacts, in the order of time.
  package let artefacts: [Artefact]

  /// The method with its parameters.
  package let method: String

  /// The indices of recorded intervals that are not preserved in the corrected series, ascending.
  ///
  /// Moving a beat alters two of them, removing one joins two, inserting one divides one, and dropping one removes it.
  let altered: [Int]

  /// The fraction of the recorded values that were corrected, dropped, or invalid, from 0 to 1.
  ///
  /// `altered` and invalid values, over all given values.
  package var artefactShare: Double {
    let given = raw.count + raw.omitted.count
    return given > 0 ? Double(altered.count + raw.omitted.count) / Double(given) : 0
  }

  /// The number of artefacts and the fraction of altered intervals, with its numerator and denominator, as text.
  package var account: String {
    let found = artefacts.isEmpty ? "none found" : "\(artefacts.count) found"
    let omitted = raw.omitted.count
    guard !altered.isEmpty || omitted > 0 else { return found }
    let share = "\(shown(100 * artefactShare)) %"
    let changed = "\(altered.count) of \(raw.count) intervals corrected or left out"
    guard omitted > 0 else { return "\(found), \(changed), \(share)" }
    return "\(found), \(changed), and \(omitted) that \(omitted == 1 ? "was none" : "were none"), \(share) of "
      + "\(raw.count + omitted)"
  }

  /// Creates a corrected series; the artefacts are in the order of time, and a moved or removed beat is not the last of
  /// its stretch.
  init(raw: IntervalSeries, corrected: IntervalSeries, artefacts: [Artefact], method: String) {
    var altered = Set<Int>()
    for artefact in artefacts {
      switch artefact.change {
      case .moved, .removed: altered.formUnion([artefact.index, artefact.index + 1])
      case .inserted, .leftOut: altered.insert(artefact.index)
      }
    }
    self.init(raw: raw, corrected: corrected, artefacts: artefacts, method: method, altered: altered.sorted())
  }

  private init(
    raw: IntervalSeries, corrected: IntervalSeries, artefacts: [Artefact], method: String, altered: [Int]
  ) {
    self.raw = raw
    self.corrected = corrected
    self.artefacts = artefacts
    self.method = method
    self.altered = altered
  }
}

extension CorrectedSeries {
  init(uncorrected raw: IntervalSeries) {
    self.init(raw: raw, corrected: raw, artefacts: [], method: "none")
  }

  /// The part between two times, with the intervals that lie wholly within and their artefacts.
  ///
  /// - Parameters:
  ///   - from: the earliest beginning of an interval, in seconds.
  ///   - to: the latest end of an interval, in seconds.
  /// - Returns: the part; the artefacts' indices refer to its own raw series.
  func cut(from: Double, to: Double) -> CorrectedSeries {
    let places = Dictionary(
      uniqueKeysWithValues: raw.indices(from: from, to: to).enumerated().map { ($0.element, $0.offset) })
    let inside = artefacts.compactMap { artefact in
      places[artefact.index].map { place in
        Artefact(
          index: place, time: artefact.time, interval: artefact.interval, kind: artefact.kind, change: artefact.change)
      }
    }
    return CorrectedSeries(
      raw: raw.cut(from: from, to: to), corrected: corrected.cut(from: from, to: to), artefacts: inside, method: method,
      altered: altered.compactMap { places[$0] })
  }
}

/// An artefact and its correction.
package struct Artefact: Hashable, Sendable {
  /// The index of the recorded interval in the raw series.
  package let index: Int

  /// The end of that interval, in seconds.
  package let time: Double

  /// That interval as recorded, in milliseconds.
  package let interval: Double

  package let kind: Kind

  package let change: Change

  /// The kinds of artefact.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// An early beat followed by a compensatory pause, or a late beat followed by a short interval.
    case ectopic
    /// A beat that was not detected: an interval twice as long as it should be, or several times.
    case missed
    /// A detection where there was no beat: an interval cut in two.
    case extra
    /// An interval that is too long or too short in another way.
    case longOrShort
    /// An interval outside the limits of a range filter.
    case outOfRange
  }

  /// The kinds of correction.
  package enum Change: Hashable, Sendable {
    /// The beat that ends the interval was moved by this many seconds, half-way between its neighbours.
    case moved(seconds: Double)
    /// A beat was inserted at this time in seconds: the interval's middle, or one of the points that divide it evenly.
    case inserted(time: Double)
    /// The beat that ends the interval was removed, which joins the interval with the next one.
    case removed
    /// The interval was dropped, which leaves a gap or widens one.
    case leftOut
  }
}

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

  package func correct(_ series: IntervalSeries) -> CorrectedSeries {
    switch self {
    case .lipponenTarvainen: LipponenTarvainen().correct(series)
    case .range(let filter): filter.correct(series)
    case .none: CorrectedSeries(uncorrected: series)
    }
  }
}
