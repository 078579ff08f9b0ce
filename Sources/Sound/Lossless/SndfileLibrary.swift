import CSndfile

/// libsndfile, opened when the first WAV or FLAC file is read.
enum SndfileLibrary {
  /// Why it cannot be opened, in the loader's words; `nil` once it is open.
  private static let problem: String? = {
    var reason = [CChar](repeating: 0, count: 512)
    guard unsafe csndfile_open(&reason, reason.count) != 0 else { return nil }
    return String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  /// Opens the library, before anything else of it is called.
  static func open() throws(ClipError.Reason) { try check(problem) }

  /// Refuses a library that cannot be opened.
  static func check(_ problem: String?) throws(ClipError.Reason) {
    if let problem { throw .libraryMissing(problem) }
  }
}
