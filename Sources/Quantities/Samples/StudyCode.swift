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
