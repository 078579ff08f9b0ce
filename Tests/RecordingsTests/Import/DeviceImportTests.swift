import Basics
import Quantities
import Recordings
import SampleStore
import TestSupport
import Testing

@Suite("Imported files of watches, chest straps and their programs")
struct DeviceImportTests {
  /// A track with a heart rate a second.
  static func gpx(seconds: Int, zone: String = "Z") -> String {
    "<gpx creator=\"Test\"><trk><name>Home</name><trkseg>\n"
      + (0..<seconds).map { second in
        "<trkpt lat=\"52.37\" lon=\"4.89\"><time>2026-11-20T10:00:\(second < 10 ? "0" : "")\(second)\(zone)</time>"
          + "<extensions><a:hr xmlns:a=\"x\">\(60 + second)</a:hr></extensions></trkpt>\n"
      }.joined() + "</trkseg></trk></gpx>\n"
  }

  private let amsterdam = ImportOptions(localTime: .offset(.seconds(3600)), participant: "p01")

  @Test("Heart rates become samples at their times, beats a heartbeat series", arguments: DeviceFiles.written)
  func samples(format: String) throws {
    let scratch = try ScratchFolder()
    try File.create(scratch["file"], try DeviceFiles.bytes(format))
    let whole = try Whole(scratch["file"], options: ImportOptions(participant: "p01"))
    #expect(whole.error == nil && whole.report.refused == 0)
    let peers = try DeviceFiles.readings(format)
    let rates = try #require(peers.values.first?["rates"]?.array).compactMap(\.array)
    #expect(whole.samples.map { Double($0.start.milliseconds) / 1000 } == rates.compactMap { $0.first?.number })
    #expect(try whole.samples.map { try $0.value(in: .countPerMinute) } == rates.compactMap { $0.last?.number })
    #expect(whole.samples.allSatisfy { $0.metadata.participant == "p01" && $0.type == .heartRate })
    #expect(Set(whole.samples.map(\.uuid)).count == whole.samples.count)
    #expect(whole.report.leftOut == (format == "gpx" ? ["points without a heart rate": 12] : [:]))
    let beats = whole.series.flatMap(\.beats)
    #expect(whole.series.count == (format == "fit" ? 1 : 0) && (beats.count > 140) == (format == "fit"))
    // The same file again has the same samples, and those of another participant are others.
    #expect(try Whole(scratch["file"], options: ImportOptions(participant: "p01")).samples == whole.samples)
    let other = try Whole(scratch["file"], options: ImportOptions(participant: "p02"))
    #expect(Set(other.samples.map(\.uuid)).isDisjoint(with: whole.samples.map(\.uuid)))
  }

  @Test(
    "Local times need a time zone",
    arguments: [
      DeviceFiles.polarHRM(interval: 1, ["70", "71"]), DeviceFiles.polarFlow(["70", "71"]),
      DeviceFiles.polarFlow(date: "2026-11-20", ["70", "71"]), Self.gpx(seconds: 2, zone: ""),
    ])
  func local(text: String) throws {
    let refused = try Whole(text: text)
    #expect(refused.samples.isEmpty)
    #expect("\(try #require(refused.error))".contains("--time-zone"))
    let whole = try Whole(text: text, options: amsterdam)
    #expect(whole.error == nil)
    #expect(whole.samples.map(\.start) == ["00", "01"].compactMap { WallTime("2026-11-20T09:00:\($0)Z") })
  }

  @Test("Intervals of a Polar HRM file become beats with their gaps")
  func intervals() throws {
    let text = DeviceFiles.polarHRM(interval: 238, ["800", "810", "0", "790"])
    let whole = try Whole(text: text, options: amsterdam)
    let series = try #require(whole.series.first)
    #expect(series.start == WallTime("2026-11-20T09:00:00Z"))
    #expect(series.beats.map(\.timeSinceStart) == [800, 1610, 2400].map { .milliseconds($0) })
    #expect(series.beats.map(\.isPrecededByGap) == [false, false, true])
  }

  @Test("What lies before the end of an incomplete FIT file is imported, and the end reported")
  func incomplete() throws {
    let scratch = try ScratchFolder()
    try File.create(scratch["file"], Array(try DeviceFiles.bytes("fit").dropLast(1000)))
    let whole = try Whole(scratch["file"])
    #expect(whole.samples.count > 20)
    #expect("\(try #require(whole.error))".contains("ends in the middle"))
  }

