import Basics

/// The codes of participants and sessions in a study.
package enum StudyCode: Sendable {
  /// Whether a text is a valid code: letters, digits and `+`, at most 64.
  ///
  /// The restriction keeps names and addresses of people out of results, and makes codes valid BIDS labels.
  package static func isLegal(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == UInt8(ascii: "+")
      }
  }
}

extension StudyCode {
  /// Why a text is not a valid code, with one that could be used instead; `nil` for a valid code.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - option: what the code is of: `participant`, `session`.
  /// - Returns: the reason.
  package static func problem(with text: String, of option: String) -> String? {
    guard !isLegal(text) else { return nil }
    guard text.utf8.count <= 64 else { return "\(text.utf8.count) bytes; at most 64 characters are allowed" }
    let allowed = "ASCII letters, digits and + are allowed"
    guard let wrong = text.first(where: { !isLegal(String($0)) }) else { return allowed }
    let why = "-_".contains(wrong) ? ", which separates the parts of a BIDS file name (sub-01_ses-2_task-rest)" : ""
    let key = ["participant": "sub-", "session": "ses-"][option].flatMap { text.hasPrefix($0) ? $0 : nil } ?? ""
    let better = String(text.dropFirst(key.count).filter { isLegal(String($0)) })
    let advice = better.isEmpty ? "" : "; for example --\(option) \(better)"
    return "it contains “\(String(wrong).visible)”\(why); \(allowed)\(advice)"
  }
}
