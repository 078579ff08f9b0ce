import Bundles
import Export

/// What exports say instead of what could identify a person.
struct PseudonymisationOptions: Sendable {
  static let options: [CommandSyntax.Option] = [
    .init("pseudonyms", "replace participants' codes and trial identifiers; leave out what could identify a person"),
    .init(
      "shift-dates", "move each participant's dates by a number of days that only the key tells; also leave those out"),
    .init(
      "key", value: "FILE",
      "the file with the key for pseudonyms and dates, made if missing (default: export.key in the results folder)"),
  ]

  private let hidesCodes: Bool
  private let shiftsDates: Bool
  private let key: String?

  init(_ arguments: Arguments) throws(UsageError) {
    hidesCodes = arguments.has("pseudonyms")
    shiftsDates = arguments.has("shift-dates")
    key = arguments["key"]
    if key != nil, !hidesCodes, !shiftsDates {
      throw arguments.refusal("--key needs --pseudonyms or --shift-dates")
    }
  }

  /// The pseudonymisation of an export.
  ///
  /// - Parameter operands: what is exported; the key lies in the first results folder of them unless it is named.
  /// - Returns: the pseudonymisation.
  /// - Throws: `ExportError` for a file without a key, and `FileError`.
  func value(for operands: [String]) throws -> Pseudonymisation {
    guard hidesCodes || shiftsDates else { return .none }
    let folder = operands.first { ResultsPath($0) == .results }
    guard let key = key ?? folder.map({ "\($0)/export.key" }) else {
      throw Failure("missing --key FILE, since no results folder is given that could keep the key")
    }
    return try Pseudonymisation(hidesCodes: hidesCodes, shiftsDates: shiftsDates, keyFile: key)
  }
}
