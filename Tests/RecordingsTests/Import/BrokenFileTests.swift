import Basics
import Quantities
import TestSupport
import Testing

@testable import Recordings

@Suite("A broken file")
struct BrokenFileTests {
  @Test("An export that is cut anywhere gives what came before the cut, and says that it is cut")
  func cut() throws {
    let text = Array(Export.text(Export.many(300)).utf8)
    let scratch = try ScratchFolder()
    try File.create(scratch["whole"], text)
    let whole = try Whole(scratch["whole"])
    #expect(whole.error == nil)
    #expect(whole.samples.count == 300)
    for (index, size) in stride(from: 1, to: text.count - 1, by: 997).enumerated() {
      try File.create(scratch["\(index)"], Array(text.prefix(size)))
      let part = try Whole(scratch["\(index)"])
      #expect(part.error != nil, "cut at \(size)")
      #expect(part.samples == Array(whole.samples.prefix(part.samples.count)), "cut at \(size)")
      let complete = text.prefix(size).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      let ends =
        complete.count { $0.suffix(2) == Array("/>".utf8)[...] && $0.starts(with: Array(" <Record".utf8)) }
        + complete.count { $0.elementsEqual(" </Record>".utf8) }
      #expect(part.samples.count >= ends, "cut at \(size)")
    }
  }

