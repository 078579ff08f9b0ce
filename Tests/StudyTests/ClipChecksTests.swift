import Quantities
import Testing

@testable import Study

@Suite("Checking protocols against clips")
struct ClipChecksTests {
  private static let library = [
    clip("rain", seconds: 45, mood: "chill"), clip("storm", seconds: 40.5, mood: "dark"),
    clip("brook", seconds: 60, mood: "chill"), clip("silence", seconds: 10, mood: nil),
  ]

  private static func clip(_ name: String, seconds: Double, mood: String?) -> Clip {
    Clip(
      name: name, path: "clips/\(name).mp3", bytes: 1, sha256: "", frames: Int(seconds * 44_100), sampleRate: 44_100,
      channels: 2, annotation: ClipAnnotation(mood: mood))
  }

  @Test(
    "What does not fit the library is told at its place",
    arguments: [
      (#"{"name": "rain"}"#, 45, "refuse", [String]()),
      (
        #"{"name": "rian"}"#, 30, "refuse",
        ["p.json:4:57: /steps/1/clip/name: there is no clip “rian”; did you mean “rain”?"]
      ),
      (
        #"{"name": "rain.mp3"}"#, 30, "refuse",
        ["p.json:4:57: /steps/1/clip/name: there is no clip “rain.mp3”; clips are named without .mp3: “rain”"]
      ),
      (
        #"{"name": "concerto"}"#, 30, "refuse",
        ["p.json:4:57: /steps/1/clip/name: there is no clip “concerto”; there are “brook”, “rain”, “silence”, “storm”"]
      ),
      (#"{"choose": "random", "from": ["rain", "brook"]}"#, 45, "refuse", []),
      (
        #"{"choose": "random", "from": ["rain", "broook", "strom"]}"#, 30, "refuse",
        [
          "p.json:4:86: /steps/1/clip/from/1: there is no clip “broook”; did you mean “brook”?",
          "p.json:4:96: /steps/1/clip/from/2: there is no clip “strom”; did you mean “storm”?",
        ]
      ),
      (#"{"choose": "random", "mood": "chill"}"#, 45, "refuse", []),
      (
        #"{"choose": "random", "mood": "chil"}"#, 45, "refuse",
        ["p.json:4:77: /steps/1/clip/mood: no clip has the mood “chil”; did you mean “chill”?"]
      ),
      (
        #"{"choose": "random", "from": ["rain", "silence"], "mood": "dark"}"#, 5, "refuse",
        ["p.json:4:106: /steps/1/clip/mood: none of the clips in “from” has the mood “dark”; there are “chill”"]
      ),
      (
        #"{"choose": "random", "from": ["silence"], "mood": "dark"}"#, 5, "refuse",
        [
          "p.json:4:98: /steps/1/clip/mood: none of the clips in “from” has a mood; a clips.json in the folder of clips says them"
        ]
      ),
      (
        #"{"choose": "random"}"#, 40.501, "refuse",
        [
          "p.json:5:22: /steps/1/stepDuration: the step lasts 40.501 s, longer than “silence” (10 s), “storm” (40.5 s); "
            + "shorten the step, or set “whenShorter” to “loop” or “end”"
        ]
      ),
      (#"{"choose": "random"}"#, 10, "refuse", []),
      (#"{"choose": "random"}"#, 600, "loop", []),
      (#"{"choose": "random"}"#, 600, "end", []),
      (#"{"choose": "random"}"#, 86_400, "loop", []),
      (#"{"name": "opera"}"#, 6000, "refuse", []),
      (
        #"{"name": "opera"}"#, 7000, "end",
        [
          "p.json:5:22: /steps/1/stepDuration: the step lasts 7000 s, which is more than memory is given for of "
            + "“opera” (6086.971 s); shorten the step, or loop a shorter clip"
        ]
      ),
    ] as [(String, Double, String, [String])])
  func problems(clip: String, duration: Double, whenShorter: String, problems: [String]) throws {
    let read = try read(clip: clip, duration: duration, whenShorter: whenShorter)
    let library = Self.library + (clip.contains("opera") ? [Self.clip("opera", seconds: 9000, mood: nil)] : [])
    #expect(read.problems(with: library).map(\.description) == problems)
  }

  @Test("A name is a clip's in whatever form its marks are written", arguments: ["caf\u{E9}", "cafe\u{301}"])
  func forms(name: String) throws {
    let library = ["caf\u{E9}", "cafe\u{301}"].map { Self.clip($0, seconds: 45, mood: nil) }
    for clip in library {
      let named = try read(clip: #"{"name": "\#(name)"}"#, duration: 5, whenShorter: "end")
      #expect(named.problems(with: [clip]) == [])
      let drawn = try read(clip: #"{"choose": "random", "from": ["\#(name)"]}"#, duration: 5, whenShorter: "end")
      #expect(drawn.problems(with: [clip]) == [])
      guard let music = drawn.studyProtocol.steps[1].kind as? MusicStep else { return }
      let candidates = Draw.candidates(for: music, among: [clip])
      #expect(candidates.map { Array($0.name.utf8) } == [Array(clip.name.utf8)])
    }
  }

  @Test("An empty library is reported where its folder is named")
  func emptyLibrary() throws {
    let read = try read(clip: #"{"choose": "random"}"#, duration: 1, whenShorter: "end")
    #expect(
      read.problems(with: []).map(\.description) == [
        "p.json:1:94: /clips/folder: there is no clip in “music”; put mp3, WAV or FLAC files there, or name another folder"
      ])
  }

  @Test("A folder of clips that cannot be read is reported where it is named")
  func unreadableFolder() throws {
    let read = try read(clip: #"{"choose": "random"}"#, duration: 1, whenShorter: "end")
    let problem = read.unreadableClips("cannot read “music”: No such file or directory")
    #expect(problem.description.hasPrefix("p.json:1:94: /clips/folder: cannot read “music”"))
  }

  @Test("A protocol without music needs no clips")
  func silent() throws {
    let text =
      #"{"format": "station.protocol/1", "identifier": "P", "version": "1", "steps": [{"kind": "rest", "identifier": "r"}]}"#
    #expect(try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json").problems(with: []) == [])
  }

  @Test(
    "The candidates of a step, sorted by their bytes",
    arguments: [
      (ClipChoice.random(ClipPool()), ["brook", "rain", "silence", "storm"]),
      (.random(ClipPool(mood: "chill")), ["brook", "rain"]),
      (.random(ClipPool(names: ["storm", "rain"])), ["rain", "storm"]),
      (.random(ClipPool(names: ["storm", "rain"], mood: "dark")), ["storm"]), (.random(ClipPool(names: [])), []),
      (.named("rain"), ["rain"]), (.named("snow"), []),
    ])
  func candidates(choice: ClipChoice, names: [String]) {
    let music = MusicStep(active: ActiveStep(), clip: choice)
    #expect(Draw.candidates(for: music, among: Self.library).map(\.name) == names)
    #expect(Draw.candidates(for: music, among: Self.library.reversed()).map(\.name) == names)
  }

  private func read(clip: String, duration: Double, whenShorter: String) throws -> ReadProtocol {
    let text = """
      {"format": "station.protocol/1", "identifier": "P", "version": "1", "clips": {"folder":      "music"},
       "steps": [
        {"kind": "instruction", "identifier": "i"},
        {"kind": "music", "identifier": "m", "clip": \(clip),
         "stepDuration":   \(duration), "whenShorter": "\(whenShorter)"}]}
      """
    return try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json")
  }
}
