import Basics
import Quantities
import Recordings
import Testing

@Suite("Open mHealth data points")
struct OpenMHealthTests {
  static let id = "243c773b-8936-407e-9c23-270d0ea49cc4"

  private static let rate = #""heart_rate":{"value":61,"unit":"beats/min"}"#

  /// A data point.
  static func point(
    _ schema: String = "heart-rate", _ member: String = #""heart_rate":{"value":61,"unit":"beats/min"}"#,
    frame: String = #"{"date_time":"2026-11-20T11:00:00+01:00"}"#, id: String? = OpenMHealthTests.id
  ) -> String {
    """
    {"header":{\(id.map { "\"id\":\"\($0)\"," } ?? "")"creation_date_time":"2026-11-20T10:00:05Z","user_id":"P01",
    "schema_id":{"namespace":"omh","name":"\(schema)","version":"2.0"},
    "acquisition_provenance":{"source_name":"strap","modality":"sensed"}},
    "body":{\(member),"effective_time_frame":\(frame),"temporal_relationship_to_physical_activity":"at rest"}}
    """
  }

  @Test("A document, one a line, several one after another and an array give the same samples")
  func shapes() throws {
    let point = Self.point()
    let line = point.replacing("\n", with: "")
    for text in [
      point, line, line + "\n" + line + "\n", line + "\n\n  \n" + line, "[\(point)]",
      "\u{FEFF} [\n\(point) ,\n\(line)\n]\n",
      point + "\n" + point, line + line,
    ] {
      let whole = try Whole(text: text)
      #expect(whole.error == nil, "\(text)")
      #expect(whole.report.problems == [], "\(text)")
      let sample = try #require(whole.samples.first)
      #expect(sample.uuid.description == Self.id)
      #expect(sample.type == .heartRate)
      let rate = try sample.value(in: .countPerMinute)
      #expect(abs(rate - 61) < 1e-12)
      #expect(sample.start == WallTime("2026-11-20T10:00:00Z"))
      #expect(sample.sourceRevision.source.name == "strap")
      #expect(sample.metadata["temporal_relationship_to_physical_activity"] == .string("at rest"))
      #expect(sample.metadata["user_id"] == .string("P01"))
      #expect(Set(whole.samples).count == 1)
    }
    #expect(try Whole(text: "[]").samples.isEmpty)
  }

