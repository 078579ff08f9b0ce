import CPipeWire

/// libpipewire, loaded when a PipeWire server is looked for.
enum PipeWireLibrary {
  /// The loader's message if the library cannot be loaded; `nil` once it is loaded.
  private static let problem = unsafe cpipewire_open().map { unsafe String(cString: $0) }

  /// Loads the library; must precede every other call into PipeWire.
  ///
  /// - Throws: ``SoundServerError`` if it is not installed.
  static func open() throws(SoundServerError) { try check(problem) }

  /// Throws if the library cannot be loaded, and names the package that contains it.
  static func check(_ problem: String?) throws(SoundServerError) {
    guard let problem else { return }
    throw SoundServerError(
      action: "play through PipeWire", reason: "its client library cannot be opened (\(problem))",
      advice: "install it: apt-get install libpipewire-0.3-0, or play through PulseAudio: --speaker pulse:default")
  }
}