  @Test(
    "A track with something after its end is refused, as by an analysis",
    arguments: ["garbage", "<gpx></gpx>", Self.gpx(seconds: 5)])
  func following(text: String) throws {
    let whole = try Whole(text: Self.gpx(seconds: 5) + text)
    #expect(whole.error != nil && whole.samples.isEmpty)
    let scratch = try ScratchFolder()
    try File.create(scratch["file"], Array((Self.gpx(seconds: 5) + text).utf8))
    #expect(throws: RecordingError.self) { try HeartRecording.read(path: scratch["file"]) }
    #expect(try Whole(text: Self.gpx(seconds: 5) + "\n<!-- end -->\n").samples.count == 5)
  }

  @Test("Times of day in a table need the day of the first row")
  func timesOfDay() throws {
    let text = "time,hr\n23:59:59.5,60\n00:00:00.5,61\n"
    let refused = try Whole(text: text, options: amsterdam)
    #expect(refused.samples.isEmpty && refused.report.problems.first?.reason.contains("--date") == true)
    var options = amsterdam
    options.date = CalendarDate("2026-11-20")
    let whole = try Whole(text: text, options: options)
    #expect(
      whole.samples.map(\.start) == ["2026-11-20T22:59:59.5Z", "2026-11-20T23:00:00.5Z"].compactMap { WallTime($0) })
  }

  @Test("Polar Sensor Logger's heart rates and intervals are imported")
  func sensorLogger() throws {
    let rates = try Whole(
      text: "Phone timestamp;HR [bpm];HRV [ms];Breathing interval [rpm];\n2026-11-20T10:00:00.752;64;42.5;;\n",
      options: amsterdam)
    #expect(rates.samples.map(\.value) == [64.0 / 60] && rates.report.problems == [])
    let intervals = try Whole(
      text: "Phone timestamp;RR-interval [ms]\n2026-11-20T10:00:00.800;800\n", options: amsterdam)
    #expect(intervals.samples.first?.type == .rrInterval)
    let pulses = try Whole(
      text: "Phone timestamp;PP-interval [ms];error estimate [ms];blocker;contact;contact;hr [bpm];\n"
        + "2026-11-20T10:00:00.800;800;5;0;1;1;0;\n", options: amsterdam)
    #expect(pulses.samples.map(\.type) == [.rrInterval] && pulses.report.problems == [])
  }

  @Test("No place reaches a sample, a report or the store", arguments: DeviceFiles.written)
  func places(format: String) async throws {
    let scratch = try ScratchFolder()
    try File.create(scratch["file"], try DeviceFiles.bytes(format))
    let whole = try Whole(scratch["file"])
    var text = ""
    dump((whole.samples, whole.series, whole.report), to: &text)
    let store = try await SampleStore.sqlite(scratch["store.sqlite"], site: "lab")
    _ = try await store.save(whole.samples, series: whole.series, whenPresent: .keep)
    for name in try Folder.names(in: scratch.path) where name.hasPrefix("store") {
      text += String(decoding: try File.contents(of: scratch[name]), as: UTF8.self)
    }
    // 52.3 degrees are 623975773 of FIT's units.
    for word in ["52.30", "62397", "Home", "305419896"] { #expect(!text.contains(word), "“\(word)”") }
  }

  @Test("A damaged archive is refused or gives what it holds, and never ends the program")
  func damagedArchive() throws {
    let scratch = try ScratchFolder()
    try Folder.ensure(scratch["apple_health_export"])
    try File.create(scratch["apple_health_export/export.xml"], Array(Export.text(Export.many(60)).utf8))
    let (status, _, error) = try Program.run(
      Repository.python, ["-m", "zipfile", "-c", scratch["export.zip"], scratch["apple_health_export"]])
    #expect(status == 0, "\(error)")
    // Python's module does not compress; `zip` does.
    let (packed, _, words) = try Program.run(
      "zip", ["-q", "-r", scratch["packed.zip"], scratch["apple_health_export"]])
    #expect(packed == 0, "\(words)")
    var generator = SplitMix64(seed: 15)
    for (name, cases) in [("export.zip", 300), ("packed.zip", 700)] {
      let whole = try File.contents(of: scratch[name])
      var (read, refused) = (0, 0)
      for index in 0..<cases {
        var bytes = whole
        for _ in 0...index % 3 {
          // Half of the changes are in the directory at the end.
          let range = index % 2 == 0 ? bytes.count : 200
          let place = bytes.count - 1 - Int(generator.next() % UInt64(range))
          bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        }
        if index % 10 == 9 { bytes.removeLast(Int(generator.next() % UInt64(bytes.count - 10))) }
        let path = scratch["damaged-\(index)"]
        try File.create(path, bytes)
        defer { try? Folder.removeFile(path) }
        do throws(ImportError) {
          let found = try Whole(path)
          #expect(found.samples.count <= 60)
          if found.error == nil { read += 1 } else { refused += 1 }
        } catch {
          #expect(!"\(error)".isEmpty)
          refused += 1
        }
      }
      #expect(read + refused == cases && refused > cases / 3)
    }
  }
}
