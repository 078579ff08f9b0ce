import Analysis
import Basics

/// The location of a file or bundle, as a path relative to a folder that moves with it.
///
/// A page is often read on another computer: the path that its author used is not valid there, and may reveal the
/// author's user name.
struct Whereabouts: Hashable, Sendable {
  /// A description of the folder in which the commands work.
  let folder: String
  /// The path relative to that folder.
  let path: String

  /// Creates the location of a bundle.
  init(bundle path: String) {
    let real = Folder.realPath(path) ?? path
    let isOfResults = Folder.name(of: Folder.parent(of: real)) == "bundles"
    folder = isOfResults ? "the results folder" : "the folder that holds the bundle"
    self.path = isOfResults ? "bundles/\(Folder.name(of: real))" : Folder.name(of: real)
  }

  /// Creates the location of a file.
  init(file path: String) {
    folder = "the file's folder"
    self.path = Folder.name(of: path)
  }

  /// The path as a command argument; a leading dash is protected from being parsed as an option.
  var word: String { (path.hasPrefix("-") ? "./\(path)" : path).shellQuoted }

  /// The command that reproduces the numbers of a report.
  ///
  /// - Parameters:
  ///   - settings: how the numbers were computed.
  ///   - hasResponse: whether they include a stimulus response.
  /// - Returns: an explanation and the command.
  func analysis(_ settings: ReportSettings, hasResponse: Bool) -> [Block] {
    // Without a response the command refuses response options.
    let ofResponse: Set = ["response", "bin", "baseline", "change"]
    var words = settings.words.filter { hasResponse || !ofResponse.contains($0.option) }.flatMap(\.words)
    if hasResponse, !words.contains("--response") {
      words += ["--response", "\((-settings.response.before).plain):\(settings.response.after.plain)"]
    }
    return [
      .paragraph(StyledText("The same numbers, in \(folder):")),
      .command((["station", "analyse", word] + words.map(\.shellQuoted) + ["--definitions"]).joined(separator: " ")),
    ]
  }
}

extension Double {
  /// The number as a command argument.
  fileprivate var plain: String { shortest.replacing("−", with: "-") }
}
