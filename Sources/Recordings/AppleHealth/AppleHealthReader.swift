import Basics
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

/// The folder, or the archive of it, that the phone exports from Apple Health.
enum AppleHealthFolder {
  /// The export within a folder, whose file name is in the phone's language.
  static func export(in folder: String) throws(ImportError) -> String {
    do throws(FileError) {
      for candidate in [folder, "\(folder)/apple_health_export"] where Folder.isFolder(candidate) {
        let names = try Folder.names(in: candidate).filter { $0.hasSuffix(".xml") }
        for name in names where isExport(try File("\(candidate)/\(name)", .read).read(upTo: 4096)) {
          return "\(candidate)/\(name)"
        }
      }
    } catch {
      throw .file(error)
    }
    throw .notImportable(
      path: folder, reason: "no file of this folder is an Apple Health export; it is called “export.xml” in English")
  }

  /// The export in the archive that the phone wrote, at its beginning; `nil` if there is none.
  static func export(zipped path: String) throws(ImportError) -> ZipReader? {
    do throws(ArchiveFault) {
      let archive = try ZipReader(path)
      while try archive.next() {
        guard archive.name.hasSuffix(".xml"), archive.name.split(separator: "/").count <= 2 else { continue }
        if isExport(try archive.peek(4096)) { return archive }
      }
      return nil
    } catch {
      throw .notImportable(path: path, reason: error.description)
    }
  }

  /// Whether a file begins as an export does.
  static func isExport(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    return text.contains("<!DOCTYPE HealthData") || text.contains("<HealthData")
  }
}

/// Reads the export's times: `2016-01-01 00:05:00 +0100`.
///
/// The day and offset of the last one are kept, because nearly always the next one's are the same.
@safe
struct AppleTimes {
  private var day: (UInt64, UInt64) = (0, 0)
  private var midnight: Int64 = 0

  /// Reads a time; `nil` for any other text.
  mutating func read(_ text: UnsafePointer<CChar>) -> WallTime? {
    let bytes = unsafe text.bytes
    guard bytes.count == 25, unsafe bytes[10] == 0x20, unsafe bytes[13] == UInt8(ascii: ":"),
      unsafe bytes[16] == UInt8(ascii: ":"), unsafe bytes[19] == 0x20
    else { return nil }
    var day: (UInt64, UInt64) = (0, 0)
    for index in 0..<8 { day.0 = unsafe day.0 << 8 | UInt64(bytes[index]) }
    for index in 8..<10 { day.1 = unsafe day.1 << 8 | UInt64(bytes[index]) }
    for index in 20..<25 { day.1 = unsafe day.1 << 8 | UInt64(bytes[index]) }
    if day != self.day {
      let date = unsafe String(decoding: bytes[..<10], as: UTF8.self)
      let offset = unsafe String(decoding: bytes[20...], as: UTF8.self)
      guard let time = WallTime("\(date) 00:00:00\(offset)") else { return nil }
      midnight = time.microseconds
      self.day = day
    }
    guard let hour = unsafe Self.number(bytes, 11), let minute = unsafe Self.number(bytes, 14),
      let second = unsafe Self.number(bytes, 17), hour < 24, minute < 60, second <= 60
    else { return nil }
    return WallTime(microseconds: midnight + ((hour * 60 + minute) * 60 + second) * 1_000_000)
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int64? {
    let (tens, ones) = unsafe (bytes[position] &- UInt8(ascii: "0"), bytes[position + 1] &- UInt8(ascii: "0"))
    return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
  }
}
