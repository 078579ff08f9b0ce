import Basics
import Bundles
import Recordings

/// The beats of a recording while people's corrections are applied to them, one after the other.
///
/// Intervals between recorded beats keep their recorded lengths: deleting a beat joins two, inserting one divides one, and
/// no interval crosses an unusable stretch.
struct EditedBeats {
  /// A beat as it is after the corrections so far.
  struct Beat: Hashable {
    /// In seconds.
    var time: Double
    /// The stretch of recorded intervals that it lies in, and where in the sum of their milliseconds; `nil` in a gap.
    var place: Place?
    /// The index of the recorded interval that it ends; of a stretch's first beat, that of the interval before.
    ///
    /// `nil` for a beat that a person put there.
    var origin: Int?
    /// The number of the correction that put it there.
    var edit: Int?
  }

  struct Place: Hashable {
    var stretch: Int
    var milliseconds: Double
  }

  /// A correction finds a beat within this time, in seconds: the beats of one recorder may be placed a little otherwise than
  /// those of all recorders of its sensor.
  static let tolerance = 0.02

  /// The largest rounding error of times, in seconds.
  private static let rounding = 1e-6

  private(set) var beats: [Beat] = []
  /// The unusable stretches, in seconds.
  private(set) var unusable: [ClosedRange<Double>] = []
  private let recorded: [Beat]
  // The beats that are no longer there, with the corrections that took them away.
  private var removed: [(time: Double, edit: Int)] = []
  private let extent: ClosedRange<Double>

  /// Begins with the recorded beats.
  ///
  /// - Parameters:
  ///   - raw: the recorded intervals.
  ///   - extent: the time that was recorded, in seconds.
  init(_ raw: IntervalSeries, extent: ClosedRange<Double>) {
    self.extent = extent
    for (number, stretch) in raw.stretches.enumerated() {
      let first = stretch.lowerBound
      let start = max(raw.ends[first] - raw.intervals[first] / 1000, beats.last?.time ?? -.infinity)
      var sum = 0.0
      beats.append(Beat(time: start, place: Place(stretch: number, milliseconds: 0), origin: first - 1))
      for index in stretch {
        sum += raw.intervals[index]
        beats.append(Beat(time: raw.ends[index], place: Place(stretch: number, milliseconds: sum), origin: index))
      }
    }
    recorded = beats
  }

  /// Applies a correction.
  ///
  /// - Parameters:
  ///   - edit: what is to be done.
  ///   - number: the correction's number.
  /// - Throws: why it does not fit; the beats are as before then.
  mutating func apply(_ edit: Correction.Edit, number: Int) throws(CorrectionMisfit) {
    switch edit {
    case .deleteBeat(let time): removed.append((beats.remove(at: try index(of: time.seconds)).time, number))
    case .insertBeat(let time): try insert(time.seconds, number)
    case .moveBeat(let from, let to):
      let place = try index(of: from.seconds)
      let beat = beats.remove(at: place)
      do throws(CorrectionMisfit) { try insert(to.seconds, number, movedFrom: beat) } catch {
        beats.insert(beat, at: place)
        throw error
      }
      removed.append((beat.time, number))
    case .unusable(let from, let to):
      guard from.seconds < extent.upperBound, to.seconds > extent.lowerBound else { throw .outside }
      unusable.append(from.seconds...to.seconds)
    case .undo, .reviewed: break
    case .unknown: throw .unknownEdit
    }
  }

  /// The beat at a time.
  private func index(of time: Double) throws(CorrectionMisfit) -> Int {
    guard !beats.isEmpty || !removed.isEmpty else { throw .noBeats }
    if let near = nearest(to: time, in: beats), (beats[near].time - time).magnitude <= Self.tolerance { return near }
    if let last = removed.last(where: { ($0.time - time).magnitude <= Self.tolerance }) {
      throw .changedBefore(by: last.edit)
    }
    throw .noBeat(nearest_s: nearest(to: time, in: beats).map { beats[$0].time - time })
  }

