import Basics
import Bundles
import Quantities
import Sensors
import TestSupport
import Testing

@testable import Laboratory
@testable import Study

@Suite("Settings files")
struct StationSettingsTests {
  @Test("Every member is read")
  func whole() throws {
    let settings = try Self.read(
      #""sensors":{"heartRate":"simulated","strap2":"lines:tcp://h:9","x-note":1},"speaker":"silent","#
        + #""outputLatency_ms":12.5,"language":"de","#
        + #""participants":"postgresql://h/b","x-note":[]"#)
    let sensors = try [
      SensorAssignment(name: "heartRate", address: SensorAddress("simulated")),
      SensorAssignment(name: "strap2", address: SensorAddress("lines:tcp://h:9")),
    ]
    #expect(
      settings
        == StationSettings(
          sensors: sensors, speaker: "silent", outputLatency: .microseconds(12_500), language: .german,
          participants: "postgresql://h/b"))
  }

  @Test("All members may be missing") func empty() throws { #expect(try Self.read("") == StationSettings()) }

  @Test(
    "A mistake is reported at its place",
    arguments: [
      (#""speeker":"silent""#, "/speeker", 1), (#""speaker":"""#, "/speaker", 1), (#""speaker":true"#, "/speaker", 1),
      (#""outputLatency_ms":-1"#, "/outputLatency_ms", 1), (#""outputLatency_ms":"5""#, "/outputLatency_ms", 1),
      (#""outputLatencies":[]"#, "/outputLatencies", 1), (#""markers":[]"#, "/markers", 1),
      (#""markers":["audio:0"]"#, "/markers/0", 1),
      (
        #""outputLatencies":{"a":{"latency_ms":3,"uncertainty_ms":1,"basis":"guess","date":"2026-03-31"}}"#,
        "/outputLatencies/a/basis", 1
      ),
      (#""outputLatencies":{"a":{"latency_ms":3,"basis":"loopback","date":"soon"}}"#, "/outputLatencies/a", 2),
      (#""participants":"""#, "/participants", 1),
      (#""participants":"postgresql://me:s3cret@h/b""#, "/participants", 1),
      (#""sending":"https://h""#, "/sending", 1), (#""sending":{}"#, "/sending", 1),
      (#""sending":{"to":"https://h","format":"xml"}"#, "/sending/format", 1),
      (#""sending":{"to":"https://h","insecure":1}"#, "/sending/insecure", 1),
      (#""sending":{"to":"/share","shared":1}"#, "/sending/shared", 1),
      (#""sending":{"to":"https://h","shared":true}"#, "/sending/shared", 1),
      (#""sending":{"to":"https://h","token":"s3cret"}"#, "/sending/token", 1),
      (#""language":"xx""#, "/language", 1), (#""sensors":[]"#, "/sensors", 1),
      (#""sensors":{"a":"simulatd"}"#, "/sensors/a", 1), (#""sensors":{"a=b":"simulated"}"#, "/sensors/a=b", 1),
      (#""sensors":{"a":"simulatd","b":2},"language":1"#, "/sensors/a", 3),
    ])
  func mistakes(members: String, path: String, count: Int) throws {
    let error = try #require(throws: ProtocolProblems.self) { try Self.read(members) }
    #expect(error.problems.count == count)
    #expect(error.problems.first?.path.description == path)
    #expect(error.problems.first?.place.line == 1)
  }

  @Test("The published schema has the reader's keys and languages")
  func schema() throws {
    let schema = try JSONReader.read(File.contents(of: "\(Repository.root)/protocols/settings.schema.json")).value
    guard case .object(let properties)? = schema["properties"] else { throw SettingsAbsent() }
    #expect(properties.keys.sorted() == StationSettings.keys.sorted())
    #expect(properties["format"]?["const"]?.string == StationSettings.format)
    #expect(
      properties["sending"]?["properties"]?["format"]?["enum"]?.array?.compactMap(\.string)
        == StationSettings.sendingForms)
    #expect(
      properties["language"]?["enum"]?.array?.compactMap(\.string) == Language.allCases.map(\.rawValue))
  }

  @Test("What is found of the monitor is kept beside the other settings; a delay is replaced where that is asked for")
  func monitor() throws {
    let scratch = try ScratchFolder()
    try Self.write(#""language":"fr""#, to: "\(scratch.path)/station")
    let path = "\(scratch.path)/station/station.json"
    let date = try #require(CalendarDate("2026-03-31"))
    func kept() throws -> MonitorFacts? { try AppliedSettings.settings(at: path)?.monitor?.facts }
    func keep(_ facts: MonitorFacts, replacing: Bool = false) throws {
      try StationSettings.write(.init(facts, on: date), to: path, replacing: replacing)
    }
    let (delay, other) = (
      MonitorFacts.Delay(.microseconds(21500), uncertainty: .milliseconds(9)),
      MonitorFacts.Delay(.milliseconds(5), uncertainty: .milliseconds(1))
    )
    try keep(MonitorFacts(width: 527))
    try keep(MonitorFacts(delay: delay))
    #expect(try kept() == MonitorFacts(delay: delay, width: 527))
    #expect(throws: StationSettings.MonitorRefusal.self) { try keep(MonitorFacts(delay: other)) }
    try keep(MonitorFacts(width: 600))
    #expect(try kept() == MonitorFacts(delay: delay, width: 600))
    try keep(MonitorFacts(delay: other), replacing: true)
    #expect(try kept() == MonitorFacts(delay: other, width: 600))
    #expect(try AppliedSettings.settings(at: path)?.language == .french)
  }

  @Test("The results folder's file wins over the user's, member by member and sensor by sensor")
  func order() throws {
    let scratch = try ScratchFolder()
    try Self.write(#""sensors":{"a":"simulated"},"language":"fr""#, to: "\(scratch.path)/results")
    try Self.write(
      #""sensors":{"a":"simulated:seed=1","b":"simulated:seed=2"},"language":"de","speaker":"desk""#,
      to: "\(scratch.path)/station")
    let applied = try AppliedSettings(results: "\(scratch.path)/results") {
      $0 == "XDG_CONFIG_HOME" ? scratch.path : nil
    }
    #expect(applied.sensors.map(\.value.address.text) == ["simulated", "simulated:seed=2"])
    #expect(applied.sensors.map(\.file.owner) == [.results, .user])
    #expect(applied.language?.value == .french)
    #expect(applied.speaker?.value == "desk")
    #expect(applied.speaker?.file.owner == .user)
    #expect(applied.outputLatency == nil && applied.participants == nil)
    #expect(try applied.assignment("heartRate=b").address.text == "simulated:seed=2")
    #expect(try applied.assignment("heartRate=simulated").name == "heartRate")
  }

  @Test(
    "The user's file is in XDG_CONFIG_HOME, else in the home folder",
    arguments: [
      (["XDG_CONFIG_HOME": "/c", "HOME": "/h"], "/c/station/station.json"),
      (["XDG_CONFIG_HOME": "c", "HOME": "/h"], "/h/.config/station/station.json"),
      (["HOME": "/h"], "/h/.config/station/station.json"), ([:], nil),
    ])
  func place(variables: [String: String], path: String?) {
    #expect(AppliedSettings.userFile { variables[$0] } == path)
  }

  @Test("A missing file is none; a folder and a file that is too large are errors")
  func unreadable() throws {
    let scratch = try ScratchFolder()
    let read = { try AppliedSettings(results: scratch.path) { _ in nil } }
    let path = "\(scratch.path)/station.json"
    #expect(try read().files.map { $0.settings == nil } == [true])
    try Folder.create(path)
    #expect(throws: SettingsError.self) { try read() }
    try Folder.removeTree(path)
    try File.createWhole(path, Array(repeating: 32, count: StationSettings.maxFile + 1))
    #expect(throws: SettingsError.self) { try read() }
  }

  @Test("Every language has every phrase, and the number of seconds in its announcement", arguments: Language.allCases)
  func languages(language: Language) {
    for phrase in Phrase.allCases { #expect(!language.text(of: phrase).isEmpty) }
    #expect(Phrases(language: language).remaining(seconds: 30).contains("30"))
    #expect(Phrases([.end: "Own"], language: language)[.end] == "Own")
    let phrases = Phrases(language: language)
    #expect(phrases.remaining(seconds: 1) == phrases[.secondRemaining])
    #expect(Phrases([.secondsRemaining: "{seconds} left"], language: language).remaining(seconds: 1) == "1 left")
  }

  private static func read(_ members: String) throws -> StationSettings {
    let text = #"{"format":"station.settings/1""# + (members.isEmpty ? "" : ",\(members)") + "}"
    return try StationSettings(Array(text.utf8), fileName: "station.json")
  }

  private static func write(_ members: String, to folder: String) throws {
    try Folder.ensure(folder)
    try File.createWhole("\(folder)/station.json", Array(#"{"format":"station.settings/1",\#(members)}"#.utf8))
  }
}

private struct SettingsAbsent: Error {}
