import Basics
import Study
import TestSupport
import Testing

@Suite("Checking navigation")
struct NavigationCheckTests {
  /// Steps in short: `i` waits for a person, `r` takes time, `f` asks whether to go on, `s` asks nothing when `f` says so,
  /// `m` records, `t` performs trials; what follows the letter is added to the step, whose identifier is its letter with
  /// its index.
  private static func text(_ steps: [String]) -> String {
    let whole = steps.enumerated().map { index, step -> String in
      let head =
        switch step.prefix(1) {
        case "i": #""kind": "instruction""#
        case "r":
          #""kind": "rest", "stepDuration": 1, "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true"#
        case "m":
          #""kind": "rest", "stepDuration": 1, "recorderConfigurations": [{"identifier": "h\#(index)", "quantityType": "heartRate"}]"#
        case "t":
          #""kind": "trials", "design": {"conditions": [{"name": "a"}, {"name": "b"}], "order": "latinSquare"}, "steps": [{"kind": "rest", "identifier": "in"}]"#
        case "s": #""kind": "form", "question": {"kind": "time", "skipWhen": {"answer": "f0", "is": true}}"#
        default: #""kind": "form", "question": {"kind": "boolean"}"#
        }
      return #"{"identifier": "\#(step.prefix(1))\#(index)", \#(head)\#(step.dropFirst())}"#
    }
    let groups = #"{"assignment": "index", "groups": [{"name": "a"}, {"name": "b"}]}"#
    return
      #"{"format": "station.protocol/1", "identifier": "P", "version": "1", "groups": \#(groups), "#
      + #""steps": [\#(whole.joined(separator: ","))]}"#
  }

  private static func paths(_ text: String) -> [String] {
    do throws(ProtocolProblems) {
      _ = try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json")
      return []
    } catch {
      return error.problems.map(\.path.description)
    }
  }

  private static func goTo(_ step: String, when: String? = nil) -> String {
    #"{\#(when.map { #""when": \#($0), "# } ?? "")"goTo": "\#(step)"}"#
  }

  private static func navigation(_ rules: String...) -> String {
    #", "navigation": [\#(rules.joined(separator: ","))]"#
  }

  private static let yes = #"{"answer": "f0", "is": true}"#
  private static let skip = #", "skipWhen": {"answer": "f0", "is": true}"#

