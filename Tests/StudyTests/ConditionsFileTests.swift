import Basics
import Study
import Testing

@Suite("Tables of conditions")
struct ConditionsFileTests {
  /// Reads a study of which the trials play what the rows of a table say.
  private static func read(_ table: String, choice: String = "condition") throws(ProtocolProblems) -> ReadProtocol {
    try read(Array(table.utf8), choice: choice)
  }

  private static func read(_ table: [UInt8], choice: String = "condition") throws(ProtocolProblems) -> ReadProtocol {
    let text = """
      { "format": "station.protocol/1", "identifier": "T", "version": "1", "clips": { "folder": "c" }, "steps": [
        { "kind": "trials", "identifier": "t", "design": { "conditionsFile": "tables/c.csv", "order": "fixed" },
          "steps": [ { "kind": "music", "identifier": "m", "clip": { "choose": "\(choice)" }, "stepDuration": 3 } ] } ] }
      """
    let files = ProtocolFiles { _ in .success(table) }
    return try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json", files: files)
  }

  private static func conditions(_ table: String) throws -> [StudyCondition] {
    try read(table).studyProtocol.steps.compactMap(\.trials).flatMap(\.design.conditions)
  }

  private static func problems(_ table: [UInt8], choice: String = "condition") -> [ProtocolProblem] {
    do {
      _ = try read(table, choice: choice)
      return []
    } catch {
      return error.problems
    }
  }

  private static let calm = StudyCondition(name: "calm", sound: .clips(ClipPool(names: ["calm1"])))
  private static let silent = StudyCondition(name: "none", sound: .silence)

  @Test(
    "Capitals, blanks, separators and what spreadsheets leave empty make no difference",
    arguments: [
      "condition,clip\ncalm,calm1\nnone,silence\n", "Condition,Clip\ncalm,calm1\nnone,Silence\n",
      " CONDITION , clip \n calm , calm1 \nnone, SILENCE \n", "condition;Clip\r\ncalm;calm1\r\nnone;silence\r\n",
      "sep=;\ncondition;clip\ncalm;calm1\nnone;silence\n",
      "\u{FEFF}\"sep=;\"\r\ncondition;clip\r\ncalm;calm1\r\nnone;silence",
      "sep=,,\ncondition,clip,\ncalm,calm1,\nnone,silence,\n", "SEP=\t\ncondition\tclip\ncalm\tcalm1\nnone\tsilence\n",
      "condition,clip,,\ncalm,calm1,,\n,,,\nnone,silence,,\n,,,\n", "condition,clip,,\ncalm,calm1\nnone,silence\n",
      ",condition,,clip\n,calm,,calm1\n,none,,silence\n", "condition,clip\n\ncalm,calm1\n  ,\u{A0}\nnone,silence\n\n",
      "condition,clip\ncalm,calm1,,\nnone,silence,,\n",
      "\"condition\",\"clip\"\n\"calm\",\"calm1\"\n\"none\",\"silence\"\n",
      "condition\u{A0},\u{A0}clip\ncalm,calm1\nnone,silence\n", "clip,condition\rcalm1,calm\rsilence,none\r",
    ])
  func same(table: String) throws {
    #expect(try Self.conditions(table) == [Self.calm, Self.silent])
  }

