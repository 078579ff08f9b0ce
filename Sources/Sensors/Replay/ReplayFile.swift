import Basics
import Quantities
import Recordings

/// A recording in a file, and its format.
struct ReplayFile: Sendable {
  /// An element of a recording, in the order of time.
  enum Entry: Equatable, Sendable {
    /// A sample and when it happened, in seconds since any origin.
    case sample(time: Double, Sample)
    /// A line that cannot be parsed.
    case fault(line: Int, reason: String)
    /// A remark on the recording for readers of the results, worded as a predicate.
    case note(String)
  }

  /// The longest pause between two lines that is replayed, in seconds: 31 days.
  static let maxPause = 31 * 86_400.0

  /// The source and recorder whose items of a `heart.json` are replayed; `nil` where there is only one.
  struct Choice: Hashable, Sendable {
    var source: String?
    var recorder: String?
    /// The length of a delivered block of a signal; `nil` for the usual.
    var block: Duration?
  }

  /// The signals of an EDF, BDF or WFDB file, which are replayed as waveforms; `nil` for any other.
  let signals: ReplayedSignals?

  private enum Format: Sendable {
    case lines(areIntervals: Bool, source: String?, isChosen: Bool)
    /// The samples of a heart file or of a device's file.
    case items([ReplayedItems.Reading], note: String?)
  }

  let path: String
  let sourceName: String?
  /// Whether it says that its samples are of a simulated sensor.
  var isSimulated: Bool { signals?.isSimulated ?? sourceName?.namesSimulation ?? false }
  /// Whether it holds intervals and no heart rates; of lines, the first 64 KiB say so.
  let hasIntervalsOnly: Bool

  private let format: Format

  /// Opens a file and determines its format.
  init(_ path: String, _ choice: Choice) throws(SensorError) {
    self.path = path
    switch PathKind(path) {
    case .folder: throw SensorError("replay", path, "it is a folder")
    case .stream:
      throw SensorError("replay", path, "it is a FIFO or a device, not a recording", advice: "use lines:\(path)")
    case .file, nil: break
    }
    let head = try Reader(path).read()
    guard !SignalFile.isBeginning(head) else {
      let signals = try ReplayedSignals(path, choosing: choice.source, block: choice.block)
      (self.signals, sourceName, hasIntervalsOnly, format) = (signals, nil, false, .items([], note: nil))
      return
    }
    signals = nil
    guard choice.block == nil else {
      throw SensorError(
        "replay", path, "only signals in EDF, BDF or WFDB are delivered in blocks", advice: "leave block_ms out")
    }
    let kind = try Self.kind(head, path)
    if kind == .signals { throw SensorError("replay", path, "it has annotations and no signals") }
    if case .device(let device) = kind {
      guard choice == Choice() else {
        throw SensorError("replay", path, "it is a \(device.title), which has no sources or recorders to choose from")
      }
      let file = try Self.read(device, path)
      let isCut = file.caveats.contains(where: \.isOfEarlyEnd)
      format = .items(ReplayedItems.readings(of: file), note: isCut ? "ends early, in the middle of its file" : nil)
      (sourceName, hasIntervalsOnly) = (file.device, file.rates.values.isEmpty)
      return
    }
    if Self.isDocument(head) {
      let reader = try Reader(path)
      let items = try ReplayedItems(path, choice) { () throws(SensorError) in try reader.read() }
      format = .items(items.readings, note: nil)
      let samples = items.readings.map(\.sample)
      sourceName = items.source
      hasIntervalsOnly =
        samples.contains { !$0.rrIntervals.isEmpty } && samples.allSatisfy { $0.heartRate == nil }
      return
    }
    guard choice.recorder == nil else {
      throw SensorError("replay", path, "only a heart.json has recorders to choose from")
    }
    do throws(ReplayHead.Problem) {
      let judged = try ReplayHead(head, isWhole: head.count < 1 << 16, source: choice.source)
      format = .lines(
        areIntervals: judged.areIntervals, source: judged.source, isChosen: choice.source != nil)
      (sourceName, hasIntervalsOnly) = (judged.source, judged.hasIntervalsOnly)
    } catch {
      throw SensorError("replay", path, error.reason, advice: error.advice)
    }
  }

  /// Rejects files that hold no recording, by the same rules as the analysis.
  private static func kind(_ head: [UInt8], _ path: String) throws(SensorError) -> FileKind {
    let kind: FileKind
    do throws(FileKind.Foreign) { kind = try FileKind(head) } catch { throw SensorError("replay", path, error.reason) }
    if let remedy = kind.remedy { throw SensorError("replay", path, remedy) }
    return kind
  }

  private static func read(_ format: DeviceFormat, _ path: String) throws(SensorError) -> DeviceFile {
    do throws(RecordingError) {
      return try DeviceFileReader.read(format, try FilePieces(path, path), path)
    } catch {
      guard case .unreadable(_, let reason) = error else { throw SensorError("replay", path, "\(error)") }
      throw SensorError("replay", path, reason)
    }
  }

  /// Returns the recording from its beginning, and the reader that feeds it if it needs feeding.
  func tape() throws(SensorError) -> (tape: Tape, reader: Reader?) {
    switch format {
    case .lines(let areIntervals, let source, let isChosen):
      (Tape(isTextOfIntervals: areIntervals, source: source, isChosen: isChosen), try Reader(path))
    case .items(let items, let note): (Tape(items, note: note), nil)
    }
  }

  /// Whether a text is one JSON document rather than lines: its first line is not a JSON object by itself, or has
  /// `items`.
  private static func isDocument(_ head: [UInt8]) -> Bool {
    guard let start = head.firstIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
      head[start] == UInt8(ascii: "{") || head[start] == UInt8(ascii: "[")
    else { return false }
    guard head[start] == UInt8(ascii: "{") else { return true }
    let line = head[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    do {
      let value = try JSONReader.read(Array(line)).value
      return value[HeartItem.list] != nil
    } catch {
      // Invalid JSON, several lines, or longer than the head.
      let isWhole = line.endIndex < head.endIndex || head.count < 1 << 16
      return !(isWhole && line.last == UInt8(ascii: "}"))
    }
  }
}

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
