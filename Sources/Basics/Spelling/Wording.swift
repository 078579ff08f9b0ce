/// A sentence that keeps its numbers apart from its words, so that sentences that differ only in numbers can be merged.
///
/// `The window of 9.8 s is short.` and `The window of 10 s is short.` become `The window of 9.8 to 10 s is short.`
/// Interpolated integers, and numbers with a format, are numbers; interpolated text belongs to the words.
package struct Wording: Hashable, Sendable {
  /// A number, or the range of the merged ones.
  private struct Number: Hashable {
    var least: Double
    var most: Double
    var leastText: String
    var mostText: String

    init(_ value: Double, _ text: String) { (least, most, leastText, mostText) = (value, value, text, text) }

    mutating func merge(_ other: Number) {
      if other.least < least { (least, leastText) = (other.least, other.leastText) }
      if other.most > most { (most, mostText) = (other.most, other.mostText) }
    }

    var text: String { leastText == mostText ? leastText : "\(leastText) to \(mostText)" }
  }

  /// The words: what stands before, between and after the numbers.
  package private(set) var words: [String]
  private var numbers: [Number] = []

  /// Merges another sentence with the same words, so that each number becomes the range of both.
  package mutating func merge(_ other: Wording) {
    for (index, number) in zip(numbers.indices, other.numbers) { numbers[index].merge(number) }
  }

  /// Joins two parts of a sentence.
  package static func + (first: Wording, second: Wording) -> Wording { "\(first)\(second)" }
}

extension Wording: CustomStringConvertible {
  package var description: String { zip(words, numbers.map(\.text) + [""]).map { "\($0)\($1)" }.joined() }
}

extension Wording: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { words = [text] }

  package init(stringInterpolation parts: StringInterpolation) { self = parts.wording }

  /// Collects the parts of a sentence.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var wording = Wording(stringLiteral: "")

    package init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends words.
    package mutating func appendLiteral(_ text: String) { wording.words[wording.words.count - 1] += text }

    /// Appends text that belongs to the words, such as a name.
    package mutating func appendInterpolation(_ text: String) { appendLiteral(text) }

    /// Appends a whole number.
    package mutating func appendInterpolation(_ number: Int) { append(Double(number), "\(number)") }

    /// Appends a count with its noun, as `counted` does.
    package mutating func appendInterpolation(_ count: Int, _ noun: String, _ plural: String? = nil) {
      appendInterpolation(count)
      appendLiteral(" \(count == 1 ? noun : plural ?? noun + "s")")
    }

    /// Appends a number with a fixed count of decimals.
    package mutating func appendInterpolation(_ number: Double, fixed digits: Int) {
      append(number, number.fixed(digits))
    }

    /// Appends a number in a format.
    package mutating func appendInterpolation(_ number: Double, _ format: (Double) -> String) {
      append(number, format(number))
    }

    /// Appends another sentence, or a part of one.
    package mutating func appendInterpolation(_ part: Wording) {
      appendLiteral(part.words.first ?? "")
      wording.numbers += part.numbers
      wording.words += part.words.dropFirst()
    }

    private mutating func append(_ value: Double, _ text: String) {
      wording.numbers.append(Number(value, text))
      wording.words.append("")
    }
  }
}

extension Int {
  /// The number with its noun: `1 trial`, `3 trials`.
  ///
  /// - Parameters:
  ///   - noun: the noun in the singular.
  ///   - plural: the noun in the plural; by default the singular with an s.
  /// - Returns: the number and the noun.
  package func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}

extension [String] {
  /// The words of a sentence: `a`, `a and b`, `a, b and c`.
  package var inWords: String { count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1] }
}

extension String {
  /// The text as one word of a POSIX shell, quoted if necessary.
  package var shellQuoted: String {
    let isPlain = utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/._-+:=,".utf8.contains(byte)
    }
    return isPlain && !isEmpty ? self : singleQuoted
  }

  /// The text between single quotes, as one word of a POSIX shell.
  package var singleQuoted: String {
    // By scalar: an apostrophe followed by a combining mark is still an apostrophe to a shell.
    unicodeScalars.reduce(into: "'") { text, scalar in
      if scalar == "'" { text += "'\\''" } else { text.unicodeScalars.append(scalar) }
    } + "'"
  }
}

extension String {
  /// The text, escaped for use as content or attribute value in XML and HTML.
  package var escapedForXML: String {
    var escaped = ""
    for character in unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
