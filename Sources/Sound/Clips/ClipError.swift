package import Basics

/// Why a file cannot be used as a clip, and what to do about it.
package struct ClipError: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  package let reason: Reason

  /// Why a clip cannot be used.
  package enum Reason: Error, Hashable, Sendable {
    case unreadable(FileError)
    /// The path is a folder, a pipe or a device.
    case notAFile
    case empty
    case onlyTags
    /// A tag before the sound claims this many bytes more than the file holds.
    case tagTooLong(missingBytes: Int)
    /// The file has the signature of another format, given by name: `an Ogg file`.
    case foreign(String)
    /// The content is in another supported format than the name's extension says; it is readable under the right name.
    case misnamed(ClipFormat)
    /// The content does not begin as the format of its extension requires.
    case noHead(ClipFormat)
    /// The file holds compressed sound, or samples of an unsupported encoding; with the library's code for it.
    case encoding(ClipFormat)
    case bits(Int)
    /// The file has more than two channels.
    case channels(Int)
    case sampleRate(Int)
    /// The file has a header, but no frame of sound after it.
    case noFrames
    case notMPEG
    /// The file contains frames, but too few of its bytes belong to them.
    case mostlyOther(audioBytes: Int, otherBytes: Int)
    /// The sample rate or the number of channels changes within the file, at this byte and second.
    case changes(from: String, to: String, byte: Int, seconds: Double)
    /// Encoder delay and padding remove all of the sound.
    case trimmedAway(frames: Int)
    /// The clip is shorter than the step requires, and the protocol refuses that.
    case tooShort(duration: Duration, wanted: Duration)
    /// More of the clip would be played than is held in memory.
    case tooLong(limit: Duration)
    case changed
    case deleted
    case duplicateName(String, others: [String])
    case listedButMissing(String)
    /// The list of clips is unusable; the place and the reason.
    case badList(String)
    /// libsndfile, which reads WAV and FLAC files, cannot be loaded; with the loader's message.
    case libraryMissing(String)
    case decoder(String)
  }

  /// The message for the operator: `cannot use “rain.mp3”: it is an Ogg file, not an mp3, WAV or FLAC file; convert it
  /// to WAV or FLAC`.
  package var description: String { "cannot use “\(path.visible)”: \(reason)" }
}

extension ClipError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let error): error.reason
    case .notAFile: "it is not a regular file; give \(ClipFormat.choice)"
    case .empty: "it is empty; copy it again"
    case .onlyTags: "it has tags but no sound; encode it again"
    case .tagTooLong(let missing):
      "its tag claims \(missing) bytes more than the file holds; copy it again, or remove its tags"
    case .foreign(let kind): "it is \(kind), not \(ClipFormat.choice); convert it to WAV or FLAC"
    case .misnamed(let format):
      "its content is \(format.name), which its name does not say; rename it so that it ends in \(format.ending)"
    case .noHead(let format): "it does not begin like \(format.phrase); it is damaged or something else, copy it again"
    case .encoding(let format):
      "its samples are compressed or of a kind that is not read; convert it to \(format.name) of 16 or 24 bits"
    case .bits(let count): "its samples have \(count) bits; encode it again with 16 or 24 bits"
    case .channels(let count): "it has \(count) channels; mix it down to one or two"
    case .sampleRate(let rate):
      "it has \(rate) frames a second; resample it to \(ClipFormat.rates.lowerBound) to "
        + "\(ClipFormat.rates.upperBound) Hz, for example to 48000 Hz"
    case .noFrames: "it holds no sound; export it again"
    case .notMPEG: "there is no MPEG audio in it; give \(ClipFormat.choice)"
    case .mostlyOther(let audio, let other):
      "only \(audio) of its \(audio + other) bytes are MPEG audio; it is damaged or not an mp3 file, encode it again"
    case .changes(let from, let to, let byte, let seconds):
      "its sound changes from \(from) to \(to) at \(milliseconds(seconds)) s (byte \(byte)); encode it as one piece"
    case .trimmedAway(let frames):
      "its encoder tag takes away all of its \(frames) frames of sound; encode it again"
    case .tooShort(let duration, let wanted):
      "it lasts \(milliseconds(duration / .seconds(1))) s, and the step lasts \(milliseconds(wanted / .seconds(1))) s; "
        + "choose a longer clip, or set whenShorter to “loop” or “end”"
    case .tooLong(let limit):
      "more of it is to be played than the \(milliseconds(limit / .seconds(1))) s of its format that are held in memory; "
        + "shorten the step, or loop a shorter clip"
    case .changed: "it has changed since the clips were read; start again, so that the new file is the one recorded"
    case .deleted: "it was there when the clips were read, and is gone; put it back, or start again without it"
    case .duplicateName(let name, let others):
      "the name “\(name.visible)” is also that of \(others.map { "“\($0.visible)”" }.joined(separator: ", ")); rename all but one"
    case .listedButMissing(let file):
      "it lists “\(file.visible)”, which is not in the folder; add the file or remove the entry"
    case .badList(let why): why
    case .libraryMissing(let why):
      "libsndfile, which reads WAV and FLAC files, cannot be opened (\(why)); install it: apt-get install libsndfile1"
    case .decoder(let why): "the decoder says “\(why)”; encode it again"
    }
  }

  private func milliseconds(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}
