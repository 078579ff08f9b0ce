import Recordings

/// The beats of a series without gaps during their correction, beside the recorded ones.
struct BeatSequence {
  /// A beat, and the recorded interval that it ends or was inserted into.
  struct Beat {
    /// In milliseconds since the first beat, by the sum of intervals.
    var time: Double
    /// The index of the recorded interval; for the first beat the index before the range.
    var origin: Int
    var isInserted = false
  }

  private(set) var beats: [Beat]
  let range: Range<Int>
  // The times of the recorded beats, as `Beat.time`, and their classification; the first is the range's first beat.
  private let recorded: [Double]
  private var kinds: [Artefact.Kind?]

  /// Creates the beats of a range of a series.
  ///
  /// - Parameters:
  ///   - raw: the series.
  ///   - range: a range of its intervals without a gap.
  ///   - missing: the number of beats to insert into an interval beforehand, evenly spaced, by interval index.
  init(_ raw: IntervalSeries, _ range: Range<Int>, missing: [Int: Int] = [:]) {
    self.range = range
    beats = [Beat(time: 0, origin: range.lowerBound - 1)]
    beats.reserveCapacity(range.count + 1)
    var recorded = [0.0]
    recorded.reserveCapacity(range.count + 1)
    var (time, missed) = (0.0, [Int]())
    for index in range {
      if let count = missing[index] {
        missed.append(index - range.lowerBound + 1)
        let step = raw.intervals[index] / Double(count + 1)
        for place in 1...count {
          beats.append(Beat(time: time + Double(place) * step, origin: index, isInserted: true))
        }
      }
      time += raw.intervals[index]
      recorded.append(time)
      beats.append(Beat(time: time, origin: index))
    }
    self.recorded = recorded
    kinds = [Artefact.Kind?](repeating: nil, count: recorded.count)
    for place in missed { kinds[place] = .missed }
  }

  /// The interval that each beat ends; for the first beat their mean.
  var intervals: [Double] {
    let mean = (beats[beats.count - 1].time - beats[0].time) / Double(max(1, beats.count - 1))
    return [mean] + zip(beats, beats.dropFirst()).map { $1.time - $0.time }
  }

  /// Corrects the artefacts found, in the order of NeuroKit2: extra beats are removed and missed ones inserted, then
  /// ectopic beats are moved, and finally the beats that end long or short intervals, each between its neighbours as
  /// corrected so far.
  ///
  /// The first and the last beat have no neighbours for a correction: a faulty interval at an end is left out instead.
  ///
  /// - Returns: the indices of changed beats, ascending, and the new index of every former beat; for a removed one,
  ///   that of its successor.
  mutating func change(_ found: [Artefact.Kind?]) -> (changed: [Int], places: [Int]) {
    let remaining = remaining(found)
    var kept: [(beat: Beat, kind: Artefact.Kind?, isChanged: Bool)] = []
    var places: [Int] = []
    kept.reserveCapacity(beats.count + 8)
    places.reserveCapacity(beats.count)
    var isAfterRemoved = remaining.lowerBound > 0
    for (place, beat) in beats.enumerated() {
      if let kind = found[place], !beat.isInserted { kinds[beat.origin - range.lowerBound + 1] = kind }
      guard remaining.contains(place) else {
        places.append(place < remaining.lowerBound ? 0 : kept.count - 1)
        continue
      }
      let kind = place > remaining.lowerBound && place < remaining.upperBound ? found[place] : nil
      if kind == .missed {
        let time = (kept[kept.count - 1].beat.time + beat.time) / 2
        kept.append((Beat(time: time, origin: beat.origin, isInserted: true), nil, true))
      }
      places.append(kept.count)
      if kind == .extra {
        isAfterRemoved = true
        continue
      }
      kept.append((beat, kind, isAfterRemoved))
      isAfterRemoved = false
    }
    if remaining.upperBound < beats.count - 1 { kept[kept.count - 1].isChanged = true }
    for moved in [Artefact.Kind.ectopic, .longOrShort] {
      let times = kept.map(\.beat.time)
      for place in kept.indices where kept[place].kind == moved {
        kept[place].beat.time = (times[place - 1] + times[place + 1]) / 2
        kept[place].isChanged = true
      }
    }
    beats = kept.map(\.beat)
    return (kept.indices.filter { kept[$0].isChanged }, places)
  }

  /// Whether a correction of a beat would change an interval that a person's correction made.
  func isSettled(_ place: Int, _ kind: Artefact.Kind, _ raw: IntervalSeries) -> Bool {
    guard !raw.settled.isEmpty else { return false }
    let origin = beats[place].origin
    return raw.settled.contains(origin)
      || kind != .missed && origin + 1 < range.upperBound && raw.settled.contains(origin + 1)
  }

  /// The beats between the intervals that are left out at the ends.
  ///
  /// There, a missed beat and a long or short interval cannot be corrected from both sides. An early beat and an extra
  /// one are corrected as elsewhere, if both of their intervals were recorded. What remains begins and ends with a
  /// recorded beat that was not moved.
  private func remaining(_ found: [Artefact.Kind?]) -> ClosedRange<Int> {
    var (first, last) = (0, beats.count - 1)
    while first < last,
      found[first + 1] == .missed || found[first + 1] == .longOrShort || !isUntouched(beats[first])
    {
      first += 1
    }
    while first < last, found[last] != nil || !isUntouched(beats[last]) {
      // What stands out only beside an extra beat goes with it.
      if found[last] == .longOrShort, last - 1 > first, found[last - 1] == .extra { break }
      last -= 1
    }
    return first...last
  }

  /// The time of a recorded beat, in milliseconds since the first.
  private func recordedTime(_ origin: Int) -> Double { recorded[origin - range.lowerBound + 1] }

