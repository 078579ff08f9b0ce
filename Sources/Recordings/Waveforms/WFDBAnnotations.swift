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
  static let maxCount = 10_000_000

  /// Whether bytes begin as a file of annotations does: nothing but codes that there are, and times that go on.
  static func isBeginning(_ bytes: [UInt8]) -> Bool {
    // Texts have no control characters but those of lines.
    guard bytes.count >= 6, bytes.contains(where: { $0 < 9 || 14..<32 ~= $0 }) else { return false }
    // A damaged text begins like a text.
    guard !bytes.prefix(6).allSatisfy({ 32..<127 ~= $0 }) else { return false }
    var (place, count, time) = (0, 0, 0)
    while place + 2 <= bytes.count {
      let word = Int(bytes[place]) | Int(bytes[place + 1]) << 8
      let (code, value) = (word >> 10, word & 0x3FF)
      place += 2
      switch code {
      case 0:
        guard value == 0 else { return false }
        return count > 1 && time > 0
      case 1...41:
        count += 1
        time += value
      case Code.skip:
        place += 4
        time += 1
      case Code.number: break
      case Code.text: place += value + value % 2
      default: return false
      }
    }
    return count > 1 && time > 0
  }

  /// Reads a file of annotations; it ends with a zero, or where it is cut off.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - rate: the record's number of frames per second, unless the file says its own; `nil` if nothing says it.
  /// - Returns: the annotations with their times in seconds, and whether the zero at the end is there; `nil` without a rate.
  static func read(_ bytes: [UInt8], rate: Double?) -> (all: [SignalAnnotation], isWhole: Bool)? {
    var (place, time, rate) = (0, 0, rate)
    var marks: [(time: Int, code: Int)] = []
    var isWhole = false
    func word(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
    while place + 2 <= bytes.count, marks.count < maxCount {
      let (code, value) = (word(place) >> 10, word(place) & 0x3FF)
      place += 2
      if code == 0, value == 0 {
        isWhole = true
        break
      }
      switch code {
      case Code.skip:
        guard place + 4 <= bytes.count else {
          place = bytes.count
          break
        }
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
        marks.removeAll()
      default:
        time += value
        marks.append((time, code))
      }
    }
    return rate.map { rate in
      let annotations = marks.map { mark in
        let letter = beatCodes[mark.code]
        return SignalAnnotation(time: Double(mark.time) / rate, text: letter ?? "\(mark.code)", isBeat: letter != nil)
      }
      return (annotations, isWhole)
    }
  }
}
