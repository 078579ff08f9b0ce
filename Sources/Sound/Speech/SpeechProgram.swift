import Basics
import Glibc
import Study

/// The program that speaks texts, espeak-ng, run as a child.
///
/// A text is handed over on its standard input and read as plain text: what it holds is neither an option, nor markup,
/// nor a command of the voice.
package struct SpeechProgram: Sendable {
  private let name: String
  private let temporary: String?

  /// How long the program may take for a text.
  private static let patience = Duration.seconds(30)

  /// The program of this name, which is looked for in `PATH`.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - temporary: the folder for temporary files; that of the environment unless it is given.
  package init(_ name: String = "espeak-ng", temporary: String? = nil) {
    (self.name, self.temporary) = (name, temporary)
  }

  /// Speaks a text into memory, on a separate thread.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - language: the language of the voice: `en`, `pt-BR`.
  /// - Returns: the speech, brought to ``Speech/target``.
  /// - Throws: ``SpeechError``.
  package func speech(_ text: String, in language: String) async throws(SpeechError) -> Speech {
    try await WaitingThread.run { Result { () throws(SpeechError) in try speak(text, in: language) } }.get()
  }

  private func speak(_ text: String, in language: String) throws(SpeechError) -> Speech {
    let (folder, claim) = try Self.filed { () throws(FileError) in try ServerFolder.make(in: temporary) }
    UnfinishedFiles.add(folder)
    defer { UnfinishedFiles.remove(folder) }
    return try claim.hold { () throws(SpeechError) in
      defer { ServerFolder.remove(folder) }
      return try speak(text, in: language, folder)
    }
  }

  private func speak(_ text: String, in language: String, _ folder: String) throws(SpeechError) -> Speech {
    let wave = "\(folder)/speech.wav"
    let words = [name, "-b", "1", "-z", "-v", language.lowercased(), "--stdin", "-w", wave]
    let ended = try run(words, reading: Self.plain(text), in: folder)
    guard ended.isDone else {
      if try !hasVoice(for: language, in: folder) { throw .noVoice(language: language) }
      throw .failed(ended.errors.isEmpty ? "it ended with an error" : ended.errors)
    }
    // Of nothing it makes no file.
    guard Folder.exists(wave) else { throw .inaudible }
    let (samples, rate) = try Self.decode(wave)
    guard var speech = Speech(text, language: language, rate: rate, samples: samples) else { throw .inaudible }
    (speech.program, speech.version) = (name, try version(in: folder))
    return speech
  }

  /// The text as the program is given it: without control characters, of which some are commands of its voice, and
  /// without the brackets that begin phonemes.
  static func plain(_ text: String) -> [UInt8] {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned: plain.append(" ")
      default:
        if scalar == "[", plain.last == "[" { plain.append(" ") }
        plain.append(scalar)
      }
    }
    return Array(String(plain).utf8.prefix(4 * ActiveStep.longestSpeech))
  }

  /// `1.51`, out of “eSpeak NG text-to-speech: 1.51  Data at: …”.
  private func version(in folder: String) throws(SpeechError) -> String? {
    let words = try run([name, "--version"], in: folder).output.split(separator: " ")
    return words.first { $0.first?.isNumber ?? false }.map(String.init)
  }

  /// Whether the program lists a voice for a language, whatever its region is.
  private func hasVoice(for language: String, in folder: String) throws(SpeechError) -> Bool {
    let base = language.lowercased().prefix { $0 != "-" }
    return try run([name, "--voices=\(base)"], in: folder).output.split(separator: "\n").count > 1
  }

  private static func decode(_ path: String) throws(SpeechError) -> (samples: [Float], rate: Int) {
    var samples: [Float] = []
    let format: SoundFormat
    do throws(ClipError) {
      var reader = try ClipReader(path, hashing: false)
      format = reader.format
      _ = try reader.read(upTo: format.frames(in: Speech.longest) + 1, into: &samples)
    } catch {
      throw error.reason == .noFrames || error.reason == .empty ? .inaudible : .undecoded(error.reason)
    }
    guard samples.count <= format.frames(in: Speech.longest) else { throw .tooLong(limit: Speech.longest) }
    return (samples, format.sampleRate)
  }

  // MARK: The child

  /// What a program that has ended said.
  private struct Ended {
    let isDone: Bool
    let output: String
    let errors: String
  }

  private func run(
    _ words: [String], reading input: [UInt8] = [], in folder: String
  ) throws(SpeechError) -> Ended {
    let (given, output, errors) = ("\(folder)/input", "\(folder)/output", "\(folder)/errors")
    let source = try Self.filed { () throws(FileError) in
      for path in [given, output, errors] where Folder.exists(path) { try Folder.removeFile(path) }
      try File.create(given, input, isPrivate: true)
      let descriptor = unsafe open(given, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError("open", given, code: errno) }
      return descriptor
    }
    defer { close(source) }
    var start = ProgramStart(words)
    start.input = .descriptor(source)
    start.output = .file(output)
    start.errors = .file(errors)
    let (isDone, code) = try UnfinishedFiles.run({ start.start() }, wait: Self.wait)
    guard let isDone else {
      throw code == ENOENT ? .programMissing(name) : .failed(unsafe String(cString: strerror(code)))
    }
    func text(_ path: String) throws(SpeechError) -> String {
      String(decoding: try Self.filed { () throws(FileError) in try File.contents(of: path) }, as: UTF8.self)
    }
    return Ended(
      isDone: isDone, output: try text(output),
      errors: try text(errors).split(separator: "\n").joined(separator: " ").visible)
  }

  private static func filed<Value>(_ body: () throws(FileError) -> Value) throws(SpeechError) -> Value {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }

  /// Waits for the end of a child, and ends it after ``patience``.
  ///
  /// - Returns: whether it ended without an error.
  private static func wait(for process: pid_t) throws(SpeechError) -> Bool {
    let step: Int32 = 5
    for _ in 0..<Int(patience / .milliseconds(Int(step))) {
      var status: Int32 = 0
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return status == 0 }
      if ended < 0, errno != EINTR { return false }
      _ = poll(nil, 0, step)
    }
    kill(-process, SIGKILL)
    _ = waitpid(process, nil, 0)
    throw .unfinished(after: patience)
  }
}