  @Test(
    "Each measure has its schema's unit",
    arguments: [
      ("step-count", #""step_count":{"value":120,"unit":"steps"}"#, QuantityType.stepCount, 120),
      ("step-count", #""step_count":120"#, .stepCount, 120),
      ("body-weight", #""body_weight":{"value":70000,"unit":"g"}"#, .bodyMass, 70),
      ("body-height", #""body_height":{"value":187,"unit":"cm"}"#, .height, 1.87),
      ("rr-interval", #""rr_interval":{"value":0.8125,"unit":"sec"}"#, .rrInterval, 812.5),
      ("oxygen-saturation", #""oxygen_saturation":{"value":98,"unit":"%"}"#, .oxygenSaturation, 0.98),
      ("respiratory-rate", #""respiratory_rate":{"value":15,"unit":"breaths/min"}"#, .respiratoryRate, 0.25),
      ("body-mass-index", #""body_mass_index":{"value":20.5,"unit":"kg/m2"}"#, .bodyMassIndex, 20.5),
    ])
  func measures(_ schema: String, _ member: String, _ type: QuantityType, _ value: Double) throws {
    let whole = try Whole(text: Self.point(schema, member))
    #expect(whole.report.problems == [])
    let sample = try #require(whole.samples.first)
    #expect(sample.type == type)
    #expect(abs(sample.value - value) < 1e-12)
  }

  @Test(
    "Members of the body that are not read are counted and named, and a text of notes is kept",
    arguments: [
      (#""user_notes":"after lunch""#, nil),
      (#""user_notes":3,"foo":1"#, "the body's “foo”, “user_notes” are not read"),
      (#""foo":{"bar":1}"#, "the body's “foo” is not read"),
      (#""descriptive_statistic":null"#, "the body's “descriptive_statistic” is not read"),
    ])
  func unread(members: String, note: String?) throws {
    let point = Self.point("heart-rate", #""heart_rate":{"value":61,"unit":"beats/min"},"# + members)
    let whole = try Whole(text: point + "\n" + Self.point())
    #expect(whole.samples.count == 2 && whole.report.refused == 0)
    #expect(whole.report.noted == (note == nil ? 0 : 1))
    #expect(whole.report.notes.map(\.reason) == [note].compactMap(\.self))
    #expect(whole.samples.first?.metadata["user_notes"] == (note == nil ? .string("after lunch") : nil))
  }

  @Test("A time interval has two of start, end and duration")
  func intervals() throws {
    let start = #""start_date_time":"2026-11-20T10:00:00Z""#
    let end = #""end_date_time":"2026-11-20T10:01:30Z""#
    let duration = #""duration":{"value":1.5,"unit":"min"}"#
    for pair in ["\(start),\(end)", "\(start),\(duration)", "\(end),\(duration)"] {
      let sample = try #require(try Whole(text: Self.point(frame: "{\"time_interval\":{\(pair)}}")).samples.first)
      #expect(sample.start == WallTime("2026-11-20T10:00:00Z"))
      #expect(sample.end == WallTime("2026-11-20T10:01:30Z"))
    }
  }

  @Test(
    "A data point that cannot be read costs no other, and is told with its line",
    arguments: [
      (OpenMHealthTests.point(frame: #"{"date_time":"2026-11-20T11:00:00"}"#), "the time \"2026-11-20T11:00:00\""),
      (
        OpenMHealthTests.point(frame: #"{"time_interval":{"date":"2026-11-20","part_of_day":"morning"}}"#),
        "time interval"
      ),
      (
        OpenMHealthTests.point("heart-rate", #""heart_rate":{"value":61,"unit":"count/min"}"#),
        "its schema has “beats/min”"
      ),
      (
        OpenMHealthTests.point("heart-rate", #""heart_rate":{"value":"61","unit":"beats/min"}"#), "without “heart_rate”"
      ),
      (OpenMHealthTests.point("heart-rate", #""heart_rate":{"value":-1,"unit":"beats/min"}"#), "below zero"),
      (#"{"header":{},}"#, "no trailing commas"), (#"{"a":1,"a":2}"#, "is given twice"),
    ])
  func refused(_ point: String, _ reason: String) throws {
    let good = Self.point().replacing("\n", with: "")
    let whole = try Whole(text: "\(good)\n\(point.replacing("\n", with: ""))\n\(good)\n")
    #expect(whole.samples.count == 2)
    #expect(whole.report.refused == 1)
    #expect(whole.report.problems.first?.line == 2)
    #expect(whole.report.problems.first?.reason.contains(reason) == true, "\(whole.report.problems)")
    let array = try Whole(text: "[\(good),\n\n\(point)\n,\(good)]")
    #expect(array.samples.count == 2)
    #expect(array.report.refused == 1)
  }

  @Test("Schemas for which the station has no place are counted by name")
  func leftOut() throws {
    let whole = try Whole(text: "[\(Self.point("blood-pressure")),\(Self.point()),{\"x\":1},3]")
    #expect(whole.report.leftOut == ["blood-pressure": 1, "a document without a schema": 2])
    #expect(whole.samples.count == 1)
  }

  @Test("A mean stands for readings; a minimum, a spread or a sum of rates does not, and is counted by name")
  func statistics() throws {
    func point(_ statistic: String, _ id: String) -> String {
      Self.point("heart-rate", Self.rate + ",\"descriptive_statistic\":\"\(statistic)\"", id: id)
    }
    let steps = Self.point("step-count", #""step_count":120,"descriptive_statistic":"sum""#, id: "s")
    let meanSteps = Self.point("step-count", #""step_count":120,"descriptive_statistic":"average""#, id: "m")
    let points = [point("average", "a"), point("median", "b"), point("standard deviation", "c"), point("maximum", "d")]
    let whole = try Whole(text: "[" + (points + [steps, meanSteps]).joined(separator: ",") + "]")
    #expect(whole.samples.map(\.type) == [.heartRate, .heartRate, .stepCount])
    #expect(
      whole.report.leftOut == [
        "heart-rate (standard deviation)": 1, "heart-rate (maximum)": 1, "step-count (average)": 1,
      ])
  }

  @Test("A user whose name is a participant's code is that participant, unless another one is said")
  func users() throws {
    let named = try #require(try Whole(text: Self.point()).samples.first)
    #expect(named.metadata.participant == "P01")
    let mail = Self.point().replacing("P01", with: "anna@example.org")
    let unnamed = try #require(try Whole(text: mail).samples.first)
    #expect(unnamed.metadata.participant == nil)
    let told = try #require(
      try Whole(text: Self.point(), options: ImportOptions(participant: "P02")).samples.first)
    #expect(told.metadata.participant == "P02")
  }

  @Test("A file that is cut anywhere gives what came before the cut, and says so")
  func cut() throws {
    let point = Self.point()
    let text = "[\n" + Array(repeating: point, count: 8).joined(separator: ",\n") + "\n]\n"
    for size in stride(from: 1, to: text.utf8.count - 2, by: 97) {
      let whole = try Whole(text: String(decoding: text.utf8.prefix(size), as: UTF8.self))
      #expect(whole.error != nil || whole.report.refused > 0, "cut at \(size)")
      #expect(whole.samples.count >= max(0, size - 2) / (point.utf8.count + 2) - 1)
    }
  }

  @Test("A document without an identifier has one that follows from what it says")
  func identity() throws {
    let texts = [Self.point(id: nil), Self.point(id: nil), Self.point(id: "a"), Self.point(id: "b")]
    let uuids = try Whole(text: "[" + texts.joined(separator: ",") + "]").samples.map(\.uuid)
    #expect(uuids[0] == uuids[1])
    #expect(Set(uuids).count == 3)
  }
}
