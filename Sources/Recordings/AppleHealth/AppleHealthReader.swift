import Quantities

/// Reads an Apple Health export, one element after another.
final class AppleHealthReader: RecordReader, XMLHandler {
  var batch = ImportBatch()
  private(set) var report = ImportReport()

  private let xml = XMLReader("Apple Health export", hasText: false)
  private var records: RecordContexts
  private var metadata: MetadataPool
  private var times = AppleTimes()
  private var record: AppleRecord?

  init(_ options: ImportOptions) {
    records = RecordContexts(participant: options.participant)
    metadata = MetadataPool(participant: options.participant)
  }

  func read(_ piece: [UInt8], isLast: Bool) throws(Fault) {
    do throws(XMLFault) {
      try xml.read(piece, isLast: isLast, self)
    } catch {
      throw Fault(line: error.line, column: error.column, reason: error.reason)
    }
  }

  func text(_ bytes: UnsafeRawBufferPointer) {}

  func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, _ reader: XMLReader) {
    if reader.depth == 1, unsafe !(name == "HealthData") {
      return unsafe reader.stop(
        "the first element is “\(String(cString: name))”; an Apple Health export's is “HealthData”")
    }
    if record != nil {
      unsafe startInRecord(name, attributes)
    } else if reader.depth == 2 {
      // Those that lie deeper belong to a correlation or a workout. Apple's definitions say of them: “Any Records that
      // appear as children of a correlation also appear as top-level records in this document.”
      unsafe startAtTop(name, attributes, line: reader.line)
    }
  }

  private func startAtTop(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, line: Int) {
    if unsafe name == "Record" {
      unsafe record = AppleRecord(attributes, line: line, &records, &times)
    } else if unsafe name == "ExportDate" {
      report.exported = unsafe attributes["value"].flatMap { unsafe times.read($0) }
    } else if unsafe name == "Me" {
      report.person = unsafe Person(attributes) { report.note(line: line, $0) }
    } else {
      report.leaveOut(unsafe String(cString: name))
    }
  }

  private func startInRecord(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
    if unsafe name == "MetadataEntry" {
      unsafe metadata.add(attributes["key"], attributes["value"])
    } else if unsafe name == "InstantaneousBeatsPerMinute" {
      unsafe record?.beats.add(bpm: attributes["bpm"], time: attributes["time"])
    }
  }

  func end(_ reader: XMLReader) {
    guard reader.depth == 2, let record else { return }
    finish(record)
    metadata.removeAll()
    self.record = nil
  }

  private func finish(_ record: AppleRecord) {
    if let name = record.context.leftOut { return report.leaveOut(name) }
    do throws(Refusal) {
      let metadata = metadata.take()
      let (sample, identity) = try record.sample(metadata)
      batch.samples.append(sample)
      report.take(sample)
      if let text = metadata.leftOutText { report.note(line: record.line, text) }
      guard !record.beats.isEmpty else { return }
      do throws(Refusal) {
        batch.series.append(try record.beats.series(of: sample, identity))
        report.series += 1
      } catch {
        report.note(line: record.line, "the value is read, its beats are not: \(error.reason)")
      }
    } catch {
      report.refuse(line: record.line, error.reason)
    }
  }
}
