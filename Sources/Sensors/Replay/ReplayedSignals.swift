import Basics
import Quantities
import Recordings

/// The signals of a file that are replayed: the first of each quantity that their names say, or those that were chosen.
struct ReplayedSignals: Sendable {
  /// A signal and what it becomes.
  private struct Trace: Sendable {
    let signal: Int
    let type: QuantityType
    let unit: Unit
    let rate: Double
    let label: String
    /// What the file's values are multiplied by.
    let factor: Float
  }

  /// The length of a delivered block where no other was requested.
  static let block = Duration.milliseconds(200)

  let path: String
  private let block: Duration
  private let file: SignalFile
  private let traces: [Trace]
  /// The names of the signals that are not replayed.
  private let others: [String]
  /// Why signals with a known name are not replayed: their unit.
  private let misfits: [String]

  /// The quantities that are replayed.
  var channels: [Channel] { traces.map { Channel($0.type, unit: $0.unit, rate: $0.rate) } }

  /// What is not replayed, and what the file lacks, worded as predicates.
  var notes: [String] {
    let names = others.prefix(12).map { "“\($0.visible)”" }.joined(separator: ", ")
    return (others.isEmpty ? [] : ["has signals that are not replayed: \(names)"])
      + misfits.map { "has \($0)" }
      + file.caveats.map { "has a file with a caveat: \($0)" }
  }

  var pieces: Int { file.pieces }

  /// Whether the file's header says that the data are simulated.
  var isSimulated: Bool { file.isSimulated }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - name: the signal that is replayed; `nil` for the first of each known quantity.
  ///   - block: the length of a delivered block, at least a sample and at most a record of the file; `nil` is ``block``.
  /// - Throws: ``SensorError`` for a file that cannot be read or has nothing to replay.
  init(_ path: String, choosing name: String?, block: Duration?) throws(SensorError) {
    do throws(RecordingError) {
      file = try SignalFile(path)
    } catch {
      switch error {
      case .unreadable(_, let reason): throw SensorError("replay", path, reason)
      default: throw SensorError("replay", path, "\(error)")
      }
    }
    self.path = path
    self.block = block ?? Self.block
    var traces: [Trace] = []
    var misfits: [String] = []
    for (index, channel) in file.channels.enumerated() {
      guard name.map({ $0.lowercased() == channel.label.lowercased() }) ?? true,
        let type = channel.quantity ?? (name == nil ? nil : .electrocardiogram),
        !traces.contains(where: { $0.type == type }), WaveformFormat.rates.contains(channel.rate), channel.hasRange
      else { continue }
      // In files “g” is an acceleration's gravity, not a gram.
      let gravity = type == .acceleration ? channel.standardGravity : nil
      let unit = gravity == nil ? type.unit(written: channel.unit) : type.defaultUnit
      // An acceleration without a unit may be in g as well.
      let isOwn = type != .acceleration && QuantityType.isUnstated(unit: channel.unit)
      guard unit != nil || type.isOfArbitraryUnit || isOwn else {
        misfits.append(
          "“\(channel.label.visible)” in “\(channel.unit.visible)”, which is not a unit of \(type.channelName)")
        continue
      }
      traces.append(
        Trace(
          signal: index, type: type, unit: unit ?? type.defaultUnit, rate: channel.rate, label: channel.label,
          factor: gravity ?? 1))
    }
    self.traces = traces
    let names = file.channels.map(\.label)
    others = names.indices.filter { index in !traces.contains { $0.signal == index } }.map { names[$0] }
    self.misfits = misfits
    guard traces.isEmpty else { return }
    guard !names.isEmpty else { throw SensorError("replay", path, "it has no signals") }
    let wanted = name?.lowercased()
    if let channel = file.channels.first(where: {
      !$0.hasRange && (wanted == nil ? $0.quantity != nil : $0.label.lowercased() == wanted)
    }) {
      let reason = "its header gives “\(channel.label.visible)” no physical range, so that its values have no unit"
      throw SensorError("replay", path, reason)
    }
    if let misfit = misfits.first { throw SensorError("replay", path, "it has \(misfit)") }
    throw SensorError(
      "replay", path,
      name.map { "it has no signal “\($0.visible)”" } ?? "the names of its signals \(file.names) say no quantity",
      advice: name.map { Spelling.advice(for: $0, among: names) } ?? "choose one with ?source=NAME")
  }

