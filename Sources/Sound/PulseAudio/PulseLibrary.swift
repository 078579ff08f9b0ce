import CPulse

/// libpulse, loaded when the first sound is played.
enum PulseLibrary {
  /// The loader's message if the library cannot be loaded; `nil` once it is loaded.
  private static let problem = unsafe cpulse_open().map { unsafe String(cString: $0) }

  /// Loads the library; must precede every other call into PulseAudio.
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

extension SoundServerError {
  init(action: String, code: Int32, advice: String? = nil, isUnreachable: Bool = false) {
    self.init(action: action, reason: PulseLibrary.text(of: code), advice: advice, isUnreachable: isUnreachable)
  }

  /// Why a stream ended, from PulseAudio's error number.
  static func lost(_ code: Int32) -> SoundServerError {
    switch code {
    case Int32(PA_ERR_KILLED.rawValue):
      SoundServerError(action: "go on playing", reason: "the sink went away", advice: "look for the sound card")
    case Int32(PA_ERR_CONNECTIONTERMINATED.rawValue):
      SoundServerError(action: "go on playing", reason: "the sound server went away", advice: "start PulseAudio again")
    default: SoundServerError(action: "play", code: code)
    }
  }
}
