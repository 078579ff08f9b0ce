import Basics
import Quantities
import Recordings
import TestSupport
import Testing

@Suite("Reading a file to its end")
struct SampleFileTests {
  @Test("Progress goes from piece to piece to the file's size")
  func progress() throws {
    let scratch = try ScratchFolder()
    try File.create(scratch["export.xml"], Array(Export.text(Export.many(8000)).utf8))
    var file = try SampleFile(scratch["export.xml"])
    var positions: [Int] = []
    var count = 0
    while let batch = try file.next() {
      positions.append(file.position)
      count += batch.samples.count
    }
    #expect(count == 8000)
    #expect(positions == positions.sorted())
    #expect(positions.count > 2)
    #expect(positions.last == file.size)
  }

  @Test("Heartbeats count in what is held at once: a file of series comes in many batches")
  func series() throws {
    let beats = (0..<50).map { beat in
      "<InstantaneousBeatsPerMinute bpm=\"64\" time=\"10:04:\(beat < 10 ? "0" : "")\(beat).61 PM\"/>"
    }
    let record = Export.record(
      type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", start: "2026-11-20 22:04:00 +0100",
      end: "2026-11-20 22:05:05 +0100", value: "45.5", inside: beats.joined())
    let scratch = try ScratchFolder()
    try File.create(scratch["export.xml"], Array(Export.text(Array(repeating: record, count: 2000)).utf8))
    var file = try SampleFile(scratch["export.xml"])
    var weights: [Int] = []
    while let batch = try file.next() { weights.append(batch.weight) }
    #expect(file.report.series == 2000)
    let whole = 2000 * (2 + 50 / 4)
    #expect(weights.reduce(0, +) == whole)
    #expect((weights.max() ?? 0) < 2048 + 1000)
  }

  @Test("A file that is not there is reported")
  func missing() throws {
    #expect(throws: ImportError.self) { try Whole("/nowhere/export.xml") }
  }

  @Test("The same as Python's ElementTree reads out of the same export")
  func elementTree() throws {
    let scratch = try ScratchFolder()
    try File.create(scratch["export.xml"], Array(Export.text(Export.many(3000)).utf8))
    let script = """
      import sys, datetime as d, xml.etree.ElementTree as E
      def t(text): return int(d.datetime.strptime(text, '%Y-%m-%d %H:%M:%S %z').timestamp() * 1000000)
      scale = {'count/min': 1 / 60, 'count': 1, 'km': 1000}
      for r in E.parse(sys.argv[1]).getroot().iter('Record'):
          value = float(r.get('value')) * scale[r.get('unit')]
          entries = ','.join(e.get('value') for e in r.iter('MetadataEntry'))
          print(r.get('type'), t(r.get('startDate')), t(r.get('endDate')), f'{value:.9f}', r.get('sourceName'), entries,
                sep='|')
      """
    let peer = try Program.run("python3", ["-c", script, scratch["export.xml"]], environment: ["PYTHONUTF8": "1"])
    #expect(peer.status == 0, "\(peer.error)")
    let expected = peer.output.split(separator: "\n").map(String.init)
    let ours = try Whole(scratch["export.xml"]).samples.map { sample in
      var context = ""
      if case .number(let number) = sample.metadata[Metadata.Key.heartRateMotionContext] { context = "\(Int(number))" }
      let fields = [
        sample.type.healthKitIdentifier, "\(sample.start.microseconds)", "\(sample.end.microseconds)",
        Self.nineDecimals(sample.value), sample.sourceRevision.source.name, context,
      ]
      return fields.joined(separator: "|")
    }
    #expect(ours.count == 3000)
    #expect(zip(ours, expected).first { $0 != $1 } == nil)
    #expect(ours.count == expected.count)
  }

  private static func nineDecimals(_ value: Double) -> String {
    let billionths = Int64((value * 1e9).rounded(.toNearestOrEven))
    let fraction = String(billionths % 1_000_000_000)
    return "\(billionths / 1_000_000_000)." + String(repeating: "0", count: 9 - fraction.count) + fraction
  }
}
