import Basics

/// The lines of a text with two numbers each: the time of a beat and an interval, as Kubios and HRVAS write them.
///
/// Nothing in such a text names its columns, so the times must agree with the intervals.
struct PairsOfIntervals {
  private var times: [Double] = []
  private var intervals: [Double] = []
  private var faults = RowFaults()
  /// The beginning of the first line.
  let first: String

  /// Begins with the first line; `nil` if it does not have two numbers.
  init?(_ text: ArraySlice<UInt8>) {
    guard Self.numbers(text) != nil else { return nil }
    first = String(decoding: text.prefix(40), as: UTF8.self)
  }

  private static func numbers(_ text: ArraySlice<UInt8>) -> (time: Double, interval: Double)? {
    let parts = text.split { [0x20, 0x09, UInt8(ascii: ","), UInt8(ascii: ";")].contains($0) }
    guard parts.count == 2, let time = Decimal.number(Array(parts[0]).span),
      let interval = Decimal.number(Array(parts[1]).span), time >= 0, interval > 0
    else { return nil }
    return (time, interval)
  }

  /// Takes a line.
  mutating func take(_ text: ArraySlice<UInt8>, line: Int) {
    guard let (time, interval) = Self.numbers(text) else {
      return faults.note(
        line, "“\(String(decoding: text.prefix(24), as: UTF8.self).visible)” is not a time and an interval")
    }
    times.append(time)
    intervals.append(interval)
  }

  /// The recording; `nil` if the times and the intervals do not agree.
  func recording(_ path: String) -> HeartRecording? {
    guard intervals.count >= 3, faults.count * 2 <= intervals.count else { return nil }
    let middle = intervals.sorted()[intervals.count / 2]
    let scale = HeartInterval.plausible.contains(middle) ? 1.0 : 1000
    guard HeartInterval.plausible.contains(middle * scale) else { return nil }
    let milliseconds = intervals.map { $0 * scale }
    for unit in [1.0, 1000] {
      let seconds = times.map { $0 / unit }
      let steps = zip(seconds, seconds.dropFirst()).map { ($1 - $0) * 1000 }
      func agrees(_ intervals: some Collection<Double>) -> Bool {
        zip(steps, intervals).count { ($0 - $1).magnitude <= max(15, 0.02 * $1) } * 4 >= steps.count * 3
      }
      // A time is that of the beat at the interval's end, or that at its beginning.
      let ends: [Double]
      if agrees(milliseconds.dropFirst()) {
        ends = seconds
      } else if agrees(milliseconds.dropLast()) {
        ends = zip(seconds, milliseconds).map { $0 + $1 / 1000 }
      } else {
        continue
      }
      let beats = IntervalSeries.rows(milliseconds, ends: ends)
      let caveats = [faults.caveat(of: intervals.count + faults.count), beats?.gapCaveat].compactMap(\.self)
      return HeartRecording(path: path, beats: beats, caveats: caveats)
    }
    return nil
  }
}