  @Test(
    "Ways that cannot be gone are told with their place",
    arguments: [
      (["i", "i"], []), (["f", "i" + navigation(goTo("f0", when: yes)), "i"], []),
      (["i", "i" + navigation(goTo("i3")), "i"], ["/steps/1/navigation/0/goTo"]),
      (["i" + navigation(goTo("i2")), "i", "i"], ["/steps/1/identifier"]),
      (["i" + navigation(goTo("i2")), "i", "i" + navigation(goTo("i1")), "i"], ["/steps/1", "/steps/3/identifier"]),
      (["f", "i" + navigation(goTo("f0"))], ["/steps/0"]), (["f", "i" + navigation(goTo("i1"))], ["/steps/1"]),
      (["f", "i" + navigation(goTo("f0")) + skip], []),
      (["f", "i" + navigation(goTo("i2"), goTo("f0")), "i"], ["/steps/1/navigation/1"]),
      (["f", "r" + navigation(goTo("r1", when: yes))], []),
      (["f", "s" + navigation(goTo("s1", when: yes))], ["/steps/1/navigation/0/goTo"]),
      (["f", "i" + skip, "s" + navigation(goTo("i1", when: yes))], ["/steps/2/navigation/0/goTo"]),
      (["f", "i", "s" + navigation(goTo("i1", when: yes))], []),
      (["f", "r" + skip, "i", "s" + navigation(goTo("r1", when: yes))], []),
      (["f", "m", "i" + navigation(goTo("f0", when: yes))], ["/steps/2/navigation/0/goTo"]),
      (["f", "m", "i" + navigation(goTo("i2", when: yes))], []),
      (["f", "m" + navigation(goTo("m1", when: yes))], ["/steps/1/navigation/0/goTo"]),
      (
        ["f", "m" + skip, "i" + navigation(goTo("f0", when: #"{"step": "m1", "is": "notShown"}"#))],
        ["/steps/2/navigation/0/goTo"]
      ),
      (["f", "m", "i" + navigation(goTo("i3", when: yes)), "i", "i"], []),
      (["f", "t", "i" + navigation(goTo("f0", when: yes))], ["/steps/2/navigation/0/goTo"]),
      (["f", "i" + navigation(goTo("i3")), #"i, "groups": ["a"]"#, "i"], ["/steps/2/identifier"]),
      (["f", #"i, "groups": ["a"]"# + navigation(goTo("i3")), "i", "i"], []),
      (["f", "i" + navigation(goTo("i3")), "i", #"i, "groups": ["a"]"#], []),
      (["f", #"i, "groups": ["a"]"#, "s" + navigation(goTo("i1", when: yes))], ["/steps/2/navigation/0/goTo"]),
    ] as [([String], [String])])
  func ways(steps: [String], paths: [String]) { #expect(Self.paths(Self.text(steps)) == paths) }

  @Test(
    "Rules on what cannot have happened yet are told with their place",
    arguments: [
      (["i" + skip, "f"], ["/steps/0/skipWhen/answer"]), (["f", "i" + skip], []),
      (["f" + navigation(goTo("i1", when: yes)), "i"], []),
      (["f" + skip, "i"], ["/steps/0/skipWhen/answer"]),
      // On the way back the answer is there.
      (["f" + skip + navigation(goTo("f0", when: yes)), "i"], []),
      (
        [
          "i" + #", "skipWhen": {"answer": "f2", "is": true}"#, "i",
          "f" + navigation(goTo("i0", when: #"{"answer": "f2", "is": true}"#)),
        ], []
      ),
      (
        ["i" + navigation(goTo("i2", when: #"{"answer": "f1", "is": true}"#)), "f", "i"],
        ["/steps/0/navigation/0/when/answer"]
      ),
      (
        ["i" + #", "skipWhen": {"not": {"all": [{"step": "i1", "is": "finished"}]}}"#, "i"],
        ["/steps/0/skipWhen/not/all/0/step"]
      ),
      (["i" + navigation(goTo("i1", when: #"{"step": "i0", "is": "skipped"}"#)), "i"], []),
      (
        ["f", "i" + #", "skipWhen": {"any": [{"answer": "f0", "is": 1}, {"answer": "f0", "isNot": "no"}]}"#],
        ["/steps/1/skipWhen/any/0/is", "/steps/1/skipWhen/any/1/isNot"]
      ),
      (["f", "i" + #", "skipWhen": {"answer": "g0", "isMissing": true}"#], ["/steps/1/skipWhen/answer"]),
    ] as [([String], [String])])
  func conditions(steps: [String], paths: [String]) { #expect(Self.paths(Self.text(steps)) == paths) }

  @Test("Questions of one form depend on earlier ones only")
  func withinAForm() {
    let question = #"{"kind": "boolean", "identifier": "%1", "skipWhen": {"answer": "form.%2", "is": true}}"#
    func path(_ first: String, _ second: String) -> [String] {
      let questions = [("a", first), ("b", second)].map { name, other in
        question.replacing("%1", with: name).replacing("%2", with: other)
      }
      return Self.paths(
        #"{"format": "station.protocol/1", "identifier": "P", "version": "1", "steps": [{"kind": "form", "identifier": "form", "#
          + #""questions": [{"kind": "boolean", "identifier": "o"}, \#(questions.joined(separator: ","))]}]}"#)
    }
    #expect(path("o", "a") == [])
    #expect(path("b", "b") == ["/steps/0/questions/1/skipWhen/answer", "/steps/0/questions/2/skipWhen/answer"])
  }

  @Test("A thousand steps with ways back are checked, and each of a hundred faults is found")
  func many() {
    let steps = (0..<1000).map { index -> String in
      guard index > 0 else { return "f" }
      let fault = #"{"answer": "f0", "is": \#(index % 10 == 5 ? "5" : "true")}"#
      return "i" + Self.navigation(Self.goTo("i\(index)", when: fault), Self.goTo("f0", when: Self.yes))
    }
    let faults = stride(from: 5, to: 1000, by: 10).map { "/steps/\($0)/navigation/0/when/is" }
    #expect(Self.paths(Self.text(steps)) == faults)
  }
}
