import Basics
import Quantities
import Recordings

extension ReplayFile {
  /// A recording that is being read, a piece of the file at a time.
  ///
  /// It does no I/O: when it ``needsMore``, its owner reads the file and feeds it.
  struct Tape: Sendable {
    private var lines: Lines
    private var head = 0
    private var splitter = LineSplitter(endsAtCR: true)
    private var isAtEnd = false

    /// Creates a tape for the lines of a file: of a text of intervals, or of rows.
    ///
    /// - Parameters:
    ///   - isTextOfIntervals: whether every line is an interval.
    ///   - source: the source whose rows are replayed, if a table names sources.
    ///   - isChosen: whether the operator chose that source, so that leaving out the others needs no note.
    init(isTextOfIntervals: Bool, source: String?, isChosen: Bool) {
      lines = Lines(isTextOfIntervals: isTextOfIntervals, source: source, isChosen: isChosen)
    }

    /// Creates a tape of the samples of a heart file.
    init(_ readings: [ReplayedItems.Reading], note: String? = nil) {
      lines = Lines(isTextOfIntervals: false)
      let first = readings.first?.time ?? 0
      lines.entries = (note.map { [.note($0)] } ?? []) + readings.map { .sample(time: $0.time - first, $0.sample) }
      isAtEnd = true
    }

    /// Whether ``next()`` has nothing to return until the tape is fed.
    var needsMore: Bool { head == lines.entries.count && !isAtEnd }

    /// Adds the file's next bytes; an empty array marks its end.
    mutating func feed(_ bytes: [UInt8]) {
      if head == lines.entries.count {
        lines.entries.removeAll(keepingCapacity: true)
        head = 0
      }
      isAtEnd = bytes.isEmpty
      var lines = lines
      if isAtEnd {
        splitter.end { lines.add($1, number: $0) }
      } else {
        splitter.take(bytes.span) { lines.add($1, number: $0) }
      }
      self.lines = lines
    }

    /// The next entry; `nil` at the end, and when the tape needs more.
    mutating func next() -> Entry? {
      guard head < lines.entries.count else { return nil }
      head += 1
      return lines.entries[head - 1]
    }
  }

  /// Makes entries of lines; a line without a time is timed from the line above.
  private struct Lines: Sendable {
    var entries: [Entry] = []
    private var rows: RowReader
    private var time: Double?
    /// The seconds subtracted from the file's times, for pauses that are not replayed.
    private var skipped = 0.0

    private var tellsOthers: Bool

    init(isTextOfIntervals: Bool, source: String? = nil, isChosen: Bool = false) {
      tellsOthers = !isChosen
      rows = RowReader(isTextOfIntervals: isTextOfIntervals)
      rows.source = source
    }

    mutating func add(_ line: Span<UInt8>?, number: Int) {
      guard let line else {
        entries.append(.fault(line: number, reason: "longer than \(LineSplitter.maxLength) bytes"))
        return
      }
      switch rows.read(line) {
      case .nothing:
        if rows.isOfOtherSource { noteOther(rows.last.source ?? "", line: number) }
      case .unreadable(let reason): entries.append(.fault(line: number, reason: reason))
      case .partly(let sample, let reason):
        entries.append(.fault(line: number, reason: reason))
        add(sample, number: number)
      case .sample(let sample): add(sample, number: number)
      }
      for report in rows.takeReports() { entries.append(.note(report)) }
    }

    private mutating func add(_ sample: Sample, number: Int) {
      let step = sample.rrIntervals.isEmpty ? 1 : sample.rrIntervals.reduce(0, +) / 1000
      let moment = sample.time ?? time.map { $0 + step } ?? 0
      guard moment >= time ?? moment else {
        entries.append(.fault(line: number, reason: "its time \(moment) s lies before the line above"))
        return
      }
      if let time, moment - time > ReplayFile.maxPause {
        skipped += moment - time - step
        let days = ((moment - time) / 8640).rounded() / 10
        entries.append(.note("has a pause of \(days) days before line \(number), which is not replayed"))
      }
      time = moment
      entries.append(.sample(time: moment - skipped, sample))
    }

    /// Notes the first row of a source that is not replayed.
    private mutating func noteOther(_ other: String, line: Int) {
      guard tellsOthers else { return }
      tellsOthers = false
      entries.append(
        .note(
          "has rows of other sources, which are not replayed: \(excerpt(other.utf8.span)) in line \(line) is the first")
      )
    }
  }

  /// Reads a file piece by piece.
  final class Reader: Sendable {
    private let file: File

    init(_ path: String) throws(SensorError) {
      do { file = try File(path, .read) } catch { throw SensorError("replay", path, error.reason) }
    }

    /// The next bytes; empty at the end.
    func read() throws(SensorError) -> [UInt8] {
      do { return try file.read(upTo: 1 << 16) } catch { throw SensorError("replay", file.path, error.reason) }
    }
  }
}
