import Basics
import Study

/// The program that speaks texts, espeak-ng, run as a child.
///
/// A text is handed over on its standard input and read as plain text: what it holds is neither an option, nor markup,
/// nor a command of the voice.
package struct SpeechProgram: Sendable {
  private let name: String
  private let temporary: String?

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
    let folder: TemporaryFolder
    do throws(FileError) { folder = try TemporaryFolder(in: temporary) } catch { throw .file(error) }
    return try folder.use { (path) throws(SpeechError) in try speak(text, in: language, path) }
  }

  private func speak(_ text: String, in language: String, _ folder: String) throws(SpeechError) -> Speech {
    let wave = "\(folder)/speech.wav"
    let words = [name, "-b", "1", "-z", "-v", language.lowercased(), "--stdin", "-w", wave]
    do throws(SpeechError) {
      _ = try run(words, reading: Self.plain(text), in: folder)
    } catch {
      if case .failed = error, try !hasVoice(for: language, in: folder) { throw .noVoice(language: language) }
      throw error
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
    return Array(String(plain).utf8.prefix(4 * ActiveStep.maxSpeech))
  }

  /// `1.51`, out of “eSpeak NG text-to-speech: 1.51  Data at: …”.
  private func version(in folder: String) throws(SpeechError) -> String? {
    let words = try run([name, "--version"], in: folder).split(separator: " ")
    return words.first { $0.first?.isNumber ?? false }.map(String.init)
  }

  /// Whether the program lists a voice for a language, whatever its region is.
  private func hasVoice(for language: String, in folder: String) throws(SpeechError) -> Bool {
    let base = language.lowercased().prefix { $0 != "-" }
    return try run([name, "--voices=\(base)"], in: folder).split(separator: "\n").count > 1
  }

  private static func decode(_ path: String) throws(SpeechError) -> (samples: [Float], rate: Int) {
    var samples: [Float] = []
    let format: SoundFormat
    do throws(ClipError) {
      var reader = try ClipReader(path, hashing: false)
      format = reader.format
      _ = try reader.read(upTo: format.frames(in: Speech.maxLength) + 1, into: &samples)
    } catch {
      throw error.reason == .noFrames || error.reason == .empty ? .inaudible : .undecoded(error.reason)
    }
    guard samples.count <= format.frames(in: Speech.maxLength) else { throw .tooLong(limit: Speech.maxLength) }
    return (samples, format.sampleRate)
  }

  private func run(
    _ words: [String], reading input: [UInt8] = [], in folder: String
  ) throws(SpeechError) -> String {
    do throws(ProgramStart.Failure) {
      return try ProgramStart(words).run(reading: input, in: folder)
    } catch {
      switch error {
      case .missing: throw .programMissing(name)
      case .notStarted(let reason), .failed(let reason): throw .failed(reason)
      case .unfinished(let limit): throw .unfinished(after: limit)
      case .file(let error): throw .file(error)
      }
    }
  }
}
