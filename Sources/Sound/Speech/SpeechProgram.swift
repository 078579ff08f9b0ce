package import Basics
import Study

/// The program that speaks texts, espeak-ng, run as a child.
///
/// A text is handed over on its standard input and read as plain text: what it holds is neither an option, nor markup,
/// nor a command of the voice.
package struct SpeechProgram: Sendable {
  private let name: String
  private let temporary: String?

  /// The program of this name, which is looked for in `PATH`, and its folder for temporary files, if not the environment's.
  package init(_ name: String = "espeak-ng", temporary: String? = nil) {
    (self.name, self.temporary) = (name, temporary)
  }

  /// Speaks a text with a voice for `en`, `pt-BR` into memory, on a separate thread, at the loudness of `Speech.target`.
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

/// Why a text cannot be spoken.
package enum SpeechError: Error, Hashable, Sendable, CustomStringConvertible {
  case programMissing(String)
  case noVoice(language: String)
  case failed(String)
  case unfinished(after: Duration)
  /// What it made of the text is longer than this.
  case tooLong(limit: Duration)
  case inaudible
  case file(FileError)
  case undecoded(ClipError.Reason)

  package var description: String {
    switch self {
    case .programMissing(let name):
      "the speech program \(name) is missing; install it: apt-get install espeak-ng"
    case .noVoice(let language):
      "espeak-ng has no voice for the language “\(language)”; choose one that “espeak-ng --voices” lists, or install its "
        + "voices: apt-get install espeak-ng-data"
    case .failed(let words): "espeak-ng failed: \(words); try the text with espeak-ng itself"
    case .unfinished(let time): "espeak-ng did not end within \(Int(time.seconds)) s; shorten the text"
    case .tooLong(let limit): "it takes longer than \(Int(limit.seconds)) s to speak; shorten it"
    case .inaudible: "nothing of it can be spoken; write it in words"
    case .file(let error): "the speech could not be written to a temporary file: \(error)"
    case .undecoded(let reason): "the speech of espeak-ng cannot be decoded: \(reason)"
    }
  }
}