  private func isUntouched(_ beat: Beat) -> Bool { !beat.isInserted && beat.time == recordedTime(beat.origin) }

  /// The end of a beat on the recording's axis, in seconds.
  ///
  /// Between recorded beats the axis is interpolated linearly, so that beats stay in order even if clocks drift.
  private func end(_ beat: Beat, _ raw: IntervalSeries) -> Double {
    guard !isUntouched(beat) else { return raw.ends[beat.origin] }
    var (low, high) = (1, recorded.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if recorded[middle] < beat.time { low = middle + 1 } else { high = middle }
    }
    let index = range.lowerBound + low - 1
    let (first, last) = (recorded[low - 1], recorded[low])
    let start = index > range.lowerBound ? raw.ends[index - 1] : raw.ends[index] - raw.intervals[index] / 1000
    guard last > first else { return raw.ends[index] }
    return start + (raw.ends[index] - start) * ((beat.time - first) / (last - first))
  }

  /// The series of corrected beats; an interval between two recorded beats is preserved exactly.
  static func series(_ sequences: [BeatSequence], _ raw: IntervalSeries) -> IntervalSeries {
    var intervals: [Double] = []
    var ends: [Double] = []
    var breaks: [Int] = []
    for sequence in sequences where sequence.beats.count > 1 {
      if !intervals.isEmpty { breaks.append(intervals.count) }
      for (previous, beat) in zip(sequence.beats, sequence.beats.dropFirst()) {
        let isRecorded =
          sequence.isUntouched(previous) && sequence.isUntouched(beat) && previous.origin + 1 == beat.origin
        intervals.append(isRecorded ? raw.intervals[beat.origin] : beat.time - previous.time)
        ends.append(sequence.end(beat, raw))
      }
    }
    return IntervalSeries(checked: intervals, ends: ends, breaks: breaks)
  }

  /// The differences from the recording, one entry for each beat, in the order of time.
  func artefacts(_ raw: IntervalSeries) -> [Artefact] {
    var artefacts: [Artefact] = []
    var place = 1
    let remaining = beats[0].origin + 1..<beats[beats.count - 1].origin + 1
    for index in range {
      func append(_ kind: Artefact.Kind, _ change: Artefact.Change) {
        artefacts.append(
          Artefact(index: index, time: raw.ends[index], interval: raw.intervals[index], kind: kind, change: change))
      }
      let kind = kinds[index - range.lowerBound + 1]
      guard remaining.contains(index) else {
        append(kind ?? kinds[index - range.lowerBound] ?? .longOrShort, .leftOut)
        continue
      }
      while place < beats.count, beats[place].origin == index, beats[place].isInserted {
        append(.missed, .inserted(time: end(beats[place], raw)))
        place += 1
      }
      guard place < beats.count, beats[place].origin == index else {
        append(.extra, .removed)
        continue
      }
      let beat = beats[place]
      place += 1
      if !isUntouched(beat) {
        append(kind ?? .longOrShort, .moved(seconds: end(beat, raw) - raw.ends[index]))
      }
    }
    return artefacts
  }
}

/// The intervals with more than one missed beat in a row, which the paper's classes do not include.
struct MissedBeats {
  /// The number of beats to insert, by interval index.
  private(set) var inserted: [Int: Int] = [:]

  /// The intervals to drop, ascending: too many beats are missing, or their number does not fit.
  private(set) var leftOut: [Int] = []

  /// Analyses intervals of a series without a gap.
  ///
  /// An interval above two and a half times both medians (over the classification's neighbourhood and over the
  /// thresholds' width) is compared with its nearest multiple: it fits if each part would be closer to the median than
  /// the threshold for a single missed beat. Beside a gap it is dropped in any case.
  init(_ raw: IntervalSeries, _ range: Range<Int>, _ settings: LipponenTarvainen) {
    let surroundings = settings.surroundings(of: range, in: raw)
    guard surroundings.count >= LipponenTarvainen.minIntervals else { return }
    let rr = Array(raw.intervals[surroundings])
    let own = range.lowerBound - surroundings.lowerBound..<range.upperBound - surroundings.lowerBound
    let medians = RollingOrder.over(rr, in: rr.indices, width: settings.medianWidth) { $0.quantile(0.5) }
    guard own.contains(where: { rr[$0] > 2.5 * medians[$0] }) else { return }
    let distances = zip(rr, medians).map { ($0 < $1 ? 2 * ($0 - $1) : $0 - $1).magnitude }
    for place in own where rr[place] > 2.5 * medians[place] {
      func around(_ numbers: [Double], _ value: (borrowing RollingOrder) -> Double) -> Double {
        RollingOrder.over(numbers, in: place..<place + 1, width: settings.thresholdWidth, value)[0]
      }
      let median = max(medians[place], around(rr) { $0.quantile(0.5) })
      let index = surroundings.lowerBound + place
      guard rr[place] > 2.5 * median, !raw.settled.contains(index) else { continue }
      let multiple = (rr[place] / median).rounded()
      let threshold = around(distances) { settings.threshold(of: $0) }
      let isAtEnd = index == range.lowerBound || index - 1 == leftOut.last || index == range.upperBound - 1
      if !isAtEnd, multiple <= Double(settings.mostMissed + 1), abs(rr[place] / multiple - median) < threshold {
        inserted[index] = Int(multiple) - 1
      } else {
        leftOut.append(index)
      }
    }
    // Those just before a gap are dropped too.
    for index in leftOut.reversed() {
      var previous = index - 1
      while inserted.removeValue(forKey: previous) != nil {
        leftOut.append(previous)
        previous -= 1
      }
    }
    leftOut.sort()
  }
}
