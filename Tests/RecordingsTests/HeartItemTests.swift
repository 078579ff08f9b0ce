import Basics
import Quantities
import Testing

@testable import Recordings

@Suite("Items of a heart file")
struct HeartItemTests {
  private func read(_ text: String) throws -> [HeartItem] {
    var reader = HeartFileReader()
    return try reader.take(Array(text.utf8), isLast: true)
  }

  @Test("are read as they were written, and every member that is written is known")
  func roundTrip() throws {
    let start = WallTime(milliseconds: 1_763_636_911_250)
    var writer = HeartItemWriter()
    let recorder = HeartItemWriter.Recorder(
      identifier: "heart “rate”", source: "strap", step: "music", type: .heartRate, unit: .countPerMinute)
    func sample(_ sequence: Int, _ contact: Bool?, _ intervals: [Double]) -> HeartItemWriter.Sample {
      HeartItemWriter.Sample(
        arrived: 7, time: -1_250_000_000, startDate: start, endDate: start.advanced(by: .seconds(1)), value: 61.5,
        isLate: contact == nil, contact: contact, intervals: intervals, senderTime: contact == nil ? 12.5 : nil,
        sequence: sequence)
    }
    var bytes = HeartItemWriter.opening
    bytes += writer.item(sample(3, nil, [980, 488.28125]), of: recorder)
    bytes += writer.item(sample(4, false, []), of: recorder)
    bytes += writer.closing
    var reader = HeartFileReader()
    let items = try reader.take(bytes, isLast: true)
    try #require(items.count == 2)
    #expect(items.map(\.sequence) == [3, 4] && items.map(\.line) == [2, 3])
    #expect(items.map(\.intervals) == [[980, 488.28125], []])
    #expect(items.map(\.contact) == [nil, false] && items.map(\.isLate) == [true, false])
    #expect(items.map(\.senderTime) == [12.5, nil])
    for item in items {
      #expect(item.time == -1_250_000_000 && item.value == 61.5 && item.isListed && item.fault == nil)
      #expect(item.recorder.map { reader.texts[$0] } == "heart “rate”")
      #expect(item.source.map { reader.texts[$0] } == "strap")
      #expect(reader.value(of: item) == .rate(61.5))
    }
    let written = try #require(JSONReader.read(bytes).value["items"]?.array?.first?.object)
    // What is false or not known is not written.
    let names = HeartItem.Key.allCases.map(\.name)
    #expect(Set(written.keys) == Set(names).subtracting(["contact"]))
    #expect(names == names.sorted())
  }

  @Test("say the same in any order and spelling", arguments: 0..<4)
  func spellings(_ number: Int) throws {
    let texts = [
      #"{"type":"heartRate","unit":"count/min","value":72,"t_ns":5,"rr_ms":[830,841.5],"seq":9,"contact":true}"#,
      #"{"contact" : true, "seq":9.0,"rr_ms":[ 830 , 8415e-1 ],"t_ns":5e0,"value":72,"unit":"count/min","type":"heartRate"}"#,
      #"{"contact":true,"late":false,"other":{"t_ns":7},"seq":9,"rr_ms":[830,841.5],"t_ns":5,"value":72,"unit":"count/min","type":"heartRate"}"#,
      #"{"sender_s":null,"contact":true,"seq":9,"rr_ms":[830,841.5],"t_ns":5,"value":72,"unit":"count\/min","type":"heartR\u0061te"}"#,
    ]
    var reader = HeartFileReader()
    let item = try #require(try reader.take(Array(texts[number].utf8), isLast: true).first)
    #expect(item.fault == nil && !item.isListed)
    #expect(reader.value(of: item) == .rate(72))
    #expect(item.time == 5 && item.intervals == [830, 841.5] && item.sequence == 9 && item.contact == true)
  }

