/// The beats of one stretch, as they are corrected.
struct BeatChain {
  /// A beat, and the recorded interval that it ends or was put into.
  struct Beat {
    /// In milliseconds since the stretch's first beat, by the sum of intervals.
    var time: Double
    /// The recorded interval; that before the stretch for its first beat.
    var origin: Int
    var isRecorded = true
  }

  private(set) var beats: [Beat]
  private let stretch: Range<Int>

  /// The beats of a stretch of a series.
  init(_ raw: IntervalSeries, _ stretch: Range<Int>) {
    self.stretch = stretch
    beats = [Beat(time: 0, origin: stretch.lowerBound - 1)]
    beats.reserveCapacity(stretch.count + 1)
    var time = 0.0
    for index in stretch {
      time += raw.intervals[index]
      beats.append(Beat(time: time, origin: index))
    }
  }

  /// The interval that each beat ends, and their mean for the first.
  var intervals: [Double] {
    let mean = beats[beats.count - 1].time / Double(max(1, beats.count - 1))
    return [mean] + zip(beats, beats.dropFirst()).map { $1.time - $0.time }
  }

  /// Corrects what was found: extra beats go first, missed ones come next, and the others are moved last.
  ///
  /// - Returns: where beats were changed, by their new places, ascending.
  mutating func change(_ found: [Artefact.Kind?], _ raw: IntervalSeries, _ artefacts: inout [Artefact]) -> [Int] {
    var kept: [(beat: Beat, kind: Artefact.Kind?, isChanged: Bool)] = []
    kept.reserveCapacity(beats.count + 8)
    var isAfterRemoved = false
    for (place, beat) in beats.enumerated() {
      // The first two beats and the last have no neighbours to be corrected by.
      let isInside = place > 1 && place < beats.count - 1
      switch found[place] {
      case .extra? where isInside:
        artefacts.append(artefact(beat, .extra, .removed, raw))
        isAfterRemoved = true
        continue
      case .missed? where isInside:
        let previous = kept[kept.count - 1].beat.time
        let time = (previous + beat.time) / 2
        artefacts.append(artefact(beat, .missed, .inserted(time: recorded(time, beat, raw)), raw))
        kept.append((Beat(time: time, origin: beat.origin, isRecorded: false), nil, true))
        kept.append((beat, nil, false))
      case let kind? where isInside: kept.append((beat, kind, isAfterRemoved))
      case let kind?:
        if beat.origin >= stretch.lowerBound { artefacts.append(artefact(beat, kind, .kept, raw)) }
        kept.append((beat, nil, isAfterRemoved))
      case nil: kept.append((beat, nil, isAfterRemoved))
      }
      isAfterRemoved = false
    }
    let times = kept.map(\.beat.time)
    for place in kept.indices {
      guard let kind = kept[place].kind else { continue }
      let time = (times[place - 1] + times[place + 1]) / 2
      artefacts.append(artefact(kept[place].beat, kind, .moved(seconds: (time - times[place]) / 1000), raw))
      kept[place].beat.time = time
      kept[place].beat.isRecorded = false
      kept[place].isChanged = true
    }
    beats = kept.map(\.beat)
    return kept.indices.filter { kept[$0].isChanged }
  }

  private func artefact(
    _ beat: Beat, _ kind: Artefact.Kind, _ change: Artefact.Change, _ raw: IntervalSeries
  ) -> Artefact {
    Artefact(
      index: beat.origin, time: raw.ends[beat.origin], interval: raw.intervals[beat.origin], kind: kind,
      change: change)
  }

  /// A time of the chain on the recording's axis, in seconds, measured from the recorded beat that belongs to it.
  private func recorded(_ time: Double, _ beat: Beat, _ raw: IntervalSeries) -> Double {
    raw.ends[beat.origin] + (time - beat.time) / 1000
  }

  /// The series of corrected stretches; an interval between two recorded beats stays exactly as it was.
  static func series(_ chains: [BeatChain], _ raw: IntervalSeries) -> IntervalSeries {
    var intervals: [Double] = []
    var ends: [Double] = []
    var breaks: [Int] = []
    for chain in chains {
      if !intervals.isEmpty { breaks.append(intervals.count) }
      let start = raw.ends[chain.stretch.lowerBound] - raw.intervals[chain.stretch.lowerBound] / 1000
      for (previous, beat) in zip(chain.beats, chain.beats.dropFirst()) {
        let isUntouched = previous.isRecorded && beat.isRecorded && previous.origin + 1 == beat.origin
        intervals.append(isUntouched ? raw.intervals[beat.origin] : beat.time - previous.time)
        ends.append(beat.isRecorded ? raw.ends[beat.origin] : start + beat.time / 1000)
      }
    }
    return IntervalSeries(checked: intervals, ends: ends, breaks: breaks, omitted: [])
  }
}
