import Files
import Quantities

extension ReplayFile {
  /// A recording that is being read; lines are read from the file as they are needed.
  struct Tape: Sendable {
    private var lines = Lines()
    private var head = 0
    private var splitter = LineSplitter()
    private var isAtEnd = false
    private let reader: Reader?

    /// The lines of a file.
    init(_ path: String) throws(SensorError) {
      reader = try Reader(path)
    }

    /// The readings of a heart file.
    init(_ readings: [ReplayedItems.Reading]) {
      reader = nil
      let first = readings.first?.time ?? 0
      lines.entries = readings.map { .sample(time: $0.time - first, $0.sample) }
      isAtEnd = true
    }

    /// The lines at the beginning of a file; its last line is taken for whole only when it is.
    init(bytes: [UInt8]) {
      reader = nil
      isAtEnd = true
      read(bytes)
      if bytes.count < 1 << 16 { end() }
    }

    /// The next entry; `nil` at the end.
    mutating func next() throws(SensorError) -> Entry? {
      while head == lines.entries.count, !isAtEnd, let reader {
        lines.entries.removeAll(keepingCapacity: true)
        head = 0
        let bytes = try reader.read()
        if bytes.isEmpty {
          isAtEnd = true
          end()
        } else {
          read(bytes)
        }
      }
      guard head < lines.entries.count else { return nil }
      head += 1
      return lines.entries[head - 1]
    }

    private mutating func read(_ bytes: [UInt8]) {
      var lines = Lines()
      swap(&lines, &self.lines)
      splitter.take(bytes.span) { lines.add($1, number: $0) }
      self.lines = lines
    }

    private mutating func end() {
      var lines = Lines()
      swap(&lines, &self.lines)
      splitter.end { lines.add($1, number: $0) }
      self.lines = lines
    }
  }

  /// The entries that lines make: the time of a line without one follows from the line above.
  private struct Lines: Sendable {
    var entries: [Entry] = []
    private var rows = RowReader()
    private var time: Double?

    mutating func add(_ line: Span<UInt8>?, number: Int) {
      guard let line else {
        entries.append(.fault(line: number, reason: "longer than \(LineSplitter.longest) bytes"))
        return
      }
      switch rows.read(line) {
      case .nothing: break
      case .unreadable(let reason): entries.append(.fault(line: number, reason: reason))
      case .sample(let sample):
        let step = sample.rrIntervals.isEmpty ? 1 : sample.rrIntervals.reduce(0, +) / 1000
        let moment = sample.time ?? time.map { $0 + step } ?? 0
        guard moment >= time ?? moment else {
          entries.append(.fault(line: number, reason: "its time \(moment) s lies before the line above"))
          return
        }
        time = moment
        entries.append(.sample(time: moment, sample))
      }
    }
  }

  /// A file that is read piece by piece.
  final class Reader: Sendable {
    private let file: File

    init(_ path: String) throws(SensorError) {
      do { file = try File(path, .read) } catch { throw SensorError("replay", path, error.reason) }
    }

    /// The next bytes; none at its end.
    func read() throws(SensorError) -> [UInt8] {
      do { return try file.read(upTo: 1 << 16) } catch { throw SensorError("replay", file.path, error.reason) }
    }
  }
}