  @Test(
    "A column whose name is close to a known one is refused, with that one",
    arguments: [
      (
        "clip",
        [
          "clips", "Clips", "clpi", "lcip", "clip_name", "clipFile", "clip1", "file", "Files", "filename", "file_path",
          "stimFile", "stim_file", "StimulusFile", "stimulus", "stimuli", "sound", "soundFile", "sound_file",
          "Sound File",
          "audio", "audioFile", "audio_file_name", "song", "songs", "track", "Track", "track_id", "music", "wav",
          "mp3File",
          "piece", "excerpt", "from",
        ]
      ),
      (
        "condition",
        ["conditions", "conditon", "Condition_Name", "cond", "conds", "name", "trial_type", "condition id"]
      ),
      ("mood", ["moods", "mod", "Mood2"]), ("tag", ["tags", "Tag1", "keyword", "keywords", "tga"]),
      ("folder", ["folders", "Foldr", "directory", "dir", "subfolder", "folder path", "older"]),
      (
        "marker",
        ["markers", "Makrer", "trigger", "triggers", "trigger_code", "TriggerValue", "code", "marker code", "TTL"]
      ),
    ] as [(String, [String])])
  func near(known: String, names: [String]) throws {
    for name in names {
      let problems = Self.problems(Array("condition,mood,\(name)\ncalm,low,x\n".utf8))
      #expect(problems.count == 1, "\(name): \(problems)")
      let problem = try #require(problems.first)
      #expect(
        problem.reason.contains("did you mean “\(known)”?") && problem.reason.contains("“factor:\(name)”"), "\(problem)"
      )
      #expect(problem.fileName == "tables/c.csv" && "\(problem.place)" == "1:16", "\(problem)")
      let read = try Self.read("condition,mood,factor:\(name)\ncalm,low,x\n")
      #expect(read.studyProtocol.steps[0].trials?.design.conditions[0].factors == [name: "x"])
    }
  }

  @Test(
    "Every other column is a factor",
    arguments: [
      "tempo", "valence", "arousal", "genre", "mode", "key", "language", "title", "artist", "block", "order", "gender",
      "loud", "lag", "age", "familiarity", "corrAns", "tempo_bpm", "Emotion", "position", "level", "duration", "Größe",
    ])
  func factor(name: String) throws {
    #expect(try Self.conditions("condition,clip,\(name)\na,b,1\n")[0].factors == [name: "1"])
  }

  @Test(
    "What a table cannot say, and what says nothing, is refused at its place",
    arguments: [
      ("condition,clip\ncalm,\n", 2, 6), ("condition,clip\ncalm,calm1\nnone,\" \"\n", 3, 6),
      ("condition,mood\ncalm,low\nnone,\n", 3, 6), ("condition,clip,mood\na,,low\nb,,\n", 3, 3),
      ("condition,clip\n,calm1\n", 2, 1), ("condition,clip,pitch\na,b,1\n,c,2\n", 3, 1), ("condition\na\n", 1, 1),
      ("tempo\nslow\n", 1, 1), ("condition,clip,groups\na,b,x\n", 1, 16),
      ("condition,clip,repetitions\na,b,2\n", 1, 16),
      ("condition,clip,nReps\na,b,2\n", 1, 16), ("condition,clip,step_duration\na,b,2\n", 1, 16),
      ("condition,clip,factor:\na,b,2\n", 1, 16), ("condition,Clip,clip\na,b,c\n", 1, 16),
      ("condition,clip,tempo,factor:Tempo\na,b,1,2\n", 1, 22), ("condition,clip,tempo,Tempo\na,b,1,2\n", 1, 22),
      ("condition,clip,\na,b,c\n", 2, 5), ("condition,clip\na,b,c\n", 2, 5), ("condition,clip,tempo\na,b\n", 2, 1),
      ("condition,clip,mood\na,b,low\n", 2, 5), ("condition,clip,folder\na,silence,x\n", 2, 11),
      ("condition,clip,marker\na,b,x\n", 2, 5), ("condition,clip,marker\na,b,0\n", 2, 5),
      ("condition,clip,marker\na,b,7.5\n", 2, 5), ("condition,clip,Marker\na,b,7\nc,d,7\n", 3, 5),
      ("condition,clip\ntwo words,b\n", 2, 1), ("sep=;\ncondition;clip\nä ö,b\n", 3, 1), ("clip\nα β\n", 2, 1),
      ("condition,clip,folder\na,b,x/../y\n", 2, 5), ("condition,clip\n\"a,b\nc,d\n", 2, 1), ("condition,clip\n", 1, 1),
      ("", 1, 1), ("sep=;\n", 1, 1),
    ] as [(String, Int, Int)])
  func refused(table: String, line: Int, column: Int) throws {
    let problems = Self.problems(Array(table.utf8))
    #expect(problems.map { "\($0.place)" } == ["\(line):\(column)"], "\(problems)")
    #expect(problems.allSatisfy { $0.fileName == "tables/c.csv" && $0.path == .root }, "\(problems)")
  }

  @Test("A table that is not UTF-8 is refused, in its header and in its rows", arguments: [0, 1])
  func encoding(row: Int) {
    var rows = [Array("condition,clip\n".utf8), Array("calm,b\n".utf8)]
    rows[row][1] = 0xE4
    #expect(Self.problems(Array(rows.joined())).map(\.place.line) == [row + 1])
  }

  @Test("A table without sounds is for trials that play nothing of their condition")
  func withoutSound() throws {
    let read = try Self.read("tempo,pitch\nslow,1\nfast,2\n", choice: "random")
    #expect(read.studyProtocol.steps[0].trials?.design.conditions.map(\.name) == ["slow-1", "fast-2"])
  }

  @Test("A clip that is missing is reported in the table, and a bundle's protocol needs no table")
  func clips() throws {
    let read = try Self.read("condition,clip,Tempo,marker\ncalm,calm1,slow,9\nsad,sad2,,\n")
    let clip = Clip(
      name: "calm1", path: "calm1.wav", bytes: 1, sha256: "", frames: 200_000, sampleRate: 44_100, channels: 1)
    let problems = read.problems(with: [clip])
    #expect(problems.map { "\($0.fileName):\($0.place)" } == ["tables/c.csv:3:5"] && problems[0].path == .root)
    let again = try StudyProtocolReader.read(read.selfContained, fileName: "again.json")
    #expect(again.studyProtocol == read.studyProtocol)
    #expect(again.studyProtocol.steps[0].trials?.design.conditions.map(\.marker) == [9, nil])
  }
}
