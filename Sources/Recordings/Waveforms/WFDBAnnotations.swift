/// Reads the annotations of a WFDB record: "annot(5)" of the WFDB Applications Guide.
///
/// Each is a number of 16 bits: a code of six bits, and the time since the one before in ten. Some codes are followed by
/// more bytes, or change what follows.
enum WFDBAnnotations {
  /// The codes that mark a heartbeat, with their letters.
  static let beatCodes: [Int: String] = [
    1: "N", 2: "L", 3: "R", 4: "a", 5: "V", 6: "F", 7: "J", 8: "A", 9: "S", 10: "E", 11: "j", 12: "/", 13: "Q", 25: "B",
    30: "?", 34: "e", 35: "n", 38: "f", 41: "r",
  ]

  private enum Code {
    static let note = 22
    static let skip = 59
    static let number = 60...62
    static let text = 63
  }

  /// The largest number of annotations.
  static let most = 10_000_000

  /// Reads a file of annotations; it ends with a zero, or where it is cut off.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - rate: the record's number of frames per second, unless the file says its own.
  /// - Returns: the annotations with their times in seconds.
  static func read(_ bytes: [UInt8], rate: Double) -> [SignalAnnotation] {
    var (place, time, rate) = (0, 0, rate)
    var annotations: [SignalAnnotation] = []
    func word(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
    while place + 2 <= bytes.count, annotations.count < most {
      let (code, value) = (word(place) >> 10, word(place) & 0x3FF)
      place += 2
      if code == 0, value == 0 { break }
      switch code {
      case Code.skip:
        guard place + 4 <= bytes.count else { return annotations }
        // The high half comes first.
        let step = Int(Int32(truncatingIfNeeded: word(place) << 16 | word(place + 2)))
        place += 4
        (time, _) = time.addingReportingOverflow(step)
      case Code.number: break
      case Code.text:
        let text = bytes[place..<min(bytes.count, place + value)]
        place += value + value % 2
        let resolution = "## time resolution: "
        guard text.starts(with: resolution.utf8), time == 0,
          let said = Double(String(decoding: text.dropFirst(resolution.utf8.count), as: UTF8.self).trimmed),
          (0.001...1e6).contains(said)
        else { continue }
        rate = said
        annotations.removeAll()
      default:
        time += value
        let letter = beatCodes[code]
        annotations.append(
          SignalAnnotation(time: Double(time) / rate, text: letter ?? "\(code)", isBeat: letter != nil))
      }
    }
    return annotations
  }
}