  /// The events of a piece, in the order in which they are due: each when its last sample is.
  ///
  /// - Parameters:
  ///   - piece: the number of the piece.
  ///   - start: when the file's first sample is replayed.
  ///   - latency: the delay from a sample to its delivery.
  /// - Returns: the events.
  /// - Throws: ``SensorError`` where the file cannot be read.
  func events(
    ofPiece piece: Int, from start: Moment, latency: Duration
  ) throws(SensorError) -> [(due: Moment, event: SensorEvent)] {
    let blocks: [SignalBlock]
    do throws(RecordingError) {
      blocks = try file.blocks(ofPiece: piece, of: Set(traces.map(\.signal)))
    } catch {
      throw SensorError("replay", path, "\(error)")
    }
    var events: [(due: Moment, event: SensorEvent)] = []
    for block in blocks {
      guard let trace = traces.first(where: { $0.signal == block.signal }) else { continue }
      let size = max(1, Int(self.block.seconds * trace.rate + 1e-6))
      for first in stride(from: 0, to: block.values.count, by: size) {
        let values = block.values[first..<min(block.values.count, first + size)].map { $0 * trace.factor }
        func moment(_ index: Int) -> Moment {
          start.advanced(by: Duration(seconds: block.time + Double(first + index) / trace.rate))
        }
        let due = moment(values.count).advanced(by: latency)
        events.append((due, Self.event(values, trace, due: due, moment)))
      }
    }
    return events.sorted { $0.due < $1.due }
  }

  private static func event(
    _ values: [Float], _ trace: Trace, due: Moment, _ moment: (Int) -> Moment
  ) -> SensorEvent {
    guard !trace.type.isWaveform else {
      let format = WaveformFormat(trace.type, unit: trace.unit, rate: trace.rate, channels: [trace.label])
      return .waveform(WaveformFrames(format, happened: moment(0), arrived: due, values: values))
    }
    return .readings(
      values.enumerated().filter { $0.element.isFinite }.map { index, value in
        HeartReading(
          heartRate: nil, happened: moment(index), arrived: due,
          samples: [ChannelSample(trace.type, Double(value), trace.unit, happened: moment(index))])
      })
  }

  /// A stream's position in the file, which is read on a separate thread.
  actor Player {
    private let signals: ReplayedSignals
    private let latency: Duration
    private let device: Device?
    private let start: Moment
    private var piece = -1
    private var ahead: ArraySlice<(due: Moment, event: SensorEvent)> = []
    private var isOver = false

    init(_ signals: ReplayedSignals, latency: Duration, device: Device?, start: Moment) {
      (self.signals, self.latency, self.device, self.start) = (signals, latency, device, start)
    }

    /// The next event and when it is due; `nil` means immediately.
    func next() async -> (Moment?, SensorEvent)? {
      guard !isOver else { return nil }
      guard piece >= 0 else {
        piece = 0
        ahead = signals.notes.map { (start, .noted($0)) }[...]
        return (nil, .connected(device))
      }
      while ahead.isEmpty, piece < signals.pieces {
        let (piece, signals, start, latency) = (piece, signals, start, latency)
        do throws(SensorError) {
          ahead = try await WaitingThread.run {
            Result { () throws(SensorError) in
              try signals.events(ofPiece: piece, from: start, latency: latency)
            }
          }
          .get()[...]
        } catch {
          isOver = true
          return (nil, .ended(reason: error.description))
        }
        self.piece += 1
      }
      guard let next = ahead.popFirst() else {
        isOver = true
        return (nil, .ended(reason: "“\(signals.path)” has ended"))
      }
      if case .readings(let readings) = next.event, readings.isEmpty { return await self.next() }
      return (next.due, next.event)
    }
  }
}