  @Test(
    "that are none say why",
    arguments: [
      ("3", "it is not an object"), (#"{"seq":"a"}"#, "“seq” is not a number"),
      (#"{"contact":1}"#, "“contact” is not true or false"),
      (#"{"rr_ms":830}"#, "“rr_ms” is not a list of numbers"),
      (#"{"rr_ms":[830,"a"]}"#, "“rr_ms” is not a list of numbers"),
      (#"{"type":7}"#, "“type” is not a text"), (#"{"late":"yes","value":true}"#, "“late” is not true or false"),
    ])
  func faults(text: String, fault: String) throws {
    let items = try read("[\(text)]")
    #expect(items.map(\.fault) == [fault])
  }

  @Test(
    "are values of a heart in beats a minute or milliseconds, or say why not",
    arguments: [
      ("heartRate", "count/s", 1.25, .rate(75)), ("HKQuantityTypeIdentifierHeartRate", "count/min", 61, .rate(61)),
      ("rrInterval", "s", 0.75, .interval(750)), ("rrInterval", "ms", 812.5, .interval(812.5)),
      ("rrInterval", "kg", 1, .none("“kg” is not a unit of rrInterval")),
      ("steps", "count", 1, .none("its type “steps” is not known")),
      ("stepCount", "count", 1, .other(.stepCount, .count)),
    ] as [(String, String, Double, HeartValue)])
  func values(type: String, unit: String, value: Double, expected: HeartValue) throws {
    var reader = HeartFileReader()
    let text = #"[{"type":"\#(type)","unit":"\#(unit)","value":\#(value)}]"#
    let item = try #require(try reader.take(Array(text.utf8), isLast: true).first)
    #expect(reader.value(of: item) == expected)
  }

  @Test("are true when their last interval ended: t_ns, else their end, else their beginning and the interval")
  func times() throws {
    let dates = #""startDate":"2026-11-20T10:00:00Z","endDate":"2026-11-20T10:00:00.900Z""#
    let start = #""startDate":"2026-11-20T10:00:00Z""#
    let text = """
      [{\(dates),"type":"rrInterval","unit":"ms","value":900},
       {\(start),"type":"rrInterval","unit":"s","value":0.8},
       {\(start),"type":"heartRate","unit":"count/min","value":70},
       {\(dates),"t_ns":123,"type":"rrInterval","unit":"ms","value":900},
       {"startDate":"yesterday","type":"heartRate","unit":"count/min","value":70}]
      """
    var reader = HeartFileReader()
    // Dates count from the first.
    let times = try reader.take(Array(text.utf8), isLast: true).map { reader.time(of: $0) }
    #expect(times == [0, -100_000_000, -900_000_000, 123, nil])
    #expect(reader.zero == WallTime("2026-11-20T10:00:00.900Z"))
  }

  @Test("come as the bytes come, however these are cut")
  func pieces() throws {
    let items = (0..<50).map { #"{"seq":\#($0),"t_ns":\#($0 + 1)000,"source":"ü“\#($0 % 3)”"}"# }
    let text = Array("{\"a\":1,\"items\":[\n\(items.joined(separator: ",\n"))]}".utf8)
    let whole = try read(String(decoding: text, as: UTF8.self))
    #expect(whole.count == 50 && whole.allSatisfy(\.isListed))
    for size in [1, 7, 64] {
      var reader = HeartFileReader()
      var pieces: [HeartItem] = []
      for start in stride(from: 0, through: text.count, by: size) {
        let end = min(start + size, text.count)
        pieces += try reader.take(Array(text[start..<end]), isLast: start + size > text.count)
      }
      #expect(pieces == whole, "in pieces of \(size)")
    }
  }

  @Test("that are not JSON are refused with their line")
  func broken() throws {
    let fault = try #require(throws: HeartFileReader.Fault.self) { try read("{\"items\":[\n{},\n{\"a\":1,}]}") }
    #expect(fault.line == 3 && fault.reason.contains("comma"))
    let unlisted = try read("{\"a\": 1,\n\"b\": 2}")
    #expect(unlisted.map(\.isListed) == [false])
  }
}
