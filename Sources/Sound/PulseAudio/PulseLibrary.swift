import CPulse

/// libpulse, opened when the first sound is played.
enum PulseLibrary {
  /// Why it cannot be opened, in the loader's words; `nil` once it is open.
  private static let problem: String? = {
    var reason = [CChar](repeating: 0, count: 512)
    guard unsafe cpulse_open(&reason, reason.count) != 0 else { return nil }
    return String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  /// Opens the library, before anything else of PulseAudio is called.
  ///
  /// - Throws: ``PulseAudioError`` where it is not installed.
  static func open() throws(PulseAudioError) { try check(problem) }

  /// Refuses a library that cannot be opened, with the package that has it.
  static func check(_ problem: String?) throws(PulseAudioError) {
    guard let problem else { return }
    throw PulseAudioError(
      action: "play sound", reason: "PulseAudio's client library cannot be opened (\(problem))",
      advice: "install it: apt-get install libpulse0")
  }

  /// What PulseAudio calls an error.
  static func text(of code: Int32) -> String {
    guard problem == nil, let text = unsafe pa_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
