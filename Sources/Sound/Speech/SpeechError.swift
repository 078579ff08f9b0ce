package import Basics

/// Why a text cannot be spoken.
package enum SpeechError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The program is not installed.
  case programMissing(String)
  /// The program has no voice for a language.
  case noVoice(language: String)
  /// The program could not be started or ended with an error.
  case failed(String)
  /// The program did not end in time.
  case unfinished(after: Duration)
  /// What it made of the text is longer than this.
  case tooLong(limit: Duration)
  /// Nothing of the text can be heard.
  case inaudible
  /// The temporary file with the speech cannot be used.
  case file(FileError)
  /// What the program wrote cannot be decoded.
  case undecoded(ClipError.Reason)

  /// What failed, why, and what to do.
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
