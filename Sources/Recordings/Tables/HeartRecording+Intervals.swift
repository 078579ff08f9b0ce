import Basics

extension HeartRecording {
  /// Reads a text with one interval per line; text after a `#` is ignored.
  static func intervals(
    _ pieces: consuming FilePieces, _ path: String, _ options: ReadingOptions
  ) throws(RecordingError) -> HeartRecording {
    var cutter = RowCutter()
    var text = IntervalListReader()
    try pieces.read { (bytes, isLast) throws(RecordingFault) in
      let (rows, fault) = cutter.take(bytes, isLast: isLast)
      for row in rows { try text.take(row) }
      if let fault { throw RecordingFault(line: fault.line, reason: "\(fault)") }
    }
    return try text.recording(path, options)
  }
}

/// The lines of a text.
private struct IntervalListReader {
  private var intervals: [Double] = []
  private var lines: [Int] = []
  private var faults = RowFaults()
  private var blanks = BlankLines()
  private var signs = DecimalSigns()
  private var comments = SamplingComment()
  private var lastLine = LastLine()
  private var pairs = 0
  private var timed: PairsOfIntervals?
  // The first sample may be a beat.
  private var beginsAtZero = false

  mutating func take(_ row: RowCutter.Row) throws(RecordingFault) {
    let (bytes, line) = (row.bytes, row.line)
    guard let content = IntervalLine.content(of: bytes.span) else {
      if bytes.contains(UInt8(ascii: "#")) { comments.take(bytes, line: line) } else { blanks.blank(line) }
      return
    }
    let text = bytes[content]
    if intervals.isEmpty, TableRow.isSeparator(text) { return }
    if timed == nil, intervals.isEmpty, Decimal.number(Array(text).span, comma: true) == nil {
      timed = PairsOfIntervals(text)
    }
    if timed != nil {
      timed?.take(text, line: line)
      return
    }
    lastLine.take([String(decoding: text, as: UTF8.self)], of: 1, row)
    let number = signs.number(Array(text).span, line: line)
    if intervals.isEmpty, number == nil {
      throw RecordingFault(line: line, reason: Self.problem(String(decoding: text, as: UTF8.self)))
    }
    if intervals.isEmpty, number == 0 { beginsAtZero = true }
    if let number, number <= 0 {
      faults.note(line, "\(number) is not an interval")
      signs.note(negative: number, line: line)
    }
    if number == nil {
      faults.note(line, "“\(String(decoding: text.prefix(24), as: UTF8.self).visible)” is not a number")
    }
    if let number, Self.isPair(text, number) { pairs += 1 }
    blanks.number(at: intervals.count)
    // An invalid interval remains as NaN, and leaves a gap.
    intervals.append(number.map { $0 > 0 ? $0 : .nan } ?? .nan)
    lines.append(line)
  }

  private static func problem(_ text: String) -> String {
    let shown = text.prefix(40).visible
    if text.contains(where: { $0 == "," || $0 == ";" || $0 == "\t" || $0 == " " }) {
      return "“\(shown)” is neither a number nor the header of a table; a table needs a first row such as “time,hr”, "
        + "“time,rr_ms” or “rr_ms”, a text has one interval a line"
    }
    return "“\(shown)” is neither an interval in milliseconds nor a column's name; columns are “time”, “hr” and “rr_ms”"
  }

  mutating func recording(_ path: String, _ options: ReadingOptions) throws(RecordingError) -> HeartRecording {
    func refuse(_ reason: String) -> RecordingError { .unreadable(path: path, reason: reason) }
    if let timed {
      guard let recording = timed.recording(path) else {
        throw refuse(Self.problem(timed.first) + ", or a time in seconds and an interval that agree")
      }
      return recording
    }
    let count = intervals.count
    if let problem = comments.problem { throw refuse(problem) }
    if let problem = signs.negatives { throw refuse(problem) }
    guard faults.count * 2 <= count else { throw refuse(faults.refusal(of: count)) }
    if let problem = signs.problem { throw refuse(problem) }
    // A comma may separate columns: “812,74” is an interval beside its heart rate.
    if let comma = signs.comma, pairs * 2 > count { throw refuse("line \(comma.line): \(Self.problem(comma.text))") }
    if let first = intervals.first, intervals.count > 2, let problem = EmpaticaSignal.problem(first, intervals[1]) {
      throw refuse(problem)
    }
    if let rate = options.samplingRate {
      let samples = beginsAtZero ? [0] + intervals.dropFirst() : intervals
      if samples.count >= 4, zip(samples, samples.dropFirst()).allSatisfy({ $0 < $1 }) {
        return try Self.beats(samples, rate, path)
      }
      for place in intervals.indices { intervals[place] *= 1000 / rate }
    }
    blanks.mark(&intervals, &lines)
    do throws(IntervalUnits.Problem) {
      intervals = try IntervalUnits.milliseconds(
        intervals, lines: lines, said: options.samplingRate == nil ? options.intervalUnit : .milliseconds, named: nil,
        &faults)
    } catch {
      throw refuse(error.reason)
    }
    let commas = signs.comma.map { RecordingCaveat.decimalCommas(number: $0.text, line: $0.line) }
    let caveats = [
      faults.caveat(of: count), lastLine.caveat, blanks.caveat, Waveform.caveat(intervals), commas,
    ].compactMap(\.self)
    var recording = HeartRecording(path: path, beats: IntervalSeries(intervals), caveats: caveats)
    recording.hasTimes = false
    return recording
  }

  /// The recording of beats at numbers of samples.
  private static func beats(
    _ samples: [Double], _ rate: Double, _ path: String
  ) throws(RecordingError) -> HeartRecording {
    let times = samples.map { $0 / rate }
    if let problem = TimeSteps.problem(ofBeats: times, in: .seconds) {
      throw .unreadable(
        path: path, reason: "\(problem.finding); check --sampling-rate, which is in samples a second")
    }
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    let series = IntervalSeries(
      steps.map { $0 <= TableSource.maxLength ? $0 * 1000 : .nan }, ends: Array(times.dropFirst()),
      gapTolerance: BeatPlacement.maxSlip)
    return HeartRecording(path: path, beats: series, caveats: [series.gapCaveat].compactMap(\.self))
  }

  // Whether the parts before and after a comma are two numbers: an interval and its heart rate, or parts that do not
  // form a plausible interval together.
  private static func isPair(_ text: ArraySlice<UInt8>, _ number: Double) -> Bool {
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return false }
    guard (250.0...2500).contains(number) || (0.25...2.5).contains(number) else { return true }
    guard let before = Decimal.number(Array(text[..<comma]).span),
      let after = Decimal.number(Array(text[(comma + 1)...]).span), before > 0, after > 0
    else { return false }
    return (after * before / 60_000 - 1).magnitude < 0.15
  }
}

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
