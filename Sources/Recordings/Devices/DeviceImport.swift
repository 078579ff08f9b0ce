import Basics
import Quantities

/// Imports the file of a watch, a chest strap or its program: heart rates as samples, beats as heartbeat series.
final class DeviceImport: RecordReader {
  var batch = ImportBatch()
  private(set) var report = ImportReport()

  private let format: DeviceFormat
  private let options: ImportOptions
  private let name: String
  private var reader: DeviceFileReader

  init(_ format: DeviceFormat, _ options: ImportOptions, file: String) {
    (self.format, self.options, name) = (format, options, file)
    reader = DeviceFileReader(format)
  }

  func read(_ piece: [UInt8], isLast: Bool) throws(Fault) {
    var fault: DeviceFault?
    do throws(DeviceFault) { try reader.take(piece, isLast: isLast) } catch { fault = error }
    guard isLast || fault != nil else { return }
    // Only what comes before an early end is whole.
    if let fault, !fault.isCut { throw Fault(fault) }
    let file: DeviceFile
    do throws(DeviceFault) {
      file = try reader.file()
    } catch {
      for (name, count) in reader.leftOut { report.leaveOut(name, count: count) }
      throw Fault(fault ?? error)
    }
    do throws(Refusal) {
      try take(file)
    } catch {
      throw Fault(line: nil, column: 1, reason: error.reason)
    }
    // What came before the end is taken.
    if let fault { throw Fault(fault) }
  }

  private func take(_ file: DeviceFile) throws(Refusal) {
    let start = try start(of: file)
    for (name, count) in file.leftOut { report.leaveOut(name, count: count) }
    for caveat in file.caveats { note(caveat) }
    let name = options.source ?? file.device ?? name
    let revision = SourceRevision(source: Source(name: name, bundleIdentifier: "\(format.rawValue):\(name)"))
    let metadata = try metadata(of: file)
    for (time, rate) in zip(file.rates.times, file.rates.values) {
      let moment = start.advanced(by: Duration(seconds: time))
      var identity = identity(QuantityType.heartRate.identifier, moment)
      identity.append(rate)
      let sample: QuantitySample
      do throws(QuantityError) {
        sample = try QuantitySample(
          uuid: identity.uuid(at: moment), type: .heartRate, quantity: Quantity(rate, .countPerMinute), start: moment,
          end: moment, sourceRevision: revision, metadata: metadata)
      } catch {
        throw Refusal(reason: "\(error)")
      }
      batch.samples.append(try sample.kept())
      report.take(sample)
    }
    for chain in file.beats.map(StorableBeats.all) ?? [] {
      let moment = start.advanced(by: Duration(seconds: chain.start))
      var identity = identity(HeartbeatSeries.healthKitIdentifier, moment)
      for beat in chain.beats { identity.append(beat.timeSinceStart.nanoseconds) }
      do throws(QuantityError) {
        batch.series.append(
          try HeartbeatSeries(
            uuid: identity.uuid(at: moment), start: moment, beats: chain.beats, sourceRevision: revision,
            metadata: metadata))
      } catch {
        throw Refusal(reason: "\(error)")
      }
      report.series += 1
    }
  }

  private func metadata(of file: DeviceFile) throws(Refusal) -> Metadata {
    let texts = [Metadata.Key.participant: options.participant, Metadata.Key.timeZone: zone(of: file)]
    do throws(QuantityError) {
      return try Metadata(texts.compactMapValues { $0.map { .string($0) } })
    } catch {
      throw Refusal(reason: "\(error)")
    }
  }

  private func identity(_ type: String, _ start: WallTime) -> Identity {
    var identity = Identity("device/1")
    identity.append(participant: options.participant)
    identity.append(format.rawValue)
    identity.append(options.source)
    identity.append(type)
    identity.append(start)
    return identity
  }

  private func start(of file: DeviceFile) throws(Refusal) -> WallTime {
    switch file.start {
    case .instant(let time): return time
    case .local(let text):
      guard let localTime = options.localTime else {
        throw Refusal(
          reason: "its time “\(text.visible)” is local, and the file does not tell its time zone; give it with "
            + "--time-zone, such as Europe/Amsterdam, or with --offset")
      }
      guard let time = localTime.instant(text) else {
        throw Refusal(reason: "its time “\(text.visible)” is none of \(localTime.zone ?? "the offset")")
      }
      return time
    case nil:
      throw Refusal(
        reason: "it does not tell when it was recorded, and samples in the store have dates; “station analyse” and "
          + "“replay:” read it as it is")
    }
  }

  // The zone of local times, which samples keep.
  private func zone(of file: DeviceFile) -> String? {
    guard case .local = file.start else { return nil }
    return options.localTime?.zone
  }

  private func note(_ caveat: RecordingCaveat) {
    switch caveat {
    case .rowsDropped(let count, _, let first):
      for row in first { report.refuse(line: row.line, row.reason) }
      report.refuse(further: count - first.count)
    case .notAboveZero(let count, _): report.leaveOut("heart rates of zero", count: count)
    case .repeated(let count, _): report.leaveOut("repeated heart rates", count: count)
    default: return
    }
  }
}

extension Fault {
  /// The fault of a device's file.
  fileprivate init(_ fault: DeviceFault) {
    if case .line(let line) = fault.place {
      self.init(line: line, column: 1, reason: fault.reason)
    } else {
      self.init(line: nil, column: 1, reason: "\(fault)")
    }
  }
}

/// Beats that one heartbeat series holds; those of a longer recording are several.
private struct StorableBeats {
  let start: Double
  private(set) var beats: [HeartbeatSeries.Beat] = []

  static func all(of series: IntervalSeries) -> [StorableBeats] {
    let gaps = Set(series.breaks)
    var chains: [StorableBeats] = []
    for (index, (end, interval)) in zip(series.ends, series.intervals).enumerated() {
      let hasRoom =
        chains.last.map {
          Duration(seconds: end - $0.start) <= Storable.maxSample && $0.beats.count < Storable.maxBeats
        } ?? false
      if !hasRoom { chains.append(StorableBeats(start: end - interval / 1000)) }
      let place = chains.count - 1
      let time = Duration(seconds: end - chains[place].start)
      // What is not a nanosecond later is no beat of its own.
      guard time > chains[place].beats.last?.timeSinceStart ?? .zero else { continue }
      let isFirst = chains[place].beats.isEmpty
      chains[place].beats.append(.init(timeSinceStart: time, isPrecededByGap: !isFirst && gaps.contains(index)))
    }
    return chains
  }

  private init(start: Double) { self.start = start }
}
