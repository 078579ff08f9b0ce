import Basics
import Study

/// A folder's `clips.json`: names and annotations for its files (format `station.clips/1`).
struct ClipList: Hashable, Sendable {
  static let fileName = "clips.json"
  static let format = "station.clips/1"

  struct Entry: Hashable, Sendable {
    /// The clip's name in results.
    var name: String
    /// The file in the same folder.
    var file: String
    var annotation: ClipAnnotation
  }

  var entries: [Entry] = []

  /// The problems of the other entries, with line and column.
  var problems: [String] = []

  /// Parses a list; strict about known keys, ignores unknown keys.
  init(_ text: [UInt8]) {
    let root: JSONNode
    do { root = try JSONReader.read(text) } catch {
      problems = error.problems.map { "\(TextPlace(offset: $0.offset, in: text)): \($0.reason)" }
      return
    }
    var reading = Reading(text: text)
    let members = reading.members(of: root)
    defer { problems = reading.placed }
    guard reading.problems.isEmpty else { return }
    if let format = reading.string("format", in: members, of: root, isNeeded: true), format != Self.format {
      reading.note(root, "the format is “\(format)”; only “\(Self.format)” is known")
    } else if case .array(let nodes)? = members["clips"]?.content {
      for node in nodes { reading.entry(node).map { entries.append($0) } }
    } else {
      reading.note(members["clips"] ?? root, "“clips” must be an array")
    }
  }

  private struct Reading {
    let text: [UInt8]
    var problems: [(offset: Int, reason: String)] = []

    /// The problems with line and column, found in one pass over the text, whatever their number.
    var placed: [String] {
      let places = TextPlace.places(of: problems.map(\.offset), in: text)
      return problems.map { problem in
        (places[problem.offset].map { "\($0): " } ?? "") + problem.reason
      }
    }

    mutating func note(_ node: JSONNode, _ reason: String) {
      problems.append((node.offset, reason))
    }

    mutating func members(of node: JSONNode) -> [String: JSONNode] {
      guard case .object(let members) = node.content else {
        note(node, "an object is needed here, not \(node.phrase)")
        return [:]
      }
      return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func string(
      _ key: String, in members: [String: JSONNode], of owner: JSONNode, isNeeded: Bool = false
    ) -> String? {
      guard let node = members[key] else {
        if isNeeded { note(owner, "“\(key)” is missing") }
        return nil
      }
      if case .string(let value) = node.content, !value.isEmpty { return value }
      note(node, "“\(key)” must be a string that is not empty, not \(node.phrase)")
      return nil
    }

    mutating func strings(_ node: JSONNode) -> [String]? {
      if case .array(let elements) = node.content {
        let values = elements.compactMap { element in
          if case .string(let value) = element.content, !value.isEmpty { value } else { nil as String? }
        }
        if values.count == elements.count { return values }
      }
      note(node, "“tags” must be an array of strings that are not empty, not \(node.phrase)")
      return nil
    }

    mutating func entry(_ node: JSONNode) -> Entry? {
      let problemsBefore = problems.count
      let members = members(of: node)
      guard problems.count == problemsBefore else { return nil }
      let file = string("file", in: members, of: node, isNeeded: true)
      let name = string("name", in: members, of: node, isNeeded: true)
      var annotation = ClipAnnotation()
      annotation.title = string("title", in: members, of: node)
      annotation.mood = string("mood", in: members, of: node)
      annotation.licence = string("licence", in: members, of: node)
      annotation.tags = members["tags"].flatMap { strings($0) }
      if let tempo = members["tempo_bpm"] {
        if case .number(let value) = tempo.content, value > 0 {
          annotation.tempo = value
        } else {
          note(tempo, "“tempo_bpm” must be a number above zero, not \(tempo.phrase)")
        }
      }
      if let file, !ClipName.isPlainFile(file) {
        note(members["file"] ?? node, "“\(file)” is not the name of an mp3, WAV or FLAC file in this folder")
      }
      if let name, let why = ClipName.objection(to: name) { note(members["name"] ?? node, why) }
      guard problems.count == problemsBefore, let file, let name else { return nil }
      return Entry(name: name, file: file, annotation: annotation)
    }
  }
}

/// Rules for the names of files and clips.
enum ClipName {
  /// Whether a name is that of a clip's file: not hidden, not a path.
  static func isPlainFile(_ file: String) -> Bool {
    ClipFormat(named: file) != nil && !file.utf8.contains(UInt8(ascii: "/")) && !file.utf8.contains(0)
      && !isHidden(file)
      && file.utf8.count <= 255
  }

  static func isHidden(_ file: String) -> Bool { file.utf8.first == UInt8(ascii: ".") }

  /// Why a list may not assign that name to a clip; `nil` if it may.
  static func objection(to name: String) -> String? {
    if name == "." || name == ".." || name.utf8.contains(UInt8(ascii: "/")) {
      return "the name “\(name)” would be a path; take another"
    }
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "a clip's name has no control characters or line breaks"
    }
    if name.utf8.count > 255 { return "a clip's name has at most 255 bytes, not \(name.utf8.count)" }
    return nil
  }
}
