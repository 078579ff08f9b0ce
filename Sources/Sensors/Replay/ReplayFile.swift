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
