import Basics
import Foundation
import Quantities
import TestSupport
import Testing

@testable import Bundles
@testable import Study

@Suite("The index of a results folder")
struct BundleIndexTests {
  let scratch: ScratchFolder
  let results: ResultsFolder

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
    try results.makeReady()
  }

  private var file: String { "\(results.path)/.index.jsonl" }

  /// So late that nothing changed just now.
  private static let later = WallTime.latest

  private func index(_ now: WallTime = later) async throws -> BundleIndex { try await BundleIndex(results, now: now) }

  private func add(_ name: String, _ change: (inout MadeTrial) -> Void = { _ in }) throws {
    var made = MadeTrial()
    change(&made)
    try made.write(to: results.bundlePath(named: name))
  }

  private func replaceResult(of name: String, participant: String, inPlace: Bool = false) throws {
    var made = MadeTrial()
    made.participant = participant
    let path = "\(results.bundlePath(named: name))/\(BundleFile.result)"
    let bytes = made.result(name).encoded()
    if inPlace { try Data(bytes).write(to: URL(filePath: path)) } else { try File.replaceWhole(path, bytes) }
  }

  /// The lines of the file that have a trial.
  private func lines() throws -> [String] {
    try String(decoding: File.contents(of: file), as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
  }

  /// Rows as reading every bundle gives them, without stamps, and the folders that are no bundles.
  private func truth() throws -> (rows: [IndexedTrial], strays: [BundleError]) {
    var (rows, strays) = ([IndexedTrial](), [BundleError]())
    for name in try results.trials() {
      do throws(BundleError) {
        rows.append(try IndexedTrial(reading: name, in: results, now: .earliest))
      } catch {
        strays.append(error)
      }
    }
    return (rows, strays)
  }

  private func expect(_ index: BundleIndex, _ comment: Comment? = nil) throws {
    let (rows, strays) = try truth()
    #expect(index.trials.map(\.unstamped) == rows, comment)
    #expect(index.problems == strays, comment)
  }

  @Test("A row has what the bundle says, and its heading is the one that the bundle has")
  func row() async throws {
    let path = try await TrialStory.good().record(in: results).finish()
    let bundle = try Bundle(path)
    for _ in 1...2 {
      let row = try #require(try await index().trials.first)
      #expect(try row.name == TrialStory.trial && row.heading == TrialHeading(ofBundle: path))
      #expect(row.samples == bundle.record.samples && row.timeZone == bundle.record.station.timeZone)
      let codes = bundle.record.caveats.compactMap { $0.caveat.json["caveat"]?.string }
      #expect(Set(row.caveats) == Set(codes) && row.caveats == row.caveats.sorted())
      #expect(row.brief(in: results)["path"]?.string == path)
      #expect(row.row.count == IndexedTrial.headings.count)
    }
  }

  @Test("Rows are taken from the file, which only its owner may read")
  func file() async throws {
    for name in ["a", "b", "c"] { try add(name) { $0.participant = "p-\(name)" } }
    let first = try await index()
    #expect(first.trials.map(\.heading.participant) == ["p-a", "p-b", "p-c"])
    #expect(try lines().count == 3)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    // Whoever writes another row with the stamp of the bundle is believed.
    let other = try IndexedTrial(reading: "a", in: results, now: Self.later)
    let renamed = IndexedTrial(
      name: "b", heading: other.heading, timeZone: "UTC", samples: 7, caveats: [], stamp: first.trials[1].stamp)
    try File.replaceWhole(file, IndexLines.bytes(of: [first.trials[0], renamed, first.trials[2]]))
    #expect(try await index().trials == [first.trials[0], renamed, first.trials[2]])
  }

  @Test("A bundle that was added, changed or removed is found, also by an index in memory")
  func changes() async throws {
    for name in ["a", "b", "c"] { try add(name) }
    var known = try await index()
    try replaceResult(of: "b", participant: "P99")
    try add("d")
    try Folder.removeTree(results.bundlePath(named: "a"))
    known = try await known.refreshed(now: Self.later)
    #expect(known.trials.map(\.name) == ["b", "c", "d"])
    #expect(known.trials.map(\.heading.participant) == ["P99", "P01", "P01"])
    #expect(try await index().trials == known.trials)
    #expect(try lines().count == 3)
  }

  @Test("A folder that is no bundle, or no longer one, is a problem each time, and has no row")
  func problems() async throws {
    for name in ["a", "b"] { try add(name) }
    let known = try await index()
    try Data("{".utf8).write(to: URL(filePath: "\(results.bundlePath(named: "a"))/\(BundleFile.result)"))
    try Folder.create(results.bundlePath(named: "stray"))
    for index in [try await known.refreshed(), try await index(), try await index()] { try expect(index) }
    #expect(try lines().count == 1)
    // A link in the place of a folder with the same result.
    let data = "\(results.bundlePath(named: "b"))/data"
    try FileManager.default.moveItem(atPath: data, toPath: scratch["moved"])
    try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: scratch["moved"])
    #expect(try await index().trials.isEmpty)
  }

  /// What may befall the file.
  enum Damage: CaseIterable {
    case missing, empty, truncated, foreign, otherVersion, flipped, garbage, twice, swapped, folder
  }

  @Test("A file that is damaged, foreign or missing is made again from the bundles", arguments: Damage.allCases)
  func damaged(damage: Damage) async throws {
    for name in ["a", "b", "c", "d"] { try add(name) { $0.participant = "P-\(name)" } }
    let whole = try await index()
    let bytes = try File.contents(of: file)
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    switch damage {
    case .missing, .folder: lines = []
    case .empty: lines = [[]]
    case .truncated: lines = [Array(lines[0]), lines[1], Array(lines[2].prefix(70))]
    case .foreign: lines = [Array("SQLite format 3\0".utf8)]
    case .otherVersion: lines[0] = Array("{\"format\":\"station.index/2\"}".utf8)
    case .flipped:
      let place = try #require(lines[2].firstRange(of: Array("P-b".utf8)))
      lines[2][place.upperBound - 1] = UInt8(ascii: "z")
    case .garbage: lines[3] = Array("\u{0}\"{[\\".utf8)
    case .twice: lines.insert(lines[2], at: 3)
    case .swapped: lines.swapAt(1, 2)
    }
    try Folder.removeFile(file)
    if damage == .folder { try Folder.create(file) }
    if !lines.isEmpty { try File.create(file, Array(lines.joined(separator: [UInt8(ascii: "\n")]))) }
    #expect(try await index().trials == whole.trials)
    // Where a folder is in its place, it cannot be written, and the trials are listed all the same.
    if damage != .folder { #expect(try File.contents(of: file) == bytes) }
    #expect(try Folder.names(in: results.path).filter { $0.hasSuffix(".part") } == [])
  }

  @Test(
    "Texts of any kind come back as they were",
    arguments: ["", "plain", "a\"b\\c", "],\"}{[", "tab\tline\nend", "é漢🎵", "\u{0}\u{7F}\u{2028}", "null"])
  func texts(text: String) {
    func row(_ name: String, _ heading: TrialHeading, _ lists: [String]) -> IndexedTrial {
      IndexedTrial(
        name: name, heading: heading, timeZone: lists.first, samples: 3, caveats: lists,
        stamp: FileStamp(size: 1, nanoseconds: 1_796_078_370_029_743_020, inode: .max))
    }
    func heading(_ trial: String, _ simulation: TrialSimulation) -> TrialHeading {
      TrialHeading(
        trial: trial, participant: text, session: text, startDate: WallTime(microseconds: 1_234_567), study: text,
        clip: text, verdict: .suspect, outcome: .stopped, run: text, number: 4,
        design: .init(step: text, condition: text, factors: [text: text], block: 1, position: 2), group: text,
        answers: [.init(step: text, question: text)], simulation: simulation)
    }
    let bare = TrialHeading(
      trial: "c", participant: text, session: text, startDate: .earliest, study: text, clip: nil, verdict: .bad,
      run: text)
    let rows = [
      row("a", heading("a", .everything), []), row("b" + text, heading(text, .sensors([text, text])), [text]),
      row("c" + text, heading("c", .none), [text, text]), row("d", bare, []),
    ]
    for length in [7, 100, 10_000] {
      var rest = IndexLines.bytes(of: rows)[...]
      let (trials, isWhole) = IndexLines.trials {
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
      }
      #expect(trials == rows && isWhole)
    }
  }

  @Test("A result that changed a moment ago is read again: it may change once more within a tick of the clock")
  func moment() async throws {
    try add("a")
    let path = "\(results.bundlePath(named: "a"))/\(BundleFile.result)"
    let changed = try #require(FileStamp(of: path)).changed
    let index = try await index(changed.advanced(by: .milliseconds(19)))
    #expect(index.trials.map(\.stamp) == [nil] && !Folder.exists(file))
    #expect(try await index.refreshed(now: changed.advanced(by: .milliseconds(21))).trials.first?.stamp != nil)
    #expect(try lines().count == 1)
  }

  /// What happens to a results folder.
  private enum Event: CaseIterable {
    case add, remove, replace, overwrite, damage, swap, copy, forget, restore
  }

  @Test("After any changes the index says what the bundles say", arguments: 1...8 as ClosedRange<UInt64>)
  func randomChanges(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var memory = try await index(.now)
    var saved: [UInt8]?
    for step in 0..<60 {
      let names = try results.trials()
      let event = try #require(Event.allCases.randomElement(using: &random))
      let digit = Int.random(in: 0...9, using: &random)
      let (one, other) = (names.randomElement(using: &random), names.randomElement(using: &random))
      switch event {
      case .add: try add("trial-\(step)-\(digit)")
      case .remove: if let one { try Folder.removeTree(results.bundlePath(named: one)) }
      case .replace, .overwrite:
        guard let one, Folder.isFolder("\(results.bundlePath(named: one))/data") else { break }
        try replaceResult(of: one, participant: "P0\(digit)", inPlace: event == .overwrite)
      case .damage: if let one { try? Folder.removeFile("\(results.bundlePath(named: one))/\(BundleFile.result)") }
      case .swap:
        guard let one, let other, one != other else { break }
        try Folder.rename(results.bundlePath(named: one), to: scratch["aside"])
        try Folder.rename(results.bundlePath(named: other), to: results.bundlePath(named: one))
        try Folder.rename(scratch["aside"], to: results.bundlePath(named: other))
      case .copy: saved = try? File.contents(of: file)
      case .forget: try? Folder.removeFile(file)
      case .restore: if let saved { try File.replaceWhole(file, saved) }
      }
      try expect(try await index(.now), "\(event) at \(step)")
      if digit < 4 {
        memory = try await memory.refreshed()
        try expect(memory, "in memory, \(event) at \(step)")
      }
    }
  }

  @Test("Of processes that write it at the same time, each leaves a file that is right")
  func contest() async throws {
    for number in 10..<40 { try add("\(number)") }
    let (results, later) = (results, Self.later)
    try await withThrowingTaskGroup(of: [IndexedTrial].self) { group in
      for _ in 0..<8 { group.addTask { try await BundleIndex(results, now: later).trials } }
      for try await trials in group { #expect(trials.count == 30) }
    }
    let (trials, isWhole) = results.indexedTrials()
    #expect(trials.count == 30 && isWhole)
    #expect(try Folder.names(in: results.path).filter { $0.hasSuffix(".part") } == [])
  }

  @Test("It is not written while a participant is withdrawn")
  func withdrawal() async throws {
    try add("a")
    let read = try await results.lockedForWithdrawal { try await index() }
    #expect(read.trials.count == 1)
    #expect(!Folder.exists(file))
    #expect(try await index().trials.count == 1 && Folder.exists(file))
  }

  @Test("What was removed after the bundles were read stays out of the file")
  func race() async throws {
    for name in ["a", "b"] { try add(name) }
    let trials = try await index().trials
    try Folder.removeTree(results.bundlePath(named: "a"))
    try results.removeIndex()
    results.writeIndex(of: trials)
    #expect(results.indexedTrials().trials == [trials[1]])
  }

  @Test("What a process left that was killed while it wrote is removed")
  func killed() async throws {
    try add("a")
    try File.create("\(results.path)/..index.jsonl.123.part", [1, 2, 3])
    _ = try await index()
    #expect(try Folder.names(in: results.path).filter { $0.hasSuffix(".part") } == [])
    try File.create("\(results.path)/..index.jsonl.123.part", [1, 2, 3])
    try results.removeIndex()
    #expect(try Folder.names(in: results.path).filter { $0.contains("index") } == [])
  }

  @Test("A folder without trials gets no file")
  func nothing() async throws {
    #expect(try await index().trials.isEmpty)
    #expect(try await BundleIndex(ResultsFolder(scratch["nothing"])).trials.isEmpty)
    #expect(try Folder.names(in: results.path) == ["bundles", "open"] && !Folder.exists(scratch["nothing"]))
  }

  @Test(
    "A page has the newest trials first, and says how many there are",
    arguments: [
      (0, 2, ["e", "d"]), (2, 2, ["c", "b"]), (4, 2, ["a"]), (5, 2, []), (0, 9, ["e", "d", "c", "b", "a"]),
    ])
  func pages(first: Int, count: Int, names: [String]) async throws {
    for name in ["a", "b", "c", "d", "e"] { try add(name) }
    let index = try await index()
    let page = index.page(from: first, count: count)
    #expect(page.trials.map(\.name) == names && page.total == 5)
    let some = index.page(from: 0, count: count) { $0.name < "c" }
    #expect(some.total == 2 && some.trials.first?.name == "b")
  }
}

extension IndexedTrial {
  fileprivate var unstamped: IndexedTrial {
    IndexedTrial(
      name: name, heading: heading, timeZone: timeZone, samples: samples, caveats: caveats, stamp: nil)
  }
}
