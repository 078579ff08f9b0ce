import Basics
import Quantities
import TestSupport
import Testing

@testable import Study

@Suite("Steps of other files, and predefined ones")
struct StepExpansionTests {
  private static func files(_ contents: [String: String]) -> ProtocolFiles {
    ProtocolFiles { path in
      contents[path].map { .success(Array($0.utf8)) } ?? .failure(FileError("read", path, code: 2))
    }
  }

  private static func read(_ steps: String, _ contents: [String: String]) throws(ProtocolProblems) -> ReadProtocol {
    let text = #"{"format": "station.protocol/1", "identifier": "P", "version": "1", "steps": [\#(steps)]}"#
    return try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json", files: files(contents))
  }

  private static func file(_ steps: String) -> String { #"{"format": "station.steps/1", "steps": [\#(steps)]}"# }

  private static func rest(_ identifier: String, _ more: String = "") -> String {
    #"{"kind": "rest", "identifier": "\#(identifier)"\#(more)}"#
  }

  private static func include(_ path: String, _ more: String = "") -> String {
    #"{"include": "\#(path)"\#(more)}"#
  }

  private static func problems(_ steps: String, _ contents: [String: String]) -> [String] {
    do {
      _ = try read(steps, contents)
      return []
    } catch {
      return error.problems.map { "\($0.fileName) \($0.place) \($0.path)" }
    }
  }

  @Test func `Included steps come in the place of their inclusion, in files that include others too`() throws {
    let read = try Self.read(
      [Self.rest("a"), Self.include("scales/one.json"), Self.rest("z")].joined(separator: ","),
      [
        "scales/one.json": Self.file([Self.rest("b"), Self.include("sub/two.json")].joined(separator: ",")),
        "scales/sub/two.json": Self.file([Self.rest("c"), Self.include("../../three.json")].joined(separator: ",")),
        "three.json": Self.file(Self.rest("d")),
      ])
    #expect(read.studyProtocol.steps.map(\.identifier) == ["a", "b", "c", "d", "z"])
  }

  @Test func `A bundle's protocol holds the included steps, and is read without the files`() throws {
    let steps = [
      Self.include("one.json", #", "prefix": "x.""#),
      #"{"kind": "fitnessCheck", "identifier": "fit", "walkDuration": 60, "restDuration": 0}"#,
    ].joined(separator: ",")
    let read = try Self.read(steps, ["one.json": Self.file(Self.rest("b"))])
    let again = try StudyProtocolReader.read(read.selfContained, fileName: "again.json")
    #expect(again.studyProtocol == read.studyProtocol)
    #expect(again.selfContained == read.selfContained)
    let plain = try Self.read(Self.rest("a"), [:])
    #expect(plain.selfContained == plain.bytes)
  }

  @Test(
    "A problem is told with the file, line and path in which it was written",
    arguments: [
      ([include("one.json"), rest("z", #", "stepDuration": "1""#)], "p.json 1:155 /steps/1/stepDuration"),
      ([include("one.json"), include("bad.json")], "bad.json 1:93 /steps/0/stepDuration"),
      ([rest("a"), include("one.json"), rest("b1")], "p.json 1:170 /steps/2/identifier"),
      ([include("missing.json")], "p.json 1:91 /steps/0/include"),
      ([rest("a"), include("loop.json")], "loop.json 1:53 /steps/0/include"),
      ([include("../one.json")], "p.json 1:91 /steps/0/include"),
      ([include("/one.json")], "p.json 1:91 /steps/0/include"),
      ([include("one.json", #", "as": "b""#)], "p.json 1:103 /steps/0/as"),
      ([include("one.json", #", "prefix": "a b""#)], "p.json 1:113 /steps/0/prefix"),
      ([include("comma.json")], "comma.json 1:9 "), ([include("empty.json")], "empty.json 1:40 /steps"),
      ([include("version.json")], "version.json 1:12 /format"),
    ] as [([String], String)])
  func places(steps: [String], expected: String) {
    let contents = [
      "one.json": Self.file([Self.rest("b1"), Self.rest("b2")].joined(separator: ",")),
      "bad.json": Self.file(Self.rest("c", #", "stepDuration": -1"#)),
      "loop.json": Self.file(Self.include("loop.json")),
      "comma.json": #"{"steps",}"#, "empty.json": Self.file(""),
      "version.json": #"{"format": "station.steps/9", "steps": [\#(Self.rest("d"))]}"#,
    ]
    #expect(Self.problems(steps.joined(separator: ","), contents) == [expected])
  }

  @Test func `A prefix is put before steps and recorders and into rules, and not before questions or texts`() throws {
    let form = #"""
      {"kind": "form", "identifier": "mood", "title": "mood", "questions": [
        {"kind": "boolean", "identifier": "good"},
        {"kind": "text", "identifier": "why", "skipWhen": {"answer": "mood.good", "is": true}}]}
      """#
    let rest = Self.rest(
      "calm",
      #", "skipWhen": {"any": [{"answer": "mood.good", "is": true}, {"step": "mood", "is": "skipped"}]}, "recorderConfigurations": [{"identifier": "h", "quantityType": "heartRate"}]"#
    )
    let steps = [Self.include("one.json", #", "prefix": "pre.""#), Self.include("one.json", #", "prefix": "post.""#)]
    let read = try Self.read(steps.joined(separator: ","), ["one.json": Self.file("\(form),\(rest)")]).studyProtocol
    #expect(read.steps.map(\.identifier) == ["pre.mood", "pre.calm", "post.mood", "post.calm"])
    #expect(read.steps.map { $0.title ?? "" } == ["mood", "", "mood", ""])
    #expect(read.steps[3].active?.recorderConfigurations.map(\.identifier) == ["post.h"])
    #expect(
      read.steps[3].skipWhen
        == .any([.answer("post.mood.good", .isValue(.boolean(true))), .step("post.mood", .skipped)]))
    guard let questions = read.steps[0].kind as? FormStep else {
      Issue.record("not a form")
      return
    }
    #expect(questions.questions.map(\.identifier) == ["good", "why"])
    #expect(questions.questions[1].skipWhen == .answer("pre.mood.good", .isValue(.boolean(true))))
  }

  @Test(
    "A fitness check stands for ResearchKit's steps; a part of 0 s is left out",
    arguments: [(60, 30), (60, 0), (0, 30)])
  func fitnessCheck(walk: Int, rest: Int) throws {
    let recorder = #"[{"identifier": "h", "quantityType": "heartRate"}]"#
    let steps = try Self.read(
      #"{"kind": "fitnessCheck", "identifier": "fit", "title": "T", "walkDuration": \#(walk), "restDuration": \#(rest), "recorderConfigurations": \#(recorder)}"#,
      [:]
    ).studyProtocol.steps
    let parts = ["instruction", "instruction1", "countdown"] + (walk > 0 ? ["walk"] : []) + (rest > 0 ? ["rest"] : [])
    #expect(steps.map(\.identifier) == parts.map { "fit.\($0)" })
    #expect(steps[2].active?.stepDuration == .seconds(5))
    for step in steps.dropFirst(3) {
      let active = try #require(step.active)
      #expect(active.stepDuration == .seconds(step.identifier == "fit.walk" ? walk : rest))
      #expect(active.shouldStartTimerAutomatically && active.shouldContinueOnFinish && active.shouldPlaySoundOnStart)
      #expect(active.shouldPlaySoundOnFinish == (step.identifier == "fit.rest"))
      #expect(active.spokenInstruction == step.text)
      let recorder = try #require(active.recorderConfigurations.first)
      #expect(recorder.identifier == "h" + step.identifier.dropFirst(3))
      #expect(recorder.motionContext == (step.identifier == "fit.walk" ? .active : .notSet))
    }
  }
}
