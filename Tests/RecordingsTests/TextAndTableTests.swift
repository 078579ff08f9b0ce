import Analysis
import Files
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
    #expect(recordings[0].remarks == [])
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
      ("time,hr\n0,1.2\n1,1.2\n", ReadingOptions(), "no heart beats like that"),
      ("time,hr\n0,72\n1000,72\n2000,73\n", ReadingOptions(), "say so with --time-unit ms"),
      ("time,hr\n0,72\n0.001,72\n", ReadingOptions(timeUnit: .milliseconds), "looks like seconds"),
    ])
  func units(text: String, options: ReadingOptions, reason: String) throws {
    #expect(try refusal(text, options).contains(reason))
  }

  @Test(
    "What is no number is told with its line, and leaves a gap",
    arguments: [
      ("800\n810\noops\n790\n", "line 3: “oops” is not a number"),
      ("800\n810\n-5\n790\n", "line 3: -5.0 is no interval"),
      ("800\n810\n0\n790\n", "line 3: 0.0 is no interval"), ("800\n810\nnan\n790\n", "line 3: “nan” is not a number"),
    ])
  func lines(text: String, remark: String) throws {
    let recording = try #require(read(text).first)
    #expect(recording.beats?.intervals == [800, 810, 790])
    #expect(recording.beats?.breaks == [2])
    #expect(recording.remarks.contains { $0.contains(remark) }, "\(recording.remarks)")
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
      "t\tbpm\n0\t60\n1\t61\n2\t62\n",
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
    #expect(recording.remarks == ["There is a gap of 5.0 s between beats."])
    let backwards = try #require(read("time,hr\n2,62\n1,61\n3,63\n").first)
    #expect(backwards.rates.values == [61, 62, 63])
    #expect(backwards.remarks == ["One row is earlier than the row above; they are put in the order of time."])
  }

  @Test("Sources of a table are recordings of their own; lost contact and broken rows are told")
  func sources() throws {
    let recordings = try read(
      "time,hr,source,contact\n0,60,a,1\n0,90,b,1\n1,61,a,0\n1,91,b,true\n2,x,a,1\n3,62,a\n4,63,a,1\n")
    #expect(recordings.map(\.sensor) == ["a", "b"])
    #expect(recordings[0].rates.values == [60, 63])
    #expect(recordings[1].rates.values == [90, 91])
    let text = recordings[0].remarks.joined(separator: "\n")
    #expect(
      text.contains("2 rows are left out of 7: line 6: the heart rate “x” is not a number, line 7: 3 columns"),
      "\(text)")
    #expect(text.contains("One row is left out: the sensor did not touch the skin."))
  }
}