  private mutating func insert(
    _ time: Double, _ number: Int, movedFrom old: Beat? = nil
  ) throws(CorrectionMisfit) {
    guard !recorded.isEmpty else { throw .noBeats }
    let near = nearest(to: time, in: beats)
    let distance = near.map { (beats[$0].time - time).magnitude } ?? .infinity
    guard distance > Self.tolerance else { throw .beatThere }
    let place = place(of: time)
    // A beat that is no one's neighbour would change nothing.
    guard place != nil || distance <= IntervalSeries.maxStep else { throw .outside }
    // A beat that is moved out of its stretch still belongs to it: what was a gap remains one.
    let moved = old.flatMap { old in
      old.place.map { Place(stretch: $0.stretch, milliseconds: $0.milliseconds + (time - old.time) * 1000) }
    }
    beats.insert(Beat(time: time, place: place ?? moved, origin: nil, edit: number), at: Self.rank(of: time, in: beats))
  }

  /// Where a time lies in a stretch of recorded intervals; `nil` in a gap.
  private func place(of time: Double) -> Place? {
    let next = Self.rank(of: time, in: recorded)
    if next < recorded.count, recorded[next].time == time { return recorded[next].place }
    guard next > 0, next < recorded.count, let first = recorded[next - 1].place, let second = recorded[next].place,
      first.stretch == second.stretch
    else { return nil }
    let share = (time - recorded[next - 1].time) / (recorded[next].time - recorded[next - 1].time)
    return Place(
      stretch: first.stretch,
      milliseconds: first.milliseconds + share * (second.milliseconds - first.milliseconds))
  }

  private func nearest(to time: Double, in beats: [Beat]) -> Int? {
    let next = Self.rank(of: time, in: beats)
    return [next - 1, next].filter(beats.indices.contains).min {
      (beats[$0].time - time).magnitude < (beats[$1].time - time).magnitude
    }
  }

  /// The number of beats before a time.
  private static func rank(of time: Double, in beats: [Beat]) -> Int {
    var (low, high) = (0, beats.count)
    while low < high {
      let middle = (low + high) / 2
      if beats[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The interval from a beat to the next one, and whether a correction made it; `nil` where there is a gap, or an
  /// unusable stretch.
  ///
  /// A correction makes no interval in which a beat must be missing.
  func interval(from previous: Beat, to next: Beat, _ raw: IntervalSeries) -> (milliseconds: Double, isSettled: Bool)? {
    guard next.time > previous.time, isUsable(previous.time, next.time) else { return nil }
    if let first = previous.origin, let second = next.origin, previous.place?.stretch == next.place?.stretch,
      second == first + 1
    {
      return (raw.intervals[second], false)
    }
    let length: Double
    if let first = previous.place, let second = next.place, first.stretch == second.stretch {
      length = second.milliseconds - first.milliseconds
    } else if previous.place == nil || next.place == nil {
      length = (next.time - previous.time) * 1000
    } else {
      return nil
    }
    return length > 0 && length <= IntervalSeries.maxStep * 1000 ? (length, true) : nil
  }

  /// Whether a time, or an interval between two, lies outside of unusable stretches.
  func isUsable(_ from: Double, _ to: Double) -> Bool {
    unusable.allSatisfy { to <= $0.lowerBound + Self.rounding || from >= $0.upperBound - Self.rounding }
  }

  /// Whether the heart rate that a sensor reported at a time, for the time before, lies outside of unusable stretches.
  func isUsable(rateAt time: Double) -> Bool {
    unusable.allSatisfy { time <= $0.lowerBound + Self.rounding || time > $0.upperBound + Self.rounding }
  }

  /// The intervals of the beats as they are now.
  func series(_ raw: IntervalSeries) -> IntervalSeries {
    var (intervals, ends, breaks, settled): ([Double], [Double], [Int], Set<Int>) = ([], [], [], [])
    var follows = true
    for (previous, next) in zip(beats, beats.dropFirst()) {
      guard let interval = interval(from: previous, to: next, raw) else {
        follows = false
        continue
      }
      if !follows, !intervals.isEmpty { breaks.append(intervals.count) }
      if interval.isSettled { settled.insert(intervals.count) }
      intervals.append(interval.milliseconds)
      ends.append(next.time)
      follows = true
    }
    return IntervalSeries(
      checked: intervals, ends: ends, breaks: breaks, omissions: raw.omissions.filter { isUsable($0.time, $0.time) },
      settled: settled)
  }
}
