import Basics
import Foundation
import TestSupport
import Testing

@testable import Bundles

@Suite("The corrections beside a bundle")
struct CorrectionsFileTests {
  let scratch: ScratchFolder
  let bundle: String
  let file: CorrectionsFile

  init() throws {
    scratch = try ScratchFolder()
    bundle = scratch["trial"]
    try MadeTrial().write(to: bundle)
    file = CorrectionsFile(ofBundle: bundle)
  }

  private static func correction(_ number: Int, _ edit: Correction.Edit = .deleteBeat(t: .seconds(5))) -> Correction {
    Correction(
      number: number, time: WallTime(milliseconds: 1_795_262_400_000), author: "Rater A",
      reason: edit.needsReason ? "T wave" : nil,
      basis: .init(recorder: "heartRate", sha256: String(repeating: "a", count: 64)), edit: edit)
  }

  private func append(_ edit: Correction.Edit = .deleteBeat(t: .seconds(5))) throws {
    _ = try file.append { Self.correction($0.nextNumber, edit) }
  }

  private static let edits: [Correction.Edit] = [
    .deleteBeat(t: .seconds(5)), .insertBeat(t: .milliseconds(-250)), .moveBeat(from: .seconds(2), to: .seconds(1)),
    .unusable(from: .seconds(3), to: .seconds(4)), .undo(of: 1), .reviewed,
  ]

  @Test("are lines that are appended, private, and read back as they were made")
  func lines() throws {
    #expect(try file.read().all.isEmpty && !file.isThere)
    for edit in Self.edits { try append(edit) }
    let read = try file.read()
    #expect(read.all.map(\.edit) == Self.edits && read.all.map(\.number) == Array(1...6) && read.problems.isEmpty)
    #expect(read.authors == ["Rater A"])
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(file.path == "\(Folder.realPath(bundle) ?? "").corrections.jsonl")
    // Beside the folder itself, however it is reached.
    try FileManager.default.createSymbolicLink(atPath: scratch["link"], withDestinationPath: bundle)
    #expect(CorrectionsFile(ofBundle: scratch["link"]) == CorrectionsFile(ofBundle: "\(bundle)/."))
  }

