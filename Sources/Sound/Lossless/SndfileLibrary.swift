import CSndfile

/// libsndfile, loaded when the first WAV or FLAC file is read or written.
enum SndfileLibrary {
  /// The loader's message if the library cannot be loaded; `nil` once it is loaded.
  private static let problem: String? = {
    var reason = [CChar](repeating: 0, count: 512)
    guard unsafe csndfile_open(&reason, reason.count) != 0 else { return nil }
    return String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  /// Loads the library; must precede every other call into it.
  static func open() throws(ClipError.Reason) { try check(problem) }

  /// Throws if the library cannot be loaded.
  static func check(_ problem: String?) throws(ClipError.Reason) {
    if let problem { throw .libraryMissing(problem) }
  }
}
