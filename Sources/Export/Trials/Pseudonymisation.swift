import Basics
import Bundles
import Quantities
import Recordings

/// How an export hides who a participant is: pseudonyms instead of codes, and shifted dates.
///
/// Both follow from a random key that stays with the results: later exports use the same pseudonyms, and a person with
/// the key can find a participant again. Without options nothing is hidden.
package struct Pseudonymisation: Sendable {
  /// Whether participants' codes are replaced.
  let hidesCodes: Bool
  let shiftsDates: Bool
  private let key: [UInt8]

  /// Hides nothing.
  package static let none = Pseudonymisation(hidesCodes: false, shiftsDates: false, key: [])

  /// Dates are shifted to before 1925, as BIDS recommends, so that no one takes them for real ones.
  private static let minShift = 40_000
  private static let maxFurtherShift: UInt64 = 730

  private init(hidesCodes: Bool, shiftsDates: Bool, key: [UInt8]) {
    (self.hidesCodes, self.shiftsDates, self.key) = (hidesCodes, shiftsDates, key)
  }

  /// Takes the key from a file, which is made, readable by its owner only, if it is missing.
  ///
  /// - Throws: `ExportError` for a file that holds no key, and `FileError`.
  package init(hidesCodes: Bool, shiftsDates: Bool, keyFile: String) throws {
    self.init(hidesCodes: hidesCodes, shiftsDates: shiftsDates, key: try Self.key(keyFile))
  }

  private static func key(_ path: String) throws -> [UInt8] {
    if !Folder.exists(path) {
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let text = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\n"
      try File.create(path, Array(text.utf8), isPrivate: true)
    }
    let digits = try File.contents(of: path, limit: 4096).filter { $0 != UInt8(ascii: "\n") }
    guard digits.count == 64, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else {
      throw ExportError.noKey(path: path)
    }
    return digits
  }

  /// Whether anything is hidden: then whatever could identify is left out.
  var isActive: Bool { hidesCodes || shiftsDates }

  /// The options that ask for it, for people.
  var options: String {
    let words = [hidesCodes ? "--pseudonyms" : nil, shiftsDates ? "--shift-dates" : nil].compactMap(\.self)
    return words.isEmpty ? "neither --pseudonyms nor --shift-dates" : words.joined(separator: " ")
  }

  /// The options of an export that its folder keeps: with others it would have trials that do not belong together.
  func options(with corrections: CorrectionChoice) -> String {
    options + (corrections == .all ? "" : " --corrections \(corrections)")
  }

  private func digest(_ purpose: String, _ text: String) -> Digest {
    SHA256.digest(of: key + Array("\(purpose)\u{0}\(text)".utf8))
  }

  func participant(_ code: String) -> String {
    hidesCodes ? "s" + digest("participant", code).description.prefix(10) : code
  }

  /// The identifier of a trial, or of a session; the station's own identifiers hold their date.
  func identifier(_ identifier: String) -> String {
    isActive ? "t" + digest("identifier", identifier).description.prefix(16) : identifier
  }

  /// A time of a participant.
  func time(_ time: WallTime, of code: String) -> WallTime {
    guard shiftsDates else { return time }
    let further = digest("shift", code).words.high % (Self.maxFurtherShift + 1)
    return time.advanced(by: .seconds(-86_400 * (Self.minShift + Int(further))))
  }

  /// What is left out, for people.
  var omissions: [String] {
    isActive
      ? [
        "names of stations and devices", "time zones",
        "free text (answers in the participant's own words, annotations, reasons)",
        "the room's sound", "bundles",
      ] : []
  }
}
