import Analysis
import Basics

/// Text of a report: a sequence of runs, each with a style.
struct StyledText: Hashable, Sendable {
  /// The role of a run, which determines its appearance.
  enum Style: Hashable, Sendable {
    /// The report's own text.
    case plain
    /// Text from a file, with its own script and writing direction.
    case given
    /// An identifier, digest, path or command: monospaced, may break anywhere.
    case code
    /// Emphasised text.
    case strong
    /// Secondary text.
    case faint
    /// Text without line breaks, such as a date.
    case unbroken
    /// A reference to a footnote of the surrounding table.
    case note(Int)
  }

  /// A run of text in one style.
  struct Run: Hashable, Sendable {
    var text: String
    var style: Style
  }

  var runs: [Run] = []

  /// The placeholder for a missing value.
  static let none: StyledText = "–"

  init(_ runs: [Run] = []) { self.runs = runs }

  init(_ text: String, _ style: Style = .plain) { runs = text.isEmpty ? [] : [Run(text: text, style: style)] }

  /// Text from a file; a dash for `nil`.
  static func given(_ text: String?) -> StyledText {
    guard let text, !text.isEmpty else { return none }
    return StyledText(text, .given)
  }

  /// An identifier, digest or path; a dash for `nil`.
  static func code(_ text: String?) -> StyledText {
    guard let text, !text.isEmpty else { return none }
    return StyledText(text, .code)
  }

  static func faint(_ text: String) -> StyledText { StyledText(text, .faint) }

  /// The text without styles.
  var text: String { runs.map(\.text).joined() }

  static func + (left: StyledText, right: StyledText) -> StyledText { StyledText(left.runs + right.runs) }
  static func += (left: inout StyledText, right: StyledText) { left.runs += right.runs }
}

extension StyledText: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self.init(value) }
}

extension [StyledText] {
  /// Joins the elements with a separator.
  func joined(separator: StyledText) -> StyledText {
    dropFirst().reduce(first ?? StyledText()) { $0 + separator + $1 }
  }
}

extension String {
  /// The text with its first letter capitalised.
  var capitalizedFirst: String { first.map { $0.uppercased() + dropFirst() } ?? self }

  /// The text as a sentence: capitalised, with a full stop.
  var sentence: String {
    guard let last = last else { return self }
    return capitalizedFirst + (".!?".contains(last) ? "" : ".")
  }
}

extension Double {
  /// The number with a fixed count of decimals, and a minus sign as wide as a plus; a dash if not finite.
  func decimals(_ digits: Int) -> String { isFinite ? fixed(digits, minus: "−") : "–" }

  /// The number with an explicit sign, for differences.
  func change(_ digits: Int) -> String {
    let text = decimals(digits)
    return self > 0 && text.contains { ("1"..."9").contains($0) } ? "+\(text)" : text
  }
}

extension Measurement {
  /// The number of decimals to print.
  var digits: Int { measure.digits(of: value, unit: unit) }

  /// The unit as printed; empty for a dimensionless number.
  var printedUnit: String { unit.printedUnit }
}

extension String {
  /// A unit as UCUM writes it, as printed; empty for unit 1.
  var printedUnit: String { self == "1" ? "" : self == "ms2" ? "ms²" : self }
}

/// Formats seconds since the trial's zero.
func seconds(_ time: Double, _ digits: Int = 1) -> String { "\(time.decimals(digits)) s" }

extension Double {
  /// The number with as many decimals as it needs, at most three.
  var shortest: String {
    var text = decimals(3)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
