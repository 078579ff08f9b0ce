import Analysis
import Basics
import Recordings
import TestSupport
import Testing

@testable import Recordings

@Suite("Texts of intervals and tables")
struct TextAndTableTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func read(_ text: String, _ options: ReadingOptions = ReadingOptions()) throws -> [Recording] {
    let path = scratch["file-\(UInt32.random(in: 0 ... .max)).txt"]
    try File.create(path, Array(text.utf8))
    return try Recording.read(path: path, options)
  }

  private func refusal(_ text: String, _ options: ReadingOptions = ReadingOptions()) throws -> String {
    "\(try #require(throws: RecordingError.self) { try read(text, options) })"
  }

  @Test(
    "A text has an interval a line",
    arguments: [
      "800\n810.5\n790\n", "# device 7\n\n800\r\n810.5 # late\r\n\t790", "\u{FEFF}8e2\n810.50\n790.0\n",
      "rr_ms\n800\n810.5\n790\n",
      "RR (ms)\n800\n810.5\n790\n", "\"NN\"\n800\n810.5\n790\n",
    ])
  func texts(text: String) throws {
    let recordings = try read(text)
    #expect(recordings.count == 1)
    #expect(recordings[0].beats?.intervals == [800, 810.5, 790])
    #expect(recordings[0].beats?.breaks == [])
    #expect(recordings[0].caveats == [])
  }

  @Test("Seconds are taken where they are said to be, in a text, a table, or a column's name")
  func seconds() throws {
    let text = "0.8\n0.81\n0.79\n"
    for recordings in [
      try read(text, ReadingOptions(intervalUnit: .seconds)),
      try read("rr\n" + text, ReadingOptions(intervalUnit: .seconds)),
      try read("rr_s\n" + text),
    ] {
      let intervals = try #require(recordings[0].beats?.intervals)
      #expect(zip(intervals, [800.0, 810, 790]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
    }
  }

  @Test(
    "What looks like another unit is refused with the remedy",
    arguments: [
      ("0.8\n0.81\n0.79\n", ReadingOptions(), "looks like seconds; say so with --interval-unit s"),
      (
        "800\n810\n790\n", ReadingOptions(intervalUnit: .seconds),
        "looks like milliseconds; leave out --interval-unit s"
      ),
      ("72\n75\n71\n", ReadingOptions(), "looks like heart rates"),
      (
        "800\n810\n790\n0.8\n0.9\n0.85\n", ReadingOptions(),
        "its intervals are mixed: 3 look like milliseconds and 3 like seconds"
      ),
      ("9e7\n9e7\n", ReadingOptions(), "no heart beats like that"),
      ("time,rr\n1,0.8\n2,0.81\n3,0.79\n", ReadingOptions(), "--interval-unit s"),
      ("time,hr\n0,1.2\n1,1.2\n", ReadingOptions(), "the median heart rate is 1.2 count/min"),
      ("time,hr\n0,72\n1000,72\n2000,73\n", ReadingOptions(), "say so with --time-unit ms"),
      ("time,hr\n0,72\n0.001,72\n", ReadingOptions(timeUnit: .milliseconds), "looks like seconds"),
      ("rr_ms\n0.8\n0.81\n0.79\n", ReadingOptions(intervalUnit: .milliseconds), "looks like seconds; say so"),
      ("12,72\n13,73\n", ReadingOptions(), "a table needs a first row"),
      ("800,75\n810,74\n790,76\n", ReadingOptions(), "a table needs a first row"),
      ("853,8\n900.5\n", ReadingOptions(), "“900.5” in line 2 has a decimal point, and “853,8” in line 1 a comma"),
      ("0.8\n1.6\n2.5\n3.4\n", ReadingOptions(), "as the times of beats in seconds do; name their column “beat_s”"),
      ("800\n1600\n2500\n3400\n", ReadingOptions(), "name their column “beat_ms”"),
      ("beat\n800\n1600\n2500\n", ReadingOptions(), "--time-unit ms, or with --sampling-rate HZ"),
      ("r_peaks\n0\n40\n81\n", ReadingOptions(), "numbers of samples with --sampling-rate HZ"),
      ("time;rr\n0,854;853.8\n1,7;846.5\n", ReadingOptions(), "write all numbers alike"),
      ("time,hr\n2026-11-20T10:00:00Z,60\n1,61\n", ReadingOptions(), "line 3: its time is a number, and that of"),
      ("time,hr\n1,60\n2026-11-20T10:00:00Z,61\n", ReadingOptions(), "line 3: its time is a date, and that of line 2"),
      ("time,hr\n10 h,72\n10:61:01,73\n", ReadingOptions(), "none of its 2 rows can be used: line 2: the time"),
      ("rr_ms\nx\ny\n", ReadingOptions(), "none of its 2 rows can be used: line 2: the interval “x” is not a number"),
      ("0\n0\n", ReadingOptions(), "none of its 2 rows can be used: line 1: 0.0 is not an interval"),
    ])
  func units(text: String, options: ReadingOptions, reason: String) throws {
    #expect(try refusal(text, options).contains(reason))
  }

  @Test(
    "What is not a number is told with its line, and leaves a gap",
    arguments: [
      ("800\n810\noops\n790\n", "line 3: “oops” is not a number"),
      ("800\n810\n-5\n790\n", "line 3: -5.0 is not an interval"),
      ("800\n810\n0\n790\n", "line 3: 0.0 is not an interval"),
      ("800\n810\nnan\n790\n", "line 3: “nan” is not a number"),
    ])
  func lines(text: String, remark: String) throws {
    let recording = try #require(read(text).first)
    #expect(recording.beats?.intervals == [800, 810, 790])
    #expect(recording.beats?.breaks == [2])
    #expect(
      recording.caveats.map(\.description).contains { $0.contains(remark) }, "\(recording.caveats.map(\.description))")
  }

  @Test("A unit that is said is believed as long as a heart could beat like that")
  func believed() throws {
    let slow = try read("time,hr\n0,72\n300,73\n600,74\n", ReadingOptions(timeUnit: .seconds))
    #expect(slow.first?.rates.times == [0, 300, 600])
    let mouse = try read("100\n101\n99\n", ReadingOptions(intervalUnit: .milliseconds))
    #expect(mouse.first?.beats?.intervals == [100, 101, 99])
    #expect(try refusal("100\n101\n99\n").contains("are read with --interval-unit ms"))
    let ramp = (0..<12).map { "\(800 + $0)\n" }.joined()
    #expect(try read(ramp, ReadingOptions(intervalUnit: .milliseconds)).first?.beats?.count == 12)
  }

  @Test(
    "One interval in seconds among sixty in milliseconds is left out, and told with its line", arguments: [false, true])
  func stranger(isTable: Bool) throws {
    let lines = (0..<60).map { $0 == 30 ? "0.83" : "\(820 + $0 % 7)" }
    let recording = try #require(read((isTable ? "rr\n" : "") + lines.joined(separator: "\n")).first)
    #expect(recording.beats?.count == 59)
    #expect(recording.beats?.breaks == [30])
    let line = isTable ? 32 : 31
    #expect(
      recording.caveats == [
        .rowsDropped(
          count: 1, rows: 60, first: [.init(line: line, reason: "0.83 is in another unit than the other intervals")])
      ])
  }

  @Test(
    "A blank line between intervals is a missing beat, unless one follows each",
    arguments: [
      ("800\n810\n\n790\n\n", [2], 3), ("\n800\n810\n  \n\n790\n", [2], 4),
      ("800\n810\n\"\"\n790\n", [2], 3), ("rr\n800\n810\n\n790\n", [2], 4),
      ("rr\n800\n810\n\"\"\n790\n", [2], 4), ("800\n\n810\n\n790\n", [], nil),
      ("800\r\r\n810\r\r\n790\r\r\n", [], nil), ("800\n# a word\n810\n790\n", [], nil),
    ] as [(String, [Int], Int?)])
  func blank(text: String, breaks: [Int], line: Int?) throws {
    let recording = try #require(read(text).first)
    #expect(recording.beats?.intervals == [800, 810, 790])
    #expect(recording.beats?.breaks == breaks)
    #expect(recording.caveats == (line.map { [.blankLines(count: 1, first: [$0])] } ?? []))
  }

  @Test("Decimal commas in a text are read, and reported")
  func commas() throws {
    let recording = try #require(read("853,8\n900\n812,75\n").first)
    #expect(recording.beats?.intervals == [853.8, 900, 812.75])
    #expect(recording.caveats == [.decimalCommas(number: "853,8", line: 1)])
  }

  @Test(
    "Times of beats are read where a column says that they are",
    arguments: [
      ("r_peaks\n0.5\n1.3\n2.15\n6.15\n7\n", nil), ("beat_ms\n500\n1300\n2150\n6150\n7000\n", nil),
      ("Peak;x\n500;a\n1300;a\n2150;a\n6150;a\n7000;a\n", .milliseconds),
      ("beats\n1.3\n0.5\n2.15\n2.15\n6.15\n7\n", .seconds), ("peaks\n0.5\n1.3\n2.15\n\n6.15\n7\n", nil),
    ] as [(String, ReadingOptions.TimeUnit?)])
  func beatTimes(text: String, unit: ReadingOptions.TimeUnit?) throws {
    let beats = try #require(read(text, ReadingOptions(timeUnit: unit)).first?.beats)
    // Beats four seconds apart are parted by a gap.
    #expect(zip(beats.intervals, [800, 850, 850]).allSatisfy { ($0 - $1).magnitude < 1e-6 })
    #expect(beats.count == 3)
    #expect(beats.breaks == [2])
    #expect(beats.ends == [1.3, 2.15, 7])
  }

  @Test("A header of more columns than any table has is refused at once", arguments: [4096, 200_000])
  func tooWide(count: Int) throws {
    let header = "time,hr" + String(repeating: ",hr", count: count - 1)
    #expect(try refusal(header + "\n1,70\n").contains("line 1: more than 4096 columns"))
    #expect(try refusal("time,hr" + String(repeating: ",hr", count: 4094) + "\n").contains("two columns of rates"))
  }

  @Test("A beat that is not a number leaves a gap between those around it")
  func missingBeat() throws {
    let recording = try #require(read("beat_s,note\n1,a\n2,a\nNA,a\n4,a\n5,a\n").first)
    #expect(recording.beats?.intervals == [1000, 1000])
    #expect(recording.beats?.breaks == [1])
    #expect(recording.caveats.first == .rowsDropped(count: 1, rows: 5, first: [.init(line: 4, reason: "no time")]))
  }

  @Test(
    "What is neither text nor table is refused with what it should be",
    arguments: [
      ("hello\n800\n", "line 1: “hello” is neither an interval in milliseconds nor a column's name"),
      ("12,72\n13,73\n", "a table needs a first row such as “time,hr”"),
      ("time,mood\n1,2\n", "a table needs a first row such as"),
      ("hr,mood\n72,good\n", "heart rates need their times"),
      ("time,hr,bpm\n1,72,72\n", "two columns of rates, “hr” and “bpm”"),
      ("time,hr\n1,\"72\n2,73\n", "line 2: a quote that is opened in this row is never closed"),
    ])
  func refused(text: String, reason: String) throws {
    let refusal = try refusal(text)
    #expect(refusal.contains(reason), "\(refusal)")
  }

  @Test(
    "Tables name their columns as people do",
    arguments: [
      "time,hr\n0,60\n1,61\n2,62\n", "Timestamp (ms);Heart Rate\n0;60\n1000;61\n2000;62\n",
      "t\tbpm\n0\t60\n1\t61\n2\t62\n", "time;hr\n0.0;60.0\n1.0;61.0\n2.0;62.0\n",
      "sep=;\ntime;hr\n0,0;60,0\n1,0;61,0\n2,0;62,0\n", "t\tbpm\n0\t60,0\n1,0\t61,0\n2\t62\n",
      "\"sep=,\"\r\ntime,hr\r\n0,\"60,0\"\r\n1,\"61,0\"\r\n2,62\r\n",
      "seconds,mood,heartRate\n0,x,60\n1,,61\n2,\"a,b\",62\n",
      "time,hr\n2026-11-20T10:00:00Z,60\n2026-11-20T10:00:01Z,61\n2026-11-20T10:00:02Z,62\n",
      "time,hr\n1763632800,60\n1763632801,61\n1763632802,62\n",
      "uuid,type,startDate,endDate,value,unit,sourceName\na,HKQuantityTypeIdentifierHeartRate,2026-11-20T09:59:59Z,"
        + "2026-11-20T10:00:00.000Z,60,count/min,strap\nb,heartRate,2026-11-20T10:00:01Z,2026-11-20T10:00:01Z,61,bpm,strap\n"
        + "c,heartRate,2026-11-20T10:00:02Z,2026-11-20T10:00:02Z,62,count/min,strap\n",
    ])
  func columns(text: String) throws {
    let recordings = try read(text)
    #expect(recordings.count == 1)
    #expect(recordings[0].rates.times == [0, 1, 2])
    #expect(zip(recordings[0].rates.values, [60.0, 61, 62]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
    #expect(recordings[0].beats == nil)
  }

  @Test("Intervals with times stand at them, with a gap where beats are lacking, and rows backwards are put in order")
  func timed() throws {
    let recording = try #require(read("time,rr_ms\n1,1000\n2,1000\n3,1000\n9,1000\n10,1000\n").first)
    #expect(recording.beats?.breaks == [3])
    #expect(recording.beats?.ends == [1, 2, 3, 9, 10])
    #expect(recording.caveats.map(\.description) == ["There is a gap of 5.0 s between beats."])
    let backwards = try #require(read("time,hr\n2,62\n1,61\n3,63\n").first)
    #expect(backwards.rates.values == [61, 62, 63])
    #expect(backwards.caveats == [.outOfOrder(count: 1, entry: .row)])
  }

  @Test("Sources of a table are recordings of their own; lost contact and broken rows are reported")
  func sources() throws {
    let recordings = try read(
      "time,hr,source,contact\n0,60,a,1\n0,90,b,1\n1,61,a,0\n1,91,b,true\n2,x,a,1\n3,62,a\n4,63,a,1\n")
    #expect(recordings.map(\.sensor) == ["a", "b"])
    #expect(recordings[0].rates.values == [60, 63])
    #expect(recordings[1].rates.values == [90, 91])
    let text = recordings[0].caveats.map(\.description).joined(separator: "\n")
    #expect(
      text.contains("Dropped 2 rows of 7: line 6: the heart rate “x” is not a number, line 7: 3 columns"),
      "\(text)")
    #expect(recordings[0].caveats.contains(.noSkinContact(count: 1, entry: .row)))
  }

  @Test("Rows that are there twice count once, and that is reported")
  func twice() throws {
    var time = 0.0
    let rows = (0..<60).map { row -> String in
      let interval = 800 + row * 37 % 100
      time += Double(interval) / 1000
      return "\((time * 1000).rounded() / 1000),\(interval)\n"
    }
    let expected = try #require(read("time,rr\n" + rows.joined()).first?.beats)
    for doubled in [rows.flatMap { [$0, $0] }, rows + rows] {
      let recording = try #require(read("time,rr\n" + doubled.joined()).first)
      #expect(recording.beats == expected)
      #expect(recording.caveats.contains(.repeated(count: 60, entry: .row)))
    }
    let once = try #require(read("time,rr\n" + rows.joined() + rows[59]).first)
    #expect(once.beats == expected)
    let rates = try #require(read("time,hr\n0,60\n0,60\n1,61\n").first)
    #expect(rates.rates.values == [60, 61])
    // Two beats of one length within a second are two.
    let together = (1...30).flatMap { ["\($0),500\n", "\($0),500\n"] }.joined()
    #expect(try read("time,rr\n" + together).first?.beats?.count == 60)
  }

  @Test("Rates and intervals of a table that contradict each other are reported")
  func contradiction() throws {
    let rows = (1...60).map { "\(Double($0) * 0.8),150,800\n" }.joined()
    let recording = try #require(read("time,hr,rr_ms\n" + rows).first)
    #expect(recording.caveats.contains(.ratesContradictIntervals(ratio: 2)))
    let agreeing = try #require(read("time,hr,rr_ms\n" + rows.replacing("150", with: "75")).first)
    #expect(agreeing.caveats == [])
  }

  @Test("Times of rows stand as they are, but for one that is early by itself; rounded ones make no gaps")
  func times() throws {
    let exact = (1...200).map { "\($0 == 100 ? 79.6 : Double($0 * 8) / 10),800\n" }
    let early = try #require(read("time,rr\n" + exact.joined()).first?.beats)
    #expect(early.count == 200)
    #expect(early.breaks == [])
    for (place, end) in early.ends.enumerated() { #expect((end - Double(place + 1) * 0.8).magnitude < 1e-9) }
    let whole = (1...200).map { "\(Int((Double($0) * 0.83).rounded())),830\n" }
    let rounded = try #require(read("time,rr\n" + whole.joined()).first?.beats)
    #expect(rounded.count == 200)
    #expect(rounded.breaks == [])
    #expect((rounded.start + 0.5).magnitude <= 0.5)
  }

  @Test("Dates and clocks count from the beginning of the first interval, and other times keep their zero")
  func axis() throws {
    let rows = ["10:00:01", "10:00:02", "10:00:03"].map { "2026-11-20T\($0)Z,1000\n" }.joined()
    #expect(try read("time,rr\n" + rows).first?.beats?.ends == [1, 2, 3])
    #expect(try read("time,rr\n1763632801,1000\n1763632802,1000\n").first?.beats?.ends == [1, 2])
    #expect(try read("time,rr\n1001,1000\n1002,1000\n").first?.beats?.ends == [1001, 1002])
  }

  @Test("A table without a row whose sensor touched the skin holds no samples, and says why")
  func withoutContact() throws {
    let recording = try #require(read("time,hr,contact\n0,60,0\n1,61,0\n").first)
    #expect(recording.isEmpty)
    #expect(recording.caveats == [.noSamples, .noSkinContact(count: 2, entry: .row)])
  }
}
