import Basics
import Testing

@testable import Study

@Suite("The codes of conditions")
struct MarkerCodesTests {
  private static func codes(_ conditions: [(String, Int?)]) -> MarkerCodes {
    MarkerCodes(
      of: conditions.map { name, marker in
        var condition = StudyCondition(name: name, sound: .silence)
        condition.marker = marker
        return condition
      })
  }

  @Test(
    "are those of the protocol, else the lowest that are left, in the protocol's order",
    arguments: [
      ([("a", nil), ("b", nil), ("c", nil)], [1, 2, 3]), ([("a", nil), ("b", 1), ("c", nil)], [2, 1, 3]),
      ([("a", 255), ("b", nil), ("a", nil)], [255, 1, 255]), ([("a", nil), ("a", 7), ("b", nil)], [7, 7, 1]),
    ] as [([(String, Int?)], [Int])])
  func defaults(conditions: [(String, Int?)], expected: [Int]) {
    let codes = Self.codes(conditions)
    #expect(conditions.map { codes[$0.0] } == expected && codes.missing.isEmpty)
    #expect(codes[nil] == 1 && codes["another"] == nil)
  }

  @Test("end at 255")
  func tooMany() {
    let codes = Self.codes((1...257).map { ("c\($0)", $0 == 1 ? 2 : nil) })
    #expect(codes["c1"] == 2 && codes["c2"] == 1 && codes["c3"] == 3 && codes["c255"] == 255)
    #expect(codes.missing == ["c256", "c257"])
  }

  @Test(
    "are read from a table of conditions, and refused where they are not codes or are used twice",
    arguments: [
      ("condition,marker\na,7\nb,9\n", nil), ("condition,marker\na,7\nb,\n", nil),
      ("condition,marker\na,7\nb,7\n", 3), ("condition,marker\na,0\nb,7\n", 2), ("condition,marker\na,7\nb,x\n", 3),
      ("condition,tempo,marker\na,slow,7\na,fast,8\n", 3), ("condition,tempo,marker\na,slow,7\na,fast,7\n", nil),
    ] as [(String, Int?)])
  func table(text: String, line: Int?) throws {
    let study = """
      {"format":"station.protocol/1","identifier":"a","version":"1","title":"A","clips":{"folder":"c"},"steps":[
      {"kind":"trials","identifier":"t","design":{"conditionsFile":"c.csv","order":"fixed"},"steps":[
      {"kind":"rest","identifier":"r","stepDuration":3}]}]}
      """
    let files = ProtocolFiles { _ in .success(Array(text.utf8)) }
    let result = Result { try StudyProtocolReader.read(Array(study.utf8), fileName: "a.json", files: files) }
    switch (result, line) {
    case (.success(let read), nil): #expect(read.studyProtocol.markerCodes["a"] == 7)
    case (.failure(let error as ProtocolProblems), let line?):
      #expect(error.problems.map(\.place.line) == [line] && error.problems[0].fileName == "c.csv", "\(error)")
    case (.success, _): Issue.record("it is read")
    case (.failure(let error), _): Issue.record("\(error)")
    }
  }
}
