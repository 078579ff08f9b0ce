import Basics
import Testing

@testable import Study

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
      "sep=,,\ncondition,clip,\ncalm,calm1,\nnone,silence,\n", "sep = ;\ncondition;clip\ncalm;calm1\nnone;silence\n",
      "SEP =;\ncondition;clip\ncalm;calm1\nnone;silence\n",
      "SEP=\t\ncondition\tclip\ncalm\tcalm1\nnone\tsilence\n",
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
          "piece", "excerpt", "from", "klip", "Reiz", "Musikstück", "Datei", "fichier", "morceau", "archivo", "src",
          "url",
          "m4a", "ogg", "\u{441}lip", "\u{421}LIP", "cl\u{456}ps", "f\u{456}le",
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
        [
          "markers", "Makrer", "trigger", "triggers", "trigger_code", "TriggerValue", "code", "marker code", "TTL",
          "trig",
          "lpt", "LPT_code",
        ]
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

  @Test(
    "A word for a mood or a marker is refused where the table has none and needs it",
    arguments: [
      ("condition,folder,emotion\na,x,chill\n", true), ("condition,folder,Stimmung\na,x,chill\n", true),
      ("condition,tag,emotions\na,x,chill\n", false), ("condition,clip,emotion\na,x,chill\n", false),
      ("condition,mood,emotion\na,x,chill\n", false), ("condition,folder,factor:emotion\na,x,chill\n", false),
      ("condition,clip,port\na,x,7\n", true), ("condition,clip,EEG code\na,x,7\nb,y,8\n", true),
      ("condition,clip,event\na,x,7\n", true), ("condition,clip,event\na,x,drop\n", false),
      ("condition,clip,port\na,x,Porto\n", false), ("condition,clip,marker,event\na,x,7,1\n", false),
      ("condition,clip,factor:port\na,x,7\n", false), ("condition,clip,sport\na,x,7\n", false),
    ])
  func words(table: String, isRefused: Bool) {
    #expect(Self.problems(Array(table.utf8)).count == (isRefused ? 1 : 0), "\(Self.problems(Array(table.utf8)))")
  }

  @Test(
    "What is nearly the prefix of a factor is refused, and blanks and capitals make no difference",
    arguments: [
      ("Factor : sound", "sound"), ("FACTOR:sound", "sound"), ("factor :  sound", "sound"), ("factor_sound", nil),
      ("factor sound", nil), ("facotr:sound", nil), ("facotr:x", nil), ("factro: 1", nil), ("Faktor:tempo", nil),
      ("factor_1", "factor_1"),
      ("factor A", "factor A"), ("Faktor_tempo", "Faktor_tempo"), ("benefactor", "benefactor"),
    ] as [(String, String?)])
  func prefix(name: String, factor: String?) throws {
    let table = "condition,clip,\(name)\na,b,1\n"
    guard let factor else { return #expect(Self.problems(Array(table.utf8)).count == 1) }
    #expect(try Self.conditions(table)[0].factors == [factor: "1"])
  }

  @Test(
    "Levels and conditions that differ in capitals only are refused at the second one",
    arguments: [
      ("condition,clip\ncalm,b\nCalm,c\n", ["3:1"]), ("condition,clip,tempo\na,b,slow\nc,d,Slow\ne,f,SLOW\n", ["3:5"]),
      ("condition,clip,tempo\na,b,slow\nA,d,Slow\n", ["3:1", "3:5"]), ("tempo,clip\nslow,b\nSlow,c\n", ["3:1"]),
      ("condition,clip,tempo\na,b,slow\na,d,slow\n", []), ("condition,clip\ncalm,Calm\ncalm,calm\n", []),
      ("condition,clip,tempo,pace\na,b,slow,Slow\n", []),
    ])
  func capitals(table: String, places: [String]) {
    #expect(Self.problems(Array(table.utf8)).map { "\($0.place)" } == places)
  }

  @Test(
    "A workbook, and text in another encoding, are named once",
    arguments: [
      (Array("PK\u{3}\u{4}".utf8) + [0, 1, 2, 0xFF], "workbook"), ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], "workbook"),
      (Array("condition,clip\na,b\n".utf16.flatMap { [UInt8($0), 0] }), "UTF-16"),
      (Array("condition,clip\na,b\n".utf16.flatMap { [0, UInt8($0)] }), "UTF-16"),
      ([0xFF, 0xFE] + Array("condition,clip\n".utf16.flatMap { [UInt8($0), 0] }), "UTF-16"),
    ] as [([UInt8], String)])
  func forms(table: [UInt8], name: String) {
    let problems = Self.problems(table)
    #expect(problems.count == 1 && problems[0].reason.contains(name), "\(problems)")
  }

  @Test(
    "A factor whose cell names a clip, or a mood or tag of some of the drawn clips, is refused",
    arguments: [
      ("condition,mood,Filmmusik\na,calm,rain\n", "2:8", "clip"),
      ("condition,mood,x\na,calm,Rain.mp3\n", "2:8", "clip"),
      ("condition,mood,x\na,calm,clips/rain.wav\nb,calm,brook\n", "2:8", "clip"),
      ("condition,tag,x\na,slow,calm\n", "2:8", "mood"), ("condition,mood,x\na,calm,1\nb,calm,storm\n", "3:8", "clip"),
      ("condition,tag,x\na,slow,loud\n", "2:8", "tag"), ("condition,tag,factor:x\na,slow,calm\n", nil, ""),
      ("condition,mood,factor:x\na,calm,rain\n", nil, ""), ("condition,mood,x\na,calm,slow\n", nil, ""),
      ("condition,mood,x\na,dark,storm\n", nil, ""), ("condition,clip,x\na,rain,rain\nb,brook,storm\n", nil, ""),
      ("condition,tag,x\na,slow,slow\n", nil, ""), ("condition,mood,x\na,calm,rainy\n", nil, ""),
    ] as [(String, String?, String)])
  func cells(table: String, place: String?, property: String) throws {
    func clip(_ name: String, _ mood: String, _ tags: [String]) -> Clip {
      Clip(
        name: name, path: "\(name).wav", bytes: 1, sha256: name, frames: 200_000, sampleRate: 44_100, channels: 1,
        annotation: ClipAnnotation(mood: mood, tags: tags))
    }
    let clips = [
      clip("rain", "calm", ["slow"]), clip("brook", "calm", ["slow", "loud"]), clip("storm", "dark", ["slow"]),
    ]
    let problems = try Self.read(table).problems(with: clips)
    #expect(problems.map { "\($0.place)" } == [place].compactMap(\.self), "\(problems)")
    #expect(problems.allSatisfy { $0.reason.contains("did you mean “\(property)”?") }, "\(problems)")
    // The protocol of a bundle says that they are factors.
    let again = try StudyProtocolReader.read(try Self.read(table).selfContained, fileName: "again.json")
    #expect(again.problems(with: clips).isEmpty)
  }
}
