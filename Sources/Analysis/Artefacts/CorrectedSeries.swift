package import Recordings

/// A recorded series beside what remains of it without artefacts.
package struct CorrectedSeries: Hashable, Sendable {
  /// The intervals as recorded.
  package let raw: IntervalSeries

  /// The intervals without artefacts.
  package let corrected: IntervalSeries

  /// What differs from the recording, and what was found at its edges and kept, in the order of time.
  package let artefacts: [Artefact]

  /// How it was done, with its parameters.
  package let method: String

  /// The recorded intervals that are not among the corrected ones as they were, by their index, ascending.
  ///
  /// A beat that was moved parts two of them and one taken out joins two, one put in divides one, and one left out is gone.
  package let altered: [Int]

  /// The share of what was recorded that was corrected, left out, or no intervals at all, from 0 to 1.
  ///
  /// ``altered`` and the values that were no intervals, over all that were given. What was found and kept is not among them.
  package var artefactShare: Double {
    let given = raw.count + raw.omitted.count
    return given > 0 ? Double(altered.count + raw.omitted.count) / Double(given) : 0
  }

  /// How many artefacts were found, and the share with the numbers that it is made of, as one reads it out.
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

  /// A series and what was done to it; the artefacts in the order of time, those that were moved or taken out not the last
  /// of their stretch.
  init(raw: IntervalSeries, corrected: IntervalSeries, artefacts: [Artefact], method: String) {
    var altered = Set<Int>()
    for artefact in artefacts {
      switch artefact.change {
      case .moved, .removed: altered.formUnion([artefact.index, artefact.index + 1])
      case .inserted, .leftOut: altered.insert(artefact.index)
      case .kept: break
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
  /// A series that is taken as it was recorded.
  package init(uncorrected raw: IntervalSeries) {
    self.init(raw: raw, corrected: raw, artefacts: [], method: "none")
  }

  /// What lies wholly between two times, with the artefacts of the recorded intervals that do.
  ///
  /// - Parameters:
  ///   - from: the earliest time at which an interval may begin, in seconds.
  ///   - to: the latest at which one may end.
  /// - Returns: the part; the artefacts' indices are those of its own raw series.
  package func cut(from: Double, to: Double) -> CorrectedSeries {
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

/// One artefact, and what was done about it.
package struct Artefact: Hashable, Sendable {
  /// The recorded interval that it was found at, by its index in the raw series.
  package let index: Int

  /// When that interval ended, in seconds.
  package let time: Double

  /// That interval as recorded, in milliseconds.
  package let interval: Double

  /// What it is.
  package let kind: Kind

  /// What was done.
  package let change: Change

  /// What an artefact can be.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A beat that comes early and is followed by a pause that makes up for it, or late and is followed by a short interval.
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
  package enum Change: Hashable, Sendable {
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
