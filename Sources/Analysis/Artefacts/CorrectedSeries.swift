/// A recorded series beside what remains of it without artefacts.
public struct CorrectedSeries: Hashable, Sendable {
  /// The intervals as recorded.
  public let raw: IntervalSeries

  /// The intervals without artefacts.
  public let corrected: IntervalSeries

  /// What differs from the recording, and what was found at its edges and kept, in the order of time.
  public let artefacts: [Artefact]

  /// How it was done, with its parameters.
  public let method: String

  /// The share of the recorded intervals that were corrected, left out, or no intervals at all, from 0 to 1.
  ///
  /// What was found and kept is not among them.
  public var artefactShare: Double {
    let given = raw.count + raw.omitted.count
    guard given > 0 else { return 0 }
    let changed = Set(artefacts.filter { $0.change != .kept }.map(\.index))
    return Double(changed.count + raw.omitted.count) / Double(given)
  }
}

extension CorrectedSeries {
  /// A series that is taken as it was recorded.
  public init(uncorrected raw: IntervalSeries) {
    self.init(raw: raw, corrected: raw, artefacts: [], method: "none")
  }

  /// What lies wholly between two times, with the artefacts of the recorded intervals that do.
  ///
  /// - Parameters:
  ///   - from: the earliest time at which an interval may begin, in seconds.
  ///   - to: the latest at which one may end.
  /// - Returns: the part; the artefacts' indices are those of its own raw series.
  public func cut(from: Double, to: Double) -> CorrectedSeries {
    let places = Dictionary(
      uniqueKeysWithValues: raw.indices(from: from, to: to).enumerated().map { ($0.element, $0.offset) })
    let inside = artefacts.compactMap { artefact in
      places[artefact.index].map { place in
        Artefact(
          index: place, time: artefact.time, interval: artefact.interval, kind: artefact.kind, change: artefact.change)
      }
    }
    return CorrectedSeries(
      raw: raw.cut(from: from, to: to), corrected: corrected.cut(from: from, to: to), artefacts: inside, method: method)
  }
}

/// One artefact, and what was done about it.
public struct Artefact: Hashable, Sendable {
  /// The recorded interval that it was found at, by its index in the raw series.
  public let index: Int

  /// When that interval ended, in seconds.
  public let time: Double

  /// That interval as recorded, in milliseconds.
  public let interval: Double

  /// What it is.
  public let kind: Kind

  /// What was done.
  public let change: Change

  /// What an artefact can be.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A beat that comes early or late and is followed by a pause that makes up for it.
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

  /// What can be done about one.
  public enum Change: Hashable, Sendable {
    /// The beat that ends the interval was moved by that many seconds, half-way between its neighbours.
    case moved(seconds: Double)
    /// A beat was put in at that time in seconds: the interval's middle, or one of the places that divide it evenly.
    case inserted(time: Double)
    /// The beat that ends the interval was taken out, which joins it with the next.
    case removed
    /// The interval was left out, which leaves a gap.
    case leftOut
    /// Nothing, since it lies at the edge of its stretch.
    case kept
  }
}
