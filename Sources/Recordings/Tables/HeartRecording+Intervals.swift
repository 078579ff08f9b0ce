import Basics

extension HeartRecording {
  /// Reads a text with one interval per line; text after a `#` is ignored.
  static func intervals(
    _ pieces: consuming FilePieces, _ path: String, _ options: ReadingOptions
  ) throws(RecordingError) -> HeartRecording {
    var cutter = RowCutter()
    var text = TextOfIntervals()
    try pieces.read { (bytes, isLast) throws(RecordingFault) in
      let (rows, fault) = cutter.take(bytes, isLast: isLast)
      for row in rows { try text.take(row.bytes, line: row.line) }
      if let fault { throw RecordingFault(line: fault.line, reason: "\(fault)") }
    }
    return try text.recording(path, options)
  }
}

/// The lines of a text.
private struct TextOfIntervals {
  private var intervals: [Double] = []
  private var lines: [Int] = []
  private var faults = RowFaults()
  private var blanks = BlankLines()
  private var signs = DecimalSigns()
  private var comments = SamplingComment()
  private var pairs = 0

  mutating func take(_ bytes: [UInt8], line: Int) throws(RecordingFault) {
    guard let content = IntervalLine.content(of: bytes.span) else {
      if bytes.contains(UInt8(ascii: "#")) { comments.take(bytes, line: line) } else { blanks.blank(line) }
      return
    }
    let text = bytes[content]
    if intervals.isEmpty, TableRow.isSeparator(text) { return }
    let number = signs.number(Array(text).span, line: line)
    if intervals.isEmpty, number == nil {
      throw RecordingFault(line: line, reason: Self.problem(String(decoding: text, as: UTF8.self)))
    }
    if let number, number <= 0 {
      faults.note(line, "\(number) is no interval")
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
    let count = intervals.count
    if let problem = comments.problem { throw refuse(problem) }
    if let problem = signs.negatives { throw refuse(problem) }
    guard faults.count * 2 <= count else { throw refuse(faults.refusal(of: count)) }
    if let problem = signs.problem { throw refuse(problem) }
    // A comma may separate columns: “812,74” is an interval beside its heart rate.
    if let comma = signs.comma, pairs * 2 > count { throw refuse("line \(comma.line): \(Self.problem(comma.text))") }
    blanks.mark(&intervals, &lines)
    do throws(IntervalUnits.Problem) {
      intervals = try IntervalUnits.milliseconds(
        intervals, lines: lines, said: options.intervalUnit, named: nil, &faults)
    } catch {
      throw refuse(error.reason)
    }
    let commas = signs.comma.map { RecordingCaveat.decimalCommas(number: $0.text, line: $0.line) }
    let caveats = [faults.caveat(of: count), blanks.caveat, Waveform.caveat(intervals), commas].compactMap(\.self)
    return HeartRecording(path: path, beats: IntervalSeries(intervals), caveats: caveats)
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
