import CPulse

/// libpulse, loaded when the first sound is played.
enum PulseLibrary {
  /// The loader's message if the library cannot be loaded; `nil` once it is loaded.
  private static let problem = unsafe cpulse_open().map { unsafe String(cString: $0) }

  /// Loads the library; must precede every other call into PulseAudio.
  ///
  /// - Throws: ``SoundServerError`` if it is not installed.
  static func open() throws(SoundServerError) { try check(problem) }

  /// Throws if the library cannot be loaded, and names the package that contains it.
  static func check(_ problem: String?) throws(SoundServerError) {
    guard let problem else { return }
    throw SoundServerError(
      action: "play sound", reason: "PulseAudio's client library cannot be opened (\(problem))",
      advice: "install it: apt-get install libpulse0")
  }

  /// PulseAudio's text for an error number.
  static func text(of code: Int32) -> String {
    guard problem == nil, let text = unsafe pa_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
