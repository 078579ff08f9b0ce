import Basics
import Study
import Testing

@Suite("Conditions called silence")
struct SoundingSilenceTests {
  private static func problems(_ design: String, choice: String = "condition") -> [String] {
    let text = """
      { "format": "station.protocol/1", "identifier": "T", "version": "1", "clips": { "folder": "c" }, "steps": [
        { "kind": "trials", "identifier": "t", "design": { \(design), "order": "fixed" },
          "steps": [ { "kind": "music", "identifier": "m", "clip": { "choose": "\(choice)" }, "stepDuration": 3 } ] } ] }
      """
    do throws(ProtocolProblems) {
      _ = try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json")
      return []
    } catch {
      return error.problems.map { "\($0.path)" }
    }
  }

  private static let calm = #"{ "name": "calm", "clips": { "mood": "calm" } }"#

  @Test(
    "are refused where they would draw a clip",
    arguments: [
      #"{ "name": "silence" }"#, #"{ "name": "Stille", "clips": {} }"#,
      #"{ "name": "silent", "clips": { "mood": "calm" } }"#,
      #"{ "name": "silence_2" }"#, #"{ "name": "no-music", "clips": { "folder": "x" } }"#,
      #"{ "name": "b", "factors": { "sound": "silence" } }"#,
    ])
  func refused(condition: String) {
    #expect(Self.problems(#""conditions": [ \#(Self.calm), \#(condition) ]"#) == ["/steps/0/design/conditions/1/name"])
  }

  @Test(
    "are right where they are silent, name their clips, or are called otherwise",
    arguments: [
      #"{ "name": "silence", "clips": "silence" }"#, #"{ "name": "silence", "clips": { "from": ["pause"] } }"#,
      #"{ "name": "silence", "clips": { "folder": "silence" } }"#, #"{ "name": "silencer" }"#, #"{ "name": "quiet" }"#,
      #"{ "name": "b", "factors": { "before": "silence" }, "clips": { "mood": "calm" } }"#,
    ])
  func right(condition: String) {
    #expect(Self.problems(#""conditions": [ \#(Self.calm), \#(condition) ]"#) == [])
  }

  @Test(
    "are refused as levels that would draw a clip",
    arguments: [
      (#"[ { "name": "sound", "levels": ["chill", "silence"] } ]"#, ["/steps/0/design/factors/0/levels/1"]),
      (
        #"[ { "name": "sound", "levels": [ { "name": "calm", "clips": { "mood": "calm" } }, { "name": "silence" } ] } ]"#,
        ["/steps/0/design/factors/0/levels/1/name"]
      ),
      (
        #"[ { "name": "before", "levels": ["silence", "speech"] }, { "name": "m", "levels": [ { "name": "a", "clips": { "tag": "a" } } ] } ]"#,
        []
      ),
      (#"[ { "name": "sound", "levels": [ { "name": "silence", "clips": { "from": ["pause"] } } ] } ]"#, []),
    ] as [(String, [String])])
  func levels(factors: String, places: [String]) {
    #expect(Self.problems("\"factors\": \(factors)") == places)
  }

  @Test("play nothing of their condition in a step that draws otherwise")
  func others() {
    #expect(Self.problems(#""conditions": [ { "name": "silence" } ]"#, choice: "random") == [])
  }
}
