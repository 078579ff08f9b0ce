package import Basics

/// Why a recording of sound cannot be written or read as a FLAC file.
package enum SoundFileError: Error, Hashable, Sendable {
  /// libsndfile cannot be loaded; with the loader's message.
  case libraryMissing(String)
  /// The file cannot be read or written.
  case file(FileError)
  /// libsndfile reported an error.
  case library(path: String, String)
  /// The file ends before the frames that its sidecar lists.
  case short(path: String)
}

extension SoundFileError: CustomStringConvertible {
  /// What failed, why, and what to do.
  package var description: String {
    switch self {
    case .libraryMissing(let why): "\(ClipError.Reason.libraryMissing(why))"
    case .file(let error): "\(error)"
    case .library(let path, let why): "cannot use “\(path.visible)”: libsndfile says “\(why)”"
    case .short(let path): "“\(path.visible)” ends before the frames that its sidecar lists"
    }
  }
}
