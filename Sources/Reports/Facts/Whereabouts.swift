import Analysis
import Basics

/// Where something lies, as a command names it from the folder that it moves about with.
///
/// A page is read elsewhere than where it was made: the path by which the maker named a bundle leads nowhere there, and may
/// give away the name of a person's home.
struct Whereabouts: Hashable, Sendable {
  /// The folder in which the commands work, in words.
  let folder: String
  /// The path from there.
  let path: String

  /// The place of a bundle.
  init(bundle path: String) {
    let real = Folder.realPath(path) ?? path
    let isOfResults = Folder.name(of: Folder.parent(of: real)) == "bundles"
    folder = isOfResults ? "the results folder" : "the folder that holds the bundle"
    self.path = isOfResults ? "bundles/\(Folder.name(of: real))" : Folder.name(of: real)
  }

  /// The place of a file.
  init(file path: String) {
    folder = "the file's folder"
    self.path = Folder.name(of: path)
  }

  /// The path as a word of a command; one that begins with a dash would be taken for an option.
  var word: String { (path.hasPrefix("-") ? "./\(path)" : path).shellQuoted }

  /// What makes the numbers of a report again.
  ///
  /// - Parameters:
  ///   - settings: how they were measured.
  ///   - hasResponse: whether the response to a sound is among them.
  /// - Returns: a command, and what it is for.
  func analysis(_ settings: ReportSettings, hasResponse: Bool) -> [Block] {
    // Where there is no response, what is said of one would change nothing, and is refused.
    let ofResponse: Set = ["response", "bin", "baseline", "change"]
    var words = settings.words.filter { hasResponse || !ofResponse.contains($0.option) }.flatMap(\.words)
    if hasResponse, !words.contains("--response") {
      words += ["--response", "\((-settings.response.before).plain):\(settings.response.after.plain)"]
    }
    return [
      .paragraph(Words("The same numbers, in \(folder):")),
      .command((["station", "analyse", word] + words.map(\.shellQuoted) + ["--definitions"]).joined(separator: " ")),
    ]
  }
}

extension Double {
  /// The number as a command takes it.
  fileprivate var plain: String { shortest.replacing("−", with: "-") }
}
