import Basics
import TestSupport
import Testing

@testable import Study

@Suite("Pictures of steps and choices")
struct StudyPictureTests {
  /// The head of a PNG of this size.
  private static func png(_ width: Int, _ height: Int) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + number(13) + Array("IHDR".utf8) + number(width)
      + number(height) + [8, 0, 0, 0, 0, 0, 0, 0, 0]
  }

  /// The head of a JPEG of this size, with a segment and fill bytes before its frame.
  private static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8, UInt8(height >> 8), UInt8(height & 0xFF)]
      + [UInt8(width >> 8), UInt8(width & 0xFF), 1, 1, 0x11, 0]
  }

  private static func read(_ steps: String, _ files: [String: [UInt8]]) throws(ProtocolProblems) -> ReadProtocol {
    let text = """
      { "format": "station.protocol/1", "identifier": "P", "version": "1", "clips": { "folder": "c" }, "steps": [\(steps)] }
      """
    return try StudyProtocolReader.read(
      Array(text.utf8), fileName: "p.json",
      files: ProtocolFiles { path in
        files[path].map { .success($0) } ?? .failure(FileError("read", path, code: 2))
      })
  }

  private static func problems(_ steps: String, _ files: [String: [UInt8]]) -> [String] {
    do {
      _ = try read(steps, files)
      return []
    } catch {
      return error.problems.map { "\($0.path)" }
    }
  }

  private static func step(_ picture: String, _ kind: String = "instruction", _ more: String = "") -> String {
    #"{ "kind": "\#(kind)", "identifier": "s", "picture": \#(picture)\#(more) }"#
  }

  private static let music = #", "stepDuration": 5, "clip": { "choose": "random" }"#

  @Test("The size of a picture is read from its head")
  func size() throws {
    for (width, height) in [(1, 1), (640, 480), (4096, 300), (65_535, 65_535)] {
      let (png, jpeg) = (
        StudyPicture.Format.read(Self.png(width, height)), StudyPicture.Format.read(Self.jpeg(width, height))
      )
      #expect(png?.format == .png && png?.size ?? (0, 0) == (width, height))
      #expect(jpeg?.format == .jpeg && jpeg?.size ?? (0, 0) == (width, height))
    }
    #expect(StudyPicture.Format.read(Self.png(0, 5)) == nil && StudyPicture.Format.read(Array("GIF89a".utf8)) == nil)
    for bytes in [Self.png(9, 9), Self.jpeg(9, 9)] {
      for count in 0..<bytes.count - 3 { #expect(StudyPicture.Format.read(Array(bytes.prefix(count))) == nil) }
    }
  }

  @Test("A step and a choice have their pictures, with the digest of the file, and a bundle's protocol has it too")
  func pictures() throws {
    let (face, other) = (Self.png(20, 10), Self.jpeg(20, 10))
    let steps = [
      Self.step(#"{ "file": "p/face.png", "alt": "a face", "width_mm": 80, "with": "sound" }"#, "music", Self.music),
      """
      { "kind": "form", "identifier": "q", "question": { "kind": "choice", "choices": [
        { "value": "1", "picture": { "file": "other.jpg", "alt": "one" } },
        { "value": "2", "text": "two", "picture": { "file": "p/face.png", "alt": "another" } }, "3" ] } }
      """,
    ].joined(separator: ",")
    let read = try Self.read(steps, ["p/face.png": face, "other.jpg": other])
    let study = read.studyProtocol
    let picture = try #require(study.steps[0].picture)
    #expect(picture.sha256 == "\(SHA256.digest(of: face))" && picture.width == 80 && picture.start == .sound)
    #expect(study.pictures.map(\.file) == ["p/face.png", "other.jpg", "p/face.png"])
    guard case .choice(let choices)? = study.steps[1].kind.questions.first?.format else { return #expect(Bool(false)) }
    #expect(choices.map(\.text) == ["one", "two", "3"] && choices.map(\.showsText) == [false, true, true])
    let again = try StudyProtocolReader.read(read.selfContained, fileName: "again.json")
    #expect(again.studyProtocol == study)
  }

  @Test("Pictures of included steps lie beside their file")
  func included() throws {
    let file = """
      { "format": "station.steps/1", "steps": [\(Self.step(#"{ "file": "../figures/a.png", "alt": "a" }"#))] }
      """
    let read = try Self.read(
      #"{ "include": "scales/s.json" }"#, ["scales/s.json": Array(file.utf8), "figures/a.png": Self.png(9, 9)])
    #expect(read.studyProtocol.steps[0].picture?.file == "figures/a.png")
  }

  @Test(
    "A picture that cannot be shown as meant is a problem at its place",
    arguments: [
      (step(#"{ "file": "none.png", "alt": "a" }"#), "/steps/0/picture/file"),
      (step(#"{ "file": "text.png", "alt": "a" }"#), "/steps/0/picture/file"),
      (step(#"{ "file": "large.png", "alt": "a" }"#), "/steps/0/picture/file"),
      (step(#"{ "file": "../a.png", "alt": "a" }"#), "/steps/0/picture/file"),
      (step(#"{ "file": "a.png" }"#), "/steps/0/picture"),
      (step(#"{ "file": "a.png", "alt": "a", "with": "sound" }"#), "/steps/0/picture/with"),
      (step(#"{ "file": "a.png", "alt": "a", "width_mm": 2 }"#), "/steps/0/picture/width_mm"),
      (
        step(#"{ "file": "a.png", "alt": "a", "sha256": "\#(String(repeating: "0", count: 64))" }"#),
        "/steps/0/picture/sha256"
      ),
      (step(#"{ "file": "a.png", "alt": "a", "width": 20 }"#), "/steps/0/picture/width"),
      (step(#"{ "file": "a.png", "alt": "a" }"#, "sensorCheck"), "/steps/0/picture"),
    ])
  func refused(step: String, path: String) {
    let files = ["a.png": Self.png(9, 9), "large.png": Self.png(5000, 9), "text.png": Array("a picture".utf8)]
    #expect(Self.problems(step, files) == [path])
  }

  @Test("A trial shows the picture of its condition, as the step says")
  func conditions() throws {
    func steps(_ conditions: String, _ picture: String) -> String {
      """
      { "kind": "trials", "identifier": "t", "design": { "order": "fixed", "conditions": [\(conditions)] },
        "steps": [ { "kind": "music", "identifier": "m", "stepDuration": 5, "clip": { "choose": "random" }\(picture) } ] }
      """
    }
    let (with, without) = (#"{ "name": "a", "picture": { "file": "a.png", "alt": "a" } }"#, #"{ "name": "b" }"#)
    let shown = #", "picture": { "choose": "condition", "with": "sound", "width_mm": 90 }"#
    let files = ["a.png": Self.png(9, 9)]
    let study = try Self.read(steps("\(with), \(without)", shown), files).studyProtocol
    let clips = ["x", "y"].map { name in
      Clip(name: name, path: name, bytes: 1, sha256: name, frames: 441_000, sampleRate: 44_100, channels: 1)
    }
    let plan = try Plan.make(for: study, clips: clips, seed: 1)
    let pictures = plan.trials.map { $0.steps[0].picture }
    #expect(pictures.map { $0?.file } == ["a.png", nil] && pictures[0]?.start == .sound && pictures[0]?.width == 90)
    #expect(study.pictures.map(\.file) == ["a.png"])
    #expect(Self.problems(steps(without, shown), files) == ["/steps/0/steps/0/picture"])
    #expect(Self.problems(steps(with, ""), files) == ["/steps/0/design"])
  }
}
