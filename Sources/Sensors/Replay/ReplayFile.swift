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
  static let longestPause = 31 * 86_400.0

  /// The source and recorder whose items of a `heart.json` are replayed; `nil` where there is only one.
  struct Choice: Hashable, Sendable {
    var source: String?
    var recorder: String?
  }

  private enum Format: Sendable {
    case lines(areIntervals: Bool, source: String?, isChosen: Bool)
    case items([ReplayedItems.Reading])
  }

  let path: String
  let sourceName: String?

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
    try Self.check(head, path)
    if Self.isDocument(head) {
      let reader = try Reader(path)
      let items = try ReplayedItems(path, choice) { () throws(SensorError) in try reader.read() }
      format = .items(items.readings)
      sourceName = items.source
      return
    }
    guard choice.recorder == nil else {
      throw SensorError("replay", path, "only a heart.json has recorders to choose from")
    }
    do throws(ReplayHead.Problem) {
      let judged = try ReplayHead(head, isWhole: head.count < 1 << 16, source: choice.source)
      format = .lines(
        areIntervals: judged.areIntervals, source: judged.source, isChosen: choice.source != nil)
      sourceName = judged.source
    } catch {
      throw SensorError("replay", path, error.reason, advice: error.advice)
    }
  }

  /// Rejects files that hold no recording, by the same rules as the analysis.
  private static func check(_ head: [UInt8], _ path: String) throws(SensorError) {
    let kind: FileKind
    do throws(FileKind.Foreign) { kind = try FileKind(head) } catch { throw SensorError("replay", path, error.reason) }
    if let remedy = kind.remedy { throw SensorError("replay", path, remedy) }
  }

  /// Returns the recording from its beginning, and the reader that feeds it if it needs feeding.
  func tape() throws(SensorError) -> (tape: Tape, reader: Reader?) {
    switch format {
    case .lines(let areIntervals, let source, let isChosen):
      (Tape(isTextOfIntervals: areIntervals, source: source, isChosen: isChosen), try Reader(path))
    case .items(let items): (Tape(items), nil)
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
