import Basics
import Quantities
import Recordings

/// Checks the first lines of a file by the rules that the analysis applies to a whole file, and rejects wrong numbers.
struct ReplayHead {
  /// Whether the lines are intervals.
  private(set) var areIntervals: Bool

  /// The source of the replayed rows, if a table names it.
  private(set) var source: String?

  /// Whether it has intervals and no heart rates.
  var hasIntervalsOnly: Bool { !intervals.isEmpty && !hasRates }

  private var hasRates = false
  private var rows: RowReader
  private var sources: [String] = []
  private var faults: [(line: Int, reason: String)] = []
  private var count = 0
  private var intervals: [Double] = []
  private var times: [Double] = []
  private var opening: (line: Int, reason: String)?
  private var isFaulty = true
  private var comments = SamplingComment()

  /// Why a file is not replayed.
  struct Problem: Error, Hashable {
    let reason: String
    var advice: String?
  }

  /// Checks the first lines of a file.
  ///
  /// - Parameters:
  ///   - head: the file's first bytes.
  ///   - isWhole: whether these are all its bytes; otherwise the last line may be truncated.
  ///   - wanted: the source whose rows are wanted.
  /// - Throws: ``Problem`` with what the lines look like instead.
  init(_ head: [UInt8], isWhole: Bool, source wanted: String?) throws(Problem) {
    let numbers = TextOfIntervals.numbers(head, isWhole: isWhole)
    areIntervals = numbers.map { TextOfIntervals.areIntervals($0.map(\.number)) } ?? false
    rows = RowReader(isTextOfIntervals: areIntervals)
    rows.source = wanted
    var splitter = LineSplitter(endsAtCR: true)
    var copy = self
    splitter.take(head.span) { copy.look($1, number: $0) }
    if isWhole { splitter.end { copy.look($1, number: $0) } }
    self = copy
    if numbers != nil, areIntervals, let reason = copy.comments.problem { throw Problem(reason: reason) }
    if let opening { throw Problem(reason: "line \(opening.line): \(opening.reason)", advice: Self.forms) }
    if let numbers, numbers.count > 2, let reason = EmpaticaSignal.problem(numbers[0].number, numbers[1].number) {
      throw Problem(reason: reason)
    }
    if let numbers, areIntervals { try Self.check(numbers) }
    try choose(wanted)
    if rows.header != nil { try checkTable() }
    if let first = faults.first, isFaulty {
      throw Problem(reason: "line \(first.line): \(first.reason)", advice: Self.forms)
    }
    if numbers != nil || rows.header != nil, let first = faults.first, (faults.count - rows.blanks) * 2 > count {
      throw Problem(
        reason: "only \(count - faults.count) of its first \(count) rows can be used: "
          + "line \(first.line): \(first.reason)",
        advice: "a file with so many others holds something else than intervals or heart rates")
    }
  }

  private static let forms = "a recording is NDJSON, a table, a text with an interval a line, or a bundle's heart.json"

  private mutating func look(_ line: Span<UInt8>?, number: Int) {
    let row: Row
    if let line, line.count > 0, line[0] == UInt8(ascii: "#") { comments.take(line.copied, line: number) }
    if let line { row = rows.read(line) } else { row = .unreadable("longer than \(LineSplitter.maxLength) bytes") }
    if let time = rows.last.time, !rows.isOfOtherSource { times.append(time) }
    if let source = rows.last.source, sources.count < 100, !sources.contains(source) { sources.append(source) }
    switch row {
    case .nothing: break
    case .sample(let sample), .partly(let sample, _):
      // Ten faults before the first sample mean another kind of file.
      if faults.count < 10 { isFaulty = false }
      count += 1
      if sample.heartRate != nil { hasRates = true }
      intervals += sample.rrIntervals
    case .unreadable(let reason):
      if !rows.hasBegun, opening == nil { opening = (number, reason) }
      count += 1
      faults.append((number, reason))
    }
  }

  /// Rejects single numbers that are samples of a waveform or times of beats.
  private static func check(_ numbers: [(number: Double, line: Int)]) throws(Problem) {
    let known = numbers.map(\.number).filter { $0 > 0 }
    if let rising = RisingNumbers(known) { throw Problem(reason: rising.problem(hasOption: false)) }
    let below = numbers.filter { $0.number < 0 }
    if let first = below.first, let second = below.first(where: { $0.number != first.number }) {
      throw Problem(reason: Waveform.problem(belowZero: first, second))
    }
    let plausible = known.count(where: HeartInterval.plausible.contains)
    if let reason = Waveform.problem(plausible: plausible, of: known.count) { throw Problem(reason: reason) }
    try checkWaveform(known)
  }

  private static func checkWaveform(_ intervals: [Double], span: Double? = nil) throws(Problem) {
    if let reason = Waveform.problem(intervals, span: span) { throw Problem(reason: reason) }
  }

  /// Rejects a table whose times are in a different unit than declared, or whose rows are samples of a waveform.
  private func checkTable() throws(Problem) {
    guard let columns = rows.header?.columns else { return }
    let said = columns.unit(of: columns.timeColumn)
    let unit = said ?? .seconds
    if columns.isOfBeats, said == nil, !TimeSteps.mayBeOfBeats(times) {
      throw Problem(
        reason: "the numbers in its column of beats number or mark the beats, or do not rise",
        advice: "give the times of beats, in a column “beat_s”")
    }
    let problem =
      columns.isOfBeats
      ? TimeSteps.problem(ofBeats: times.sorted(), in: unit)
      : TimeSteps.problem(ofRows: times.sorted(), in: unit, isSaid: said != nil)
    if let problem {
      let name = columns.isOfBeats ? "beat" : "time"
      throw Problem(
        reason: problem.finding,
        advice: [
          problem.unit.map { "name their column “\(name)_\($0.rawValue)”" },
          problem.mayBeSamples ? RisingNumbers.ofSamples : nil,
        ].compactMap(\.self).joined(separator: ", or "))
    }
    if rows.below.count > 1 {
      throw Problem(
        reason: "its numbers \(rows.below[0].shown) and \(rows.below[1].shown) are below zero, as the samples of "
          + "\(Waveform.noun) are and neither intervals nor heart rates",
        advice: Waveform.remedy)
    }
    let span = columns[.time] == nil ? nil : zip(times, times.dropFirst()).reduce(0) { $0 + max(0, $1.1 - $1.0) }
    if !columns.isOfBeats { try Self.checkWaveform(intervals, span: span) }
  }

  /// Determines which source's rows are replayed.
  private mutating func choose(_ wanted: String?) throws(Problem) {
    guard let wanted else {
      guard sources.count <= 1 else {
        let list = sources.map { excerpt($0.utf8.span) }.joined(separator: ", ")
        throw Problem(reason: "it holds rows of \(list)", advice: "choose one with ?source=NAME")
      }
      source = sources.first
      return
    }
    guard rows.header?.columns[.source] != nil else {
      throw Problem(reason: "only a heart.json, or a table with a column “source”, has sources to choose from")
    }
    guard sources.contains(wanted) else {
      throw Problem(
        reason: "its first rows are none of the source “\(wanted)”",
        advice: sources.isEmpty ? nil : "there are \(sources.map { excerpt($0.utf8.span) }.joined(separator: ", "))")
    }
    source = wanted
  }
}
