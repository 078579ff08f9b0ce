import Basics
import Quantities
import Recordings
import Study

/// Makes the files of a bundle that follow from a trial's journal: a pure function, the same for a trial that was
/// finished, one that was recovered, and one that is verified.
///
/// The journal is read twice, line by line: once for what happened, once for the samples, which can only be told apart
/// when it is known where each recorder stopped.
struct Derivation {
  let journal: JournalSource

  /// The folder with the blocks of the trial's waveforms; it need not be there.
  let waveforms: String

  /// The path of the embedded clip inside the bundle, where there is one.
  let embeddedClip: String?

  /// Writes the files into a bundle's folder, or only digests them when there is no folder.
  ///
  /// - Returns: what happened, and the files that were made.
  /// - Throws: ``BundleError`` for a journal without a head, or ``FileError``.
  func run(into folder: String?) throws -> (account: TrialAccount, files: [PayloadDigest], record: TrialRecord) {
    let account = try TrialAccount(of: journal)
    let waveforms = WaveformDerivation(folder: waveforms)
    var recordings = account.opening.recorders.map { RecorderCut($0, in: account) }
    var files = try copyLines(into: folder, account, &recordings)
    let blocks = try waveforms.run(account.waveforms, into: folder) { file, block in
      for index in recordings.indices where recordings[index].waveformFile == file { recordings[index].take(block) }
    } heard: { file, sound in
      for index in recordings.indices where recordings[index].waveformFile == file { recordings[index].sound = sound }
    } damaged: { file, blocks, bytes in
      for index in recordings.indices where recordings[index].waveformFile == file {
        recordings[index].damage = RecorderCut.Damage(blocks: blocks, bytes: bytes)
      }
    }
    let record = TrialRecord(of: account, cuts: recordings, embeddedClip: embeddedClip)
    var result = try PayloadFile(BundleFile.result, in: folder)
    try result.write(JSONValue(encoding: record, writesNull: true).encoded(pretty: true))
    files.append(try result.finish())
    return (account, files + blocks, record)
  }

  private func copyLines(into folder: String?, _ account: TrialAccount, _ recordings: inout [RecorderCut])
    throws(FileError)
    -> [PayloadDigest]
  {
    var reader = try JournalReader(journal)
    var events = try PayloadFile(BundleFile.events, in: folder)
    let zero = account.opening.zero.wall
    let recorders = recordings.map(\.written)
    let heart = try ItemFile(BundleFile.heart, in: folder)
    let files = try recordings.map { recording throws(FileError) -> ItemFile? in
      if recording.waveformFile != nil { return nil }
      return recording.recorder.configuration.isOfHeartbeats ? heart : try ItemFile(recording.file, in: folder)
    }
    while let line = try reader.next() {
      guard case .success(let record) = line.record, record.event.delivery != nil else {
        if !line.bytes.isEmpty { try events.write(line.bytes + [UInt8(ascii: "\n")]) }
        continue
      }
      for index in recordings.indices {
        switch record.event {
        case .reading(let reading):
          for sample in recordings[index].take(reading, at: record.time) {
            let written = sample.written(of: reading, sequence: record.sequence, zero: zero)
            try files[index]?.write(written, of: recorders[index])
          }
        case .sample(let delivered):
          guard let sample = recordings[index].take(delivered, at: record.time) else { continue }
          let written = sample.written(of: delivered, sequence: record.sequence, zero: zero)
          try files[index]?.write(written, of: recorders[index])
        default: break
        }
      }
    }
    var digests = [try events.finish(), try heart.finish()]
    for case let file? in files where file !== heart { digests.append(try file.finish()) }
    return digests + [try copyJournal(first: reader.validBytes, into: folder)]
  }

  // Whole lines only: what was torn after them is no part of the journal.
  private func copyJournal(first count: Int, into folder: String?) throws(FileError) -> PayloadDigest {
    var copy = try PayloadFile(BundleFile.journal, in: folder)
    switch journal {
    case .memory(let bytes): try copy.write(Array(bytes.prefix(count)))
    case .file(let path):
      let source = try File(path, .read, isRegular: true)
      var rest = count
      while rest > 0 {
        let piece = try source.read(upTo: min(rest, 1 << 16))
        if piece.isEmpty { throw FileError("read", path, code: FileError.damaged) }
        try copy.write(piece)
        rest -= piece.count
      }
    }
    return try copy.finish()
  }
}

extension RecorderCut {
  /// The recorder as its items name it.
  fileprivate var written: HeartItemWriter.Recorder {
    let configuration = recorder.configuration
    return HeartItemWriter.Recorder(
      identifier: configuration.identifier, source: recorder.sensor.name, step: recorder.step,
      type: configuration.quantityType,
      unit: configuration.unit)
  }
}

extension RecorderCut.Sample {
  fileprivate func written(of reading: SensorReading, sequence: Int, zero: WallTime) -> HeartItemWriter.Sample {
    HeartItemWriter.Sample(
      arrived: reading.arrived.exactNanoseconds, time: end.exactNanoseconds, startDate: zero.advanced(by: start),
      endDate: zero.advanced(by: end), value: value, isLate: isLate, contact: reading.contact,
      intervals: reading.rrIntervals, senderTime: reading.senderTime, sequence: sequence)
  }
}

extension RecorderCut.Sample {
  /// The sample of a channel as an item.
  fileprivate func written(of sample: SensorSample, sequence: Int, zero: WallTime) -> HeartItemWriter.Sample {
    HeartItemWriter.Sample(
      arrived: sample.arrived.exactNanoseconds, time: end.exactNanoseconds, startDate: zero.advanced(by: start),
      endDate: zero.advanced(by: end), value: value, isLate: isLate, contact: sample.contact, intervals: [],
      senderTime: sample.senderTime, sequence: sequence)
  }
}

/// A file of items while it is written.
private final class ItemFile {
  private var file: PayloadFile
  private var items = HeartItemWriter()

  init(_ path: String, in folder: String?) throws(FileError) {
    file = try PayloadFile(path, in: folder)
    try file.write(HeartItemWriter.opening)
  }

  func write(_ sample: HeartItemWriter.Sample, of recorder: HeartItemWriter.Recorder) throws(FileError) {
    try file.write(items.item(sample, of: recorder))
  }

  func finish() throws(FileError) -> PayloadDigest {
    try file.write(items.closing)
    return try file.finish()
  }
}

@available(*, unavailable)
extension ItemFile: Sendable {}
