import Basics

/// Why an archive cannot be written or read.
package enum ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A session has no finished trial.
  case noBundles(session: String)
  /// A bundle is not complete and unchanged.
  case damaged(path: String, problem: String)
  /// A file is not the one of the manifest.
  case changed(file: String)
  /// A program that is needed is not installed.
  case missing(program: String)
  case failed(program: String, reason: String)
  /// The archive is encrypted, and there is no key.
  case encrypted
  /// There are files beside the folder.
  case severalFolders
  /// There are no files.
  case empty
  /// A tag file is larger than any is.
  case largeTagFile(String)

  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .noBundles(let session): "the session \(session.visible) has no finished trial to archive"
    case .damaged(let path, let problem):
      "“\(path.visible)” is not archived: \(problem); “station verify” lists all problems"
    case .changed(let file):
      "“\(file.visible)” is not what its bundle's manifest lists; “station verify” lists what has changed"
    case .missing(let program):
      "the program \(program) is missing; install the Debian package “\(program)”"
    case .failed(let program, let reason): "\(program) failed: \(reason.visible)"
    case .encrypted: "it is encrypted with age; name the file with your age key: --identity FILE"
    case .severalFolders: "it has more than the one folder of a bundle"
    case .empty: "it has no files"
    case .largeTagFile(let name): "“\(name.visible)” is larger than \(BagContents.maxTagFile >> 20) MiB"
    }
  }

  init(_ failure: ProgramChain.Failure) {
    switch failure {
    case .missing(let program): self = .missing(program: program)
    case .ended(let program, let reason): self = .failed(program: program, reason: reason)
    case .system(let error): self = .failed(program: error.path, reason: error.description)
    }
  }
}
