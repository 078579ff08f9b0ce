import Basics
import Glibc
import Study
import TestSupport
import Testing

@testable import Sound

@Suite("The clip library")
struct ClipLibraryTests {
  private let scratch: Scratch
  private let sound = FrameBytes.repeated(FrameBytes.silence, 50)

  init() throws { scratch = try Scratch() }

  private func reasons(_ library: ClipLibrary) -> [ClipError.Reason] { library.problems.map(\.reason) }

  @Test("A folder of mp3 files is a library, sorted by the bytes of the names")
  func folder() throws {
    for name in ["b.mp3", "B.MP3", "a.mp3", "é.mp3", "z.Mp3"] { try scratch.write(sound, as: name) }
    try scratch.write(FrameBytes.id3v2(FrameBytes.text("TIT2", "Rain")) + sound, as: "rain.mp3")
    try scratch.write([1], as: "notes.txt")
    try scratch.write([1], as: ".hidden.mp3")
    try scratch.write([1], as: ".mp3")
    let library = try ClipLibrary(scratch.path)
    #expect(library.clips.map(\.name) == ["B", "a", "b", "rain", "z", "é"])
    #expect(library.problems.isEmpty)
    #expect(library.warnings.isEmpty)
    #expect(
      library.clip(named: "a")
        == Clip(
          name: "a", path: scratch.path + "/a.mp3", bytes: 50 * 417, sha256: SHA256.digest(of: sound).description,
          frames: 50 * 1152, sampleRate: 44_100, channels: 2))
    #expect(library.clip(named: "rain")?.annotation.title == "Rain")
    #expect(library.clip(named: "c") == nil)
  }

  @Test(
    "Names that are awkward stay what they are",
    arguments: ["two\nlines", "a..b", "🎻 Ωμέγα", String(repeating: "n", count: 251), "“quoted” \\ \"", "a.mp3"])
  func names(name: String) throws {
    try scratch.write(sound, as: name + ".mp3")
    let library = try ClipLibrary(scratch.path)
    #expect(library.clips.map(\.name) == [name])
    #expect(library.problems.isEmpty)
  }

  @Test("A bad file is a problem of its own, and the others are still clips")
  func bad() throws {
    try scratch.write(sound, as: "good.mp3")
    try scratch.write([], as: "empty.mp3")
    try scratch.write(Array("fLaC".utf8) + FrameBytes.noise(9000, seed: 1), as: "flac.mp3")
    try Folder.create(scratch.path + "/folder.mp3")
    try scratch.write(sound + FrameBytes.silence.prefix(99), as: "cut.mp3")
    let library = try ClipLibrary(scratch.path)
    #expect(library.clips.map(\.name) == ["cut", "good"])
    #expect(reasons(library) == [.empty, .misnamed(.flac), .notAFile])
    #expect(library.problems.first?.path == scratch.path + "/empty.mp3")
    #expect(library.warnings.keys.sorted() == ["cut"])
  }

  @Test("Two files of one name are both left out")
  func duplicates() throws {
    for name in ["rain.mp3", "rain.MP3", "wind.mp3"] { try scratch.write(sound, as: name) }
    let library = try ClipLibrary(scratch.path)
    #expect(library.clips.map(\.name) == ["wind"])
    #expect(
      reasons(library) == [
        .duplicateName("rain", others: ["rain.mp3"]), .duplicateName("rain", others: ["rain.MP3"]),
      ])
  }

  @Test("Files of one name in different formats are all left out, and measured all the same")
  func formats() throws {
    let samples = (0..<20_000).map { $0 % 400 * 40 - 8000 }
    try scratch.write(LosslessBytes.wave(samples), as: "rain.wav")
    try scratch.write(LosslessBytes.flac(samples), as: "rain.flac")
    try scratch.write(LosslessBytes.flac(samples), as: "wind.FLAC")
    let library = try ClipLibrary(scratch.path)
    #expect(library.clips.map(\.name) == ["wind"])
    #expect(library.clip(named: "wind")?.frames == 10_000)
    #expect(
      reasons(library) == [
        .duplicateName("rain", others: ["rain.wav"]), .duplicateName("rain", others: ["rain.flac"]),
      ])
    let rows = library.examinations()
    #expect(rows.map(\.name) == ["rain", "rain", "wind"])
    #expect(rows.map { $0.contents?.frames } == [10_000, 10_000, 10_000])
    #expect(rows.map(\.problem) == library.problems + [nil])
  }

  @Test("Names that differ only in how their letters are composed collide, and neither row is hidden")
  func composition() throws {
    for name in ["\u{E9}.mp3", "e\u{301}.mp3"] { try scratch.write(sound, as: name) }
    let library = try ClipLibrary(scratch.path)
    #expect(library.clips.isEmpty)
    #expect(library.problems.count == 2)
    let rows = library.examinations()
    #expect(rows.count == 2)
    #expect(rows.allSatisfy { $0.problem != nil && $0.contents?.frames == 50 * 1152 })
  }

  @Test("Two entries of one name are both shown, each with the name and the problem")
  func sameNames() throws {
    for name in ["a.mp3", "b.mp3"] { try scratch.write(sound, as: name) }
    try scratch.write(
      Array(
        """
        {"format": "station.clips/1", "clips": [{"name": "rain", "file": "a.mp3"}, {"name": "rain", "file": "b.mp3"}]}
        """.utf8), as: "clips.json")
    let rows = try ClipLibrary(scratch.path).examinations()
    #expect(rows.map(\.name) == ["rain", "rain"])
    #expect(
      rows.map { $0.problem?.reason } == [
        .duplicateName("rain", others: ["b.mp3"]), .duplicateName("rain", others: ["a.mp3"]),
      ])
  }

  @Test("What is not used is named with its reason")
  func skipped() throws {
    try scratch.write(sound, as: "a.mp3")
    for name in ["b.ogg", "c.M4A", "notes.txt", ".hidden.ogg", "clips"] { try scratch.write([1], as: name) }
    try Folder.create(scratch.path + "/more")
    try scratch.write(Array(#"{"format": "station.clips/1", "clips": []}"#.utf8), as: "clips.json")
    let skipped = try ClipLibrary(scratch.path).skipped
    #expect(skipped.map { Folder.name(of: $0.path) } == ["b.ogg", "c.M4A", "clips", "more", "notes.txt"])
    #expect(skipped.map(\.reason) == [.soundFormat, .soundFormat, .otherFile, .folder, .otherFile])
  }

  @Test("A list names and annotates files, and passes over keys that it does not know")
  func list() throws {
    try scratch.write(FrameBytes.id3v2(FrameBytes.text("TIT2", "From the tag")) + sound, as: "01.mp3")
    try scratch.write(sound, as: "02.mp3")
    try scratch.write(
      Array(
        """
        {"format": "station.clips/1", "comment": 1, "clips": [{"name": "rain", "file": "01.mp3", "title": "Rain", \
        "mood": "calm", "tempo_bpm": 72.5, "key": "C", "instruments": ["harp"], "licence": "CC0-1.0"}]}
        """.utf8), as: "clips.json")
    let library = try ClipLibrary(scratch.path)
    #expect(library.clips.map(\.name) == ["02", "rain"])
    #expect(library.problems.isEmpty)
    #expect(
      library.clip(named: "rain")?.annotation
        == ClipAnnotation(title: "Rain", mood: "calm", tempo: 72.5, licence: "CC0-1.0"))
  }

  @Test(
    "Mistakes in a list are told with line and column",
    arguments: [
      ("[1,]", "1:4"),
      ("[]", "1:1: an object is needed here, not an array"),
      (#"{"clips": []}"#, "1:1: “format” is missing"),
      (#"{"format": "station.clips/2", "clips": []}"#, "only “station.clips/1” is known"),
      (#"{"format": "station.clips/1", "clips": {}}"#, "1:40: “clips” must be an array"),
      (#"{"format": "station.clips/1", "clips": [7]}"#, "1:41: an object is needed here, not the number 7"),
      (#"{"format": "station.clips/1", "clips": [{"file": "a.mp3"}]}"#, "“name” is missing"),
      (#"{"format": "station.clips/1", "clips": [{"name": "a", "file": "../a.mp3"}]}"#, "is not the name of an mp3"),
      (#"{"format": "station.clips/1", "clips": [{"name": "a", "file": "a.ogg"}]}"#, "is not the name of an mp3"),
      (#"{"format": "station.clips/1", "clips": [{"name": "..", "file": "a.mp3"}]}"#, "would be a path"),
      (#"{"format": "station.clips/1", "clips": [{"name": "a/b", "file": "a.mp3"}]}"#, "would be a path"),
      (#"{"format": "station.clips/1", "clips": [{"name": "a\nb", "file": "a.mp3"}]}"#, "no control characters"),
      (#"{"format": "station.clips/1", "clips": [{"name": 1, "file": "a.mp3"}]}"#, "“name” must be a string"),
      (#"{"format": "station.clips/1", "clips": [{"name": "a", "file": "a.mp3", "tempo_bpm": "x"}]}"#, "tempo_bpm"),
      (#"{"format": "station.clips/1", "clips": [{"name": "a", "file": "a.mp3", "mood": 3}]}"#, "“mood” must be"),
    ])
  func mistakes(text: String, expected: String) throws {
    try scratch.write(sound, as: "a.mp3")
    try scratch.write(Array(text.utf8), as: "clips.json")
    let library = try ClipLibrary(scratch.path)
    #expect(library.clips.map(\.name) == ["a"])
    #expect(library.problems.count == 1)
    #expect(library.problems.first?.description.contains(expected) == true)
    #expect(library.problems.first?.path == scratch.path + "/clips.json")
  }

  @Test("An entry without its file and a file that is listed twice are problems of the list")
  func missing() throws {
    try scratch.write(sound, as: "a.mp3")
    try scratch.write(
      Array(
        """
        {"format": "station.clips/1", "clips": [{"name": "a", "file": "a.mp3"}, {"name": "b", "file": "b.mp3"},
        {"name": "c", "file": "a.mp3"}]}
        """.utf8), as: "clips.json")
    let library = try ClipLibrary(scratch.path)
    #expect(reasons(library) == [.badList("“a.mp3” is listed twice"), .listedButMissing("b.mp3")])
  }

  @Test("The clips of folders inside are those of the library too, with names that are unique in all of them")
  func subfolders() throws {
    try scratch.write(sound, as: "a.mp3")
    for name in ["calm", "loud"] {
      try Folder.create("\(scratch.path)/\(name)")
      try scratch.write(sound, as: "\(name)/\(name)1.mp3")
    }
    try scratch.write(sound, as: "loud/a.mp3")
    try scratch.write(Array("not a clip".utf8), as: "calm/notes.txt")
    let library = try ClipLibrary(scratch.path, subfolders: ["calm", "loud", "none"])
    #expect(library.clips.map(\.name) == ["a", "calm1", "loud1"])
    #expect(library.clips.map(\.subfolder) == [nil, "calm", "loud"])
    #expect(library.clips.map(\.path) == ["a.mp3", "calm/calm1.mp3", "loud/loud1.mp3"].map { "\(scratch.path)/\($0)" })
    #expect(library.skipped.map(\.path) == ["\(scratch.path)/calm/notes.txt"])
    #expect(library.problems.count == 2)
    #expect(
      reasons(library).contains(.duplicateName("a", others: ["\(scratch.path)/a.mp3"])))
    #expect(try ClipLibrary(scratch.path).clips.map(\.name) == ["a"])
  }

  @Test("A folder that is not there is an error")
  func absent() {
    #expect(throws: ClipError.self) { try ClipLibrary(scratch.path + "/none") }
  }

  @Test("An examination measures the whole file, or says what is wrong")
  func examination() throws {
    let path = try scratch.write(try LAME.encode(TestSound.noise(seconds: 2)), as: "rain.mp3")
    let good = ClipExamination(path: path)
    #expect(good.name == "rain")
    #expect(good.contents?.frames == 88_200)
    #expect(good.problem == nil)
    let loudness = try #require(good.loudness?.integrated)
    #expect((-40 ... -5).contains(loudness))
    #expect(good.contents?.warnings == [])
    let silent = ClipExamination(path: try scratch.write(sound, as: "silent.mp3"), name: "quiet")
    #expect(silent.name == "quiet")
    #expect(silent.loudness == Loudness(integrated: nil, truePeak: nil))
    #expect(silent.contents?.warnings == ["it is silent: it never passes −90 dB below full scale"])
    let bad = ClipExamination(path: scratch.path + "/none.mp3")
    #expect(bad.contents == nil)
    #expect(bad.problem != nil)
  }

  @Test("The examination of a library has every clip and every problem")
  func examinations() throws {
    try scratch.write(sound, as: "wind.mp3")
    try scratch.write([], as: "rain.mp3")
    try scratch.write(Array("[]".utf8), as: "clips.json")
    let all = try ClipLibrary(scratch.path).examinations()
    #expect(all.map(\.name) == ["rain", "wind"])
    #expect(all.map { $0.contents?.frames } == [nil, 50 * 1152])
    #expect(all.map { $0.problem == nil } == [false, true])
    #expect(try ClipLibrary(scratch.path).listProblems.count == 1)
  }

  @Test("A list that is a pipe is refused, not waited for")
  func pipe() throws {
    try #require(unsafe mkfifo(scratch.path + "/clips.json", 0o600) == 0)
    try scratch.write(sound, as: "a.mp3")
    let library = try ClipLibrary(scratch.path)
    #expect(library.clips.count == 1 && library.problems.count == 1)
  }

  @Test("Many faulty entries of a list are reported with their places, in one pass over it")
  func faultyEntries() throws {
    // A pass for each of them would take minutes.
    let count = 100_000
    let entries = [String](repeating: "{}", count: count).joined(separator: ",\n")
    let list = ClipList(Array("{\"format\":\"station.clips/1\",\"clips\":[\n\(entries)]}".utf8))
    #expect(list.problems.count == 2 * count)
    #expect(list.problems.last?.hasPrefix("\(count + 1):1: ") == true)
  }
}