  @Test("keep to the published schema, by PyPI's jsonschema, which refuses what the station refuses")
  func schema() throws {
    for edit in Self.edits { try append(edit) }
    let good = try File.contents(of: file.path)
    let line =
      #"{"format":"station.corrections/1","number":1,"time":"2026-11-21T12:00:00.000Z","author":"A","reason":"r","#
      + #""recorder":"h","sha256":"\#(String(repeating: "a", count: 64))","detector":null,"channel":null,"#
    let bad = [
      line + #""edit":"deleteBeat"}"#, line + #""edit":"moveBeat","from_ns":1}"#,
      line.replacing("\"A\"", with: "\"\"") + #""edit":"reviewed"}"#,
      line.replacing("\"r\"", with: "null") + #""edit":"deleteBeat","t_ns":1}"#,
      line.replacing("corrections/1", with: "corrections/2") + #""edit":"reviewed"}"#,
      line.replacing("\"number\":1", with: "\"number\":0") + #""edit":"reviewed"}"#,
    ]
    #expect(Corrections(Array((bad.joined(separator: "\n") + "\n").utf8)).problems.count == bad.count)
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator as Validator
      schema = json.load(open("\(Repository.root)/protocols/corrections.schema.json"))
      Validator.check_schema(schema)
      good, bad = json.load(sys.stdin)
      for document in good:
          for error in Validator(schema).iter_errors(document):
              print(error.json_path, error.message[:300])
      for document in bad:
          if Validator(schema).is_valid(document): print("taken:", document)
      """
    let lines = String(decoding: good, as: UTF8.self).split(separator: "\n").map(String.init)
    let input = "[[\(lines.joined(separator: ","))],[\(bad.joined(separator: ","))]]"
    let run = try Program.run(Repository.python, ["-c", script], input: input)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.error)")
  }

  @Test(
    "A torn last line is skipped and said, and the next correction begins a line of its own", arguments: [1, 40, 200])
  func torn(cut: Int) throws {
    try append()
    try append()
    let whole = try File.contents(of: file.path)
    let first = try #require(whole.firstIndex(of: UInt8(ascii: "\n"))) + 1
    let length = min(first + cut, whole.count - 1)
    try Data(whole[..<length]).write(to: URL(filePath: file.path))
    let read = try file.read()
    #expect(read.all.map(\.number) == [1] && read.problems.count == 1 && read.isOpen)
    #expect(read.problems[0].hasPrefix("line 2: "))
    try append()
    let again = try file.read()
    #expect(again.all.map(\.number) == [1, 2] && again.problems.count == 1 && !again.isOpen)
  }

  @Test("A last line that is whole but for its end counts, and the next correction has the next number")
  func open() throws {
    try append()
    try append()
    try Data(File.contents(of: file.path).dropLast()).write(to: URL(filePath: file.path))
    #expect(try file.read().all.map(\.number) == [1, 2] && file.read().problems.isEmpty)
    try append()
    let read = try file.read()
    #expect(read.all.map(\.number) == [1, 2, 3] && read.problems.isEmpty && !read.isOpen)
  }

  @Test(
    "Lines that are no corrections are named with their number",
    arguments: ["{}", "x", #"{"format":"station.result/1"}"#, "[]"])
  func foreign(line: String) throws {
    try append()
    let other = try File(file.path, .append)
    try other.write(Array("\(line)\n".utf8))
    try append()
    // Of a file that two were put together to, numbers count once.
    try other.write(Array(File.contents(of: file.path).prefix { $0 != UInt8(ascii: "\n") }) + [UInt8(ascii: "\n")])
    let read = try file.read()
    #expect(read.all.map(\.number) == [1, 2])
    #expect(read.problems.map { $0.prefix(7) } == ["line 2:", "line 4:"])
  }

  @Test("An edit of a newer station is kept as what it is called")
  func unknown() throws {
    try append(.unknown(edit: "x"))
    let text = String(decoding: try File.contents(of: file.path), as: UTF8.self)
    let newer = text.replacing(#""edit":"x""#, with: #""edit":"stretchBeat","by_ms":3"#)
    #expect(Corrections(Array(newer.utf8)).all.first?.edit == .unknown(edit: "stretchBeat"))
  }

  @Test("Several writers at once leave whole lines with numbers in their order")
  func writers() async throws {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await Self.onThread {
            for _ in 0..<25 { #expect(throws: Never.self) { try append() } }
          }
        }
      }
    }
    let read = try file.read()
    #expect(read.all.map(\.number) == Array(1...100) && read.problems.isEmpty)
  }

  /// Runs what waits for locks on a thread of its own.
  private static func onThread(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread {
        work()
        continuation.resume()
      }.start()
    }
  }

  @Test("Where the bundle is gone, or a correction is refused, no file is left")
  func refused() throws {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { try file.append { _ in throw Refusal() } }
    #expect(!file.isThere)
    try append()
    #expect(throws: Refusal.self) { try file.append { _ in throw Refusal() } }
    #expect(try file.read().all.count == 1)
    try Folder.removeTree(bundle)
    #expect(throws: BundleError.self) { try append() }
    try file.remove()
    #expect(!file.isThere)
    #expect(throws: BundleError.self) { try append() }
    #expect(!file.isThere)
  }

  @Test("An undo counts until it is undone", arguments: [([1, 2], [2, 1], [2]), ([1, 2, 3], [1, 2, 2], [2])])
  func undone(numbers: [Int], targets: [Int], expected: [Int]) {
    // Corrections 10, 11, 12 … undo the targets in turn; an undo of an undo has the number of that.
    var corrections = numbers.map { Self.correction($0) }
    for (index, target) in targets.enumerated() {
      corrections.append(Self.correction(10 + index, .undo(of: target)))
    }
    corrections.append(Self.correction(20, .undo(of: 10 + (targets.firstIndex(of: 1) ?? 0))))
    #expect(Corrections.undone(corrections).intersection(numbers) == Set(expected))
  }
}
