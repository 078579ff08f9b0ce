import Basics
import Bundles
import Pages
import Study

/// The results of a folder, as a console's windows list and open them.
actor ConsoleResults {
  /// The trials on a page of the list.
  private static let pageLength = 100

  private let results: ResultsFolder
  private let documents: ConsoleDocuments
  private var index: BundleIndex?

  init(_ results: ResultsFolder, documents: ConsoleDocuments) {
    (self.results, self.documents) = (results, documents)
  }

  /// A page of the trials that have all words of a text and a verdict, the newest first.
  func page(_ request: JSONValue) async -> JSONValue {
    do {
      let index = try await current()
      let words = (request["text"]?.string ?? "").split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
      let verdict = request["verdict"]?.string
      let first = max(0, request["first"]?.integer ?? 0)
      let (trials, total) = index.page(from: first, count: Self.pageLength) { trial in
        (verdict.map { $0.isEmpty || trial.heading.verdict.rawValue == $0 } ?? true) && trial.has(words)
      }
      return [
        "trials": .array(trials.map { $0.brief(in: results) }), "first": .integer(first), "total": .integer(total),
        "all": .integer(index.trials.count), "problems": .array(index.problems.map { .string("\($0)") }),
      ]
    } catch {
      return ["trials": [], "first": 0, "total": 0, "all": 0, "problems": [.string("\(error)")]]
    }
  }

  private func current() async throws -> BundleIndex {
    let index = if let index { try await index.refreshed() } else { try await BundleIndex(results) }
    self.index = index
    return index
  }

  /// A report of a trial, or of all results.
  func report(_ name: String?, includesSimulated: Bool) async -> JSONValue {
    guard let path = name.map({ bundle($0) }) ?? results.path else {
      return ["complaints": ["the results folder has no such trial any more"]]
    }
    let answer = await ChildCommand(
      words: ["report", path, "--output", "-"] + (includesSimulated ? ["--include", "simulated"] : [])
    ).text()
    guard let html = answer.output, !html.isEmpty else {
      return ["complaints": .array(answer.complaints.map { .string($0) })]
    }
    return [
      "address": .string(documents.add(Array(html.utf8), type: "text/html; charset=utf-8")),
      "complaints": .array(answer.complaints.map { .string($0) }),
    ]
  }

  /// The sound of a trial's clip: the bundle's copy, else the file of that digest in a folder of clips.
  func clip(_ name: String?, in folders: [String]) async -> JSONValue {
    guard let path = name.flatMap({ bundle($0) }) else { return ["complaints": ["this trial has no clip"]] }
    let documents = documents
    return await WaitingThread.run { Self.clip(ofBundle: path, in: folders, documents) }
  }

  private static func clip(
    ofBundle path: String, in folders: [String], _ documents: ConsoleDocuments
  ) -> JSONValue {
    guard let bundle = try? Bundle(path), let clip = bundle.record.clip?.clip else {
      return ["complaints": ["this trial has no clip"]]
    }
    let copies = (try? bundle.listedFiles())?.filter { $0.sha256 == clip.sha256 }.map { bundle.path(of: $0.path) } ?? []
    for file in copies + folders.map({ Folder.path(clip.file, from: $0) }) {
      guard let bytes = try? File.contents(of: file), SHA256.digest(of: bytes).description == clip.sha256 else {
        continue
      }
      return ["address": .string(documents.add(bytes, type: type(of: clip.file))), "name": .string(clip.name)]
    }
    return [
      "complaints": [
        .string("“\(clip.file)” is not in the bundle, and in no folder of clips of the studies as it was played")
      ]
    ]
  }

  private static func type(of file: String) -> String {
    file.lowercased().hasSuffix(".mp3")
      ? "audio/mpeg" : file.lowercased().hasSuffix(".flac") ? "audio/flac" : "audio/wav"
  }

  /// The path of a bundle; `nil` where the folder has none of that name.
  func bundle(_ name: String) -> String? {
    guard let names = try? results.trials(), names.contains(name) else { return nil }
    return results.bundlePath(named: name)
  }
}

extension IndexedTrial {
  /// Whether each word is in what the list shows of it.
  fileprivate func has(_ words: [String]) -> Bool {
    guard !words.isEmpty else { return true }
    let texts = [
      heading.participant, heading.session, heading.study, heading.condition, heading.clipName, heading.group,
      heading.outcome.rawValue, heading.simulation.isSimulated ? "simulated" : nil, heading.trial,
      "\(heading.startDate)",
    ].compactMap { $0?.lowercased() }
    return words.allSatisfy { word in texts.contains { $0.contains(word) } }
  }
}
