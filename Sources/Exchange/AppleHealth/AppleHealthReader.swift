import CExpat
import Quantities

/// Reads an Apple Health export through expat, one element after another.
@safe
final class AppleHealthReader: RecordReader {
  var batch = ImportBatch()
  private(set) var report = ImportReport()

  private let parser: OpaquePointer
  private var prologue = Prologue()
  private var records: RecordContexts
  private var metadata: MetadataPool
  private var times = AppleTimes()
  private var record: AppleRecord?
  private var depth = 0
  private var fault: Fault?
  private var piecesWithoutElement = 0

  // A file whose elements lie deeper, or whose elements are longer, was made to exhaust the memory.
  private static let deepest = 64
  private static let longestElement = 16 * SampleFile.pieceSize

  init(_ options: ImportOptions) {
    records = RecordContexts(participant: options.participant)
    metadata = MetadataPool(participant: options.participant)
    guard let parser = unsafe XML_ParserCreate(nil) else { preconditionFailure("no memory for a parser") }
    unsafe self.parser = parser
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(parser, elementStarts, elementEnds)
    unsafe XML_SetStartDoctypeDeclHandler(parser, definitionsStart)
  }

  deinit { unsafe XML_ParserFree(parser) }

  func read(_ piece: [UInt8], isLast: Bool) throws(Fault) {
    let bytes = try prologue.filter(piece, isLast: isLast)
    piecesWithoutElement += 1
    let status = unsafe bytes.withUnsafeBytes { buffer in
      let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return unsafe XML_Parse(parser, start, Int32(buffer.count), isLast ? 1 : 0)
    }
    if let fault { throw fault }
    guard status == XML_STATUS_OK else { throw unsafe here(Self.reason(XML_GetErrorCode(parser))) }
    guard piecesWithoutElement * SampleFile.pieceSize < Self.longestElement else {
      throw here("no element begins or ends in the last \(Self.longestElement >> 20) MB; nothing that long is read")
    }
  }

  private static func reason(_ code: XML_Error) -> String {
    if code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN { return "the file ends in the middle" }
    return unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "it is not XML"
  }

  private func here(_ reason: String) -> Fault {
    unsafe Fault(line: line, column: Int(XML_GetCurrentColumnNumber(parser)) + 1, reason: reason)
  }

  private var line: Int { unsafe Int(XML_GetCurrentLineNumber(parser)) }

  private func stop(_ reason: String) {
    guard fault == nil else { return }
    fault = here(reason)
    unsafe XML_StopParser(parser, 0)
  }

  // MARK: What the parser tells

  fileprivate func definitions() {
    stop("its document type has definitions where no Apple Health export has them; it is not read")
  }

  fileprivate func start(_ name: UnsafePointer<CChar>, _ attributes: Attributes) {
    guard fault == nil else { return }
    piecesWithoutElement = 0
    depth += 1
    guard depth <= Self.deepest else { return stop("elements lie \(depth) deep in one another; no export's do") }
    if depth == 1, unsafe !(name == "HealthData") {
      return unsafe stop("the first element is “\(String(cString: name))”; an Apple Health export's is “HealthData”")
    }
    if record != nil {
      unsafe startInRecord(name, attributes)
    } else if depth == 2 {
      // Those that lie deeper belong to a correlation or a workout. Apple's definitions say of them: “Any Records that
      // appear as children of a correlation also appear as top-level records in this document.”
      unsafe startAtTop(name, attributes)
    }
  }

  private func startAtTop(_ name: UnsafePointer<CChar>, _ attributes: Attributes) {
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

  private func startInRecord(_ name: UnsafePointer<CChar>, _ attributes: Attributes) {
    if unsafe name == "MetadataEntry" {
      unsafe metadata.add(attributes["key"], attributes["value"])
    } else if unsafe name == "InstantaneousBeatsPerMinute" {
      unsafe record?.beats.add(bpm: attributes["bpm"], time: attributes["time"])
    }
  }

  fileprivate func end() {
    guard fault == nil else { return }
    piecesWithoutElement = 0
    depth -= 1
    guard depth == 1, let record else { return }
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

private func reader(_ box: UnsafeMutableRawPointer?) -> AppleHealthReader? {
  unsafe box.map { unsafe Unmanaged<AppleHealthReader>.fromOpaque($0).takeUnretainedValue() }
}

private func elementStarts(
  _ box: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
  guard let name = unsafe name, let list = unsafe list else { return }
  unsafe reader(box)?.start(name, Attributes(list: list))
}

private func elementEnds(_ box: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) { unsafe reader(box)?.end() }

private func definitionsStart(
  _ box: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ system: UnsafePointer<CChar>?,
  _ publicIdentifier: UnsafePointer<CChar>?, _ hasDefinitions: Int32
) {
  if unsafe hasDefinitions != 0 || system != nil { unsafe reader(box)?.definitions() }
}
