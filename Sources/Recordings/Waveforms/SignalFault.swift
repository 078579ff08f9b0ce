import Basics

/// Why a file of signals cannot be read.
enum SignalFault: Error, Hashable {
  /// A field of the header is not what it has to be: its name, and its text.
  case field(String, String)
  /// The file ends within the header, which needs so many bytes.
  case cut(needed: Int)
  /// The header says that it has another size than its signals need.
  case headerSize(said: Int, needed: Int)
  /// It has no signals, or too many.
  case signalCount(Int)
  /// A record or a frame is larger than any that is read, in bytes.
  case tooLarge(bytes: Int)
  /// There are no whole records or frames.
  case noSamples
  /// The header of a WFDB record has several segments.
  case segments(Int)
  /// A line of the header is missing or cannot be read.
  case line(Int, String)
  /// Samples are in a format that is not read: its number, and the signal's name.
  case format(String, signal: String)
  /// Nothing says how many of the units of an annotation file's times make a second: the header that would.
  case noRate(header: String)
  /// The signals' file cannot be opened: its name, and why.
  case signalFile(String, String)

  /// What is wrong, as a clause, and what to do.
  var reason: String {
    switch self {
    case .field(let name, let text):
      "its header is damaged: “\(text.visible)” is not a \(name)"
    case .cut(let needed): "it ends within its header, which has \(needed) bytes; the file was cut off"
    case .headerSize(let said, let needed):
      "its header is damaged: it says that it has \(said) bytes, and its signals need \(needed)"
    case .signalCount(let count): "it has \(count) signals; from 1 to \(SignalFile.maxSignals) are read"
    case .tooLarge(let bytes): "its records have \(bytes) bytes each; up to \(SignalFile.maxPiece) are read"
    case .noSamples: "it has no samples; the recording may have been cut off right after its header"
    case .segments(let count): "it is a record of \(count) segments; name the header of one segment"
    case .line(let number, let what): "line \(number) of its header: \(what)"
    case .format(let number, let signal):
      "its signal “\(signal.visible)” is in format \(number.visible); formats 16, 24, 32, 61, 80, 160, 212, 310 and 311 are "
        + "read: convert it with “xform -O 16” of the WFDB package"
    case .noRate(let header):
      "its times are numbers of samples, and nothing says how many samples make a second; put the header of its record, "
        + "“\(header.visible)”, beside it"
    case .signalFile(let name, let why): "its samples in “\(name.visible)” cannot be read: \(why)"
    }
  }
}