  @Test(
    "Damaged bytes cost what they damage, and never the program",
    arguments: [SampleFile.Format.appleHealth, .table, .openMHealth, .device])
  func damaged(_ format: SampleFile.Format) throws {
    let text =
      switch format {
      case .appleHealth: Export.text(Export.many(30) + [Export.variability])
      case .table:
        "start,end,value,unit,type,source,id\n"
          + String(
            repeating: "2026-11-20T10:00:00Z,2026-11-20T10:00:05.5+01:00,7.2e1,count/min,heartRate,\"a\",\n", count: 20)
      case .device: DeviceImportTests.gpx(seconds: 30)
      case .openMHealth: "[" + Array(repeating: OpenMHealthTests.point(), count: 10).joined(separator: ",") + "]"
      }
    let whole = try Whole(text: text)
    #expect(whole.error == nil)
    var generator = SplitMix64(seed: 3)
    let scratch = try ScratchFolder()
    for index in 0..<400 {
      var bytes = Array(text.utf8)
      for _ in 0...index % 4 {
        let place = Int(generator.next() % UInt64(bytes.count))
        switch index % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
        }
      }
      try File.create(scratch["\(index)"], bytes)
      // A file may be damaged so that it is none of a kind that is known.
      guard let read = try? Whole(scratch["\(index)"]) else { continue }
      #expect(read.samples.count == read.report.samples)
      #expect(read.samples.count <= whole.samples.count + 4)
      #expect(read.samples.allSatisfy { $0.value.isFinite })
      try Folder.removeFile(scratch["\(index)"])
    }
  }

  @Test("Pieces that end anywhere give the same as one piece")
  func pieces() throws {
    // Longer than many pieces, with characters of several bytes.
    let text = Export.text(Export.many(6000))
    let whole = try Whole(text: text)
    #expect(whole.samples.count == 6000)
    #expect(Set(whole.samples.map(\.sourceRevision.source.name)) == ["Anna’s Apple\u{A0}Watch", "Anna's iPhone"])
  }

  @Test(
    "What is not an export, or one that was made to hurt, is refused",
    arguments: [
      (
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n<HealthData>&b;</HealthData>",
        "defines an entity"
      ),
      (
        "<?x <!-- ?><!DOCTYPE x [<!ENTITY a \"aaaa\">]>\n<HealthData>&a;</HealthData><!-- -->", "defines an entity"
      ),
      (
        "<!DOCTYPE x SYSTEM \"<!--\" [<!ENTITY a \"aaaa\">]>\n<HealthData>&a;</HealthData><!-- -->", "document type"
      ),
      ("<!DOCTYPE x SYSTEM \"file:///etc/passwd\">\n<HealthData>&a;</HealthData>", "document type"),
      ("<html><body/></html>", "it is a web page"), ("<note><body/></note>", "the first element is “note”"),
      ("<HealthData><Record", "the file ends in the middle"),
      ("<HealthData></HealthDat>", "mismatched tag"),
      ("<HealthData/>\n<HealthData/>", "junk after document element"),
      ("<HealthData>\u{0}</HealthData>", "no UTF-8 text"),
      ("", "it is empty"), ("PK\u{3}\u{4}xx", "zip archive"),
    ])
  func refused(_ text: String, _ reason: String) throws {
    do {
      let whole = try Whole(text: text)
      let error = try #require(whole.error)
      #expect("\(error)".contains(reason), "\(error)")
    } catch let error as ImportError {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }

  @Test(
    "Of other programs' files it is told what they are",
    arguments: ForeignFiles.texts + [("{\"hr\":70,\"rr\":[800]}\n{\"hr\":71}\n", "replay:FILE")])
  func foreign(text: String, word: String) throws {
    let error = try #require(throws: ImportError.self) { try Whole(text: text) }
    #expect("\(error)".contains(word), "\(error)")
  }

  @Test("Of what is not a UTF-8 text it is told what it is", arguments: ForeignFiles.binary)
  func binary(bytes: [UInt8], word: String) throws {
    let scratch = try ScratchFolder()
    try File.create(scratch["file"], bytes)
    let error = try #require(throws: ImportError.self) { try Whole(scratch["file"]) }
    #expect("\(error)".contains(word), "\(error)")
  }

  @Test("Bytes that are not the encoding's are reported with their place")
  func encoding() throws {
    let scratch = try ScratchFolder()
    var bytes = Array(Export.text([Export.record(source: "Caf@")]).utf8)
    let place = try #require(bytes.firstIndex(of: UInt8(ascii: "@")))
    bytes[place] = 0xE9
    try File.create(scratch["latin"], bytes)
    let whole = try Whole(scratch["latin"])
    #expect("\(try #require(whole.error))".contains("not well-formed"))
    // Where the file says which encoding it has, that is read.
    let declared = Array(String(decoding: bytes.prefix(200), as: UTF8.self).replacing("UTF-8", with: "ISO-8859-1").utf8)
    try File.create(scratch["declared"], declared + bytes.dropFirst(200))
    #expect(try Whole(scratch["declared"]).samples.first?.sourceRevision.source.name == "Café")
    try File.create(scratch["sixteen"], [0xFF, 0xFE] + Array("<HealthData/>".utf16).flatMap { [UInt8($0 & 0xFF), 0] })
    #expect(throws: ImportError.self) { try Whole(scratch["sixteen"]) }
  }

  @Test("A document type that is not well formed, as iOS 16 wrote it, does no harm")
  func malformedDefinitions() throws {
    let text = Export.text([Export.record()]).replacing("<!ELEMENT Record", with: "<!ELEMENT device <!ATTLIST Record")
    let whole = try Whole(text: text)
    #expect(whole.error == nil)
    #expect(whole.samples.count == 1)
  }

  @Test(
    "An attribute, a comment and a nesting without end are refused while little of them was read",
    arguments: [
      ("<HealthData>\n<Record type=\"", "a", "no element begins or ends in the last 2 MB"),
      ("<HealthData>\n<Record type=\"HKQuantityTypeIdentifierHeartRate\" ", "x='' ", "no element begins"),
      ("<!DOCTYPE x [ <!-- ", "a", "has no end within a megabyte"),
      ("<HealthData>\n", "<a>", "65 deep in one another"),
      ("<HealthData>\n<!-- ", "a", "no element begins"),
      ("time,value,unit,type\n\"", "a", "a quote that is opened in this row is never closed"),
      ("[{\"header\":\"", "a", "has no end within a megabyte"),
      ("{\"header\":\n", "[", "has no end within a megabyte"),
    ])
  func endless(_ start: String, _ filling: String, _ reason: String) throws {
    let scratch = try ScratchFolder()
    let piece = Array(String(repeating: filling, count: (1 << 20) / filling.utf8.count).utf8)
    do {
      let file = try File(scratch["endless"], .create)
      try file.write(Array(start.utf8))
      for _ in 0..<100 { try file.write(piece) }
    }
    var file = try SampleFile(scratch["endless"])
    let error = #expect(throws: ImportError.self) {
      while try file.next() != nil {}
    }
    #expect("\(try #require(error))".contains(reason))
    // Nothing is held but what was read.
    #expect(file.position < 4 << 20)
  }
}
