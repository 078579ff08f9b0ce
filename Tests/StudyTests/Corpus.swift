import Basics
import TestSupport

/// The protocols under `Tests/StudyTests/Corpus`, each named by what it shows.
enum Corpus: String, CaseIterable {
  /// Files that schema and reader accept.
  case good
  /// Files that schema and reader refuse.
  case bad
  /// Files that only the reader can refuse: broken JSON, equal keys, rules between parts.
  case badBeyondSchema = "bad-beyond-schema"

  /// The folder of these files, seen from the repository's root.
  var folder: String { "Tests/StudyTests/Corpus/\(rawValue)" }

  /// The files' names without `.json`.
  var names: [String] {
    get throws {
      try Folder.names(in: "\(Repository.root)/\(folder)").filter { $0.hasSuffix(".json") }.map {
        String($0.dropLast(5))
      }
    }
  }

  /// The names of the examples under `protocols`.
  static var examples: [String] {
    get throws {
      try Folder.names(in: "\(Repository.root)/protocols").filter {
        $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json")
      }
    }
  }

  /// The bytes of a file.
  func bytes(of name: String) throws -> [UInt8] {
    try File.contents(of: "\(Repository.root)/\(folder)/\(name).json")
  }
}
