/// The codes by which a study knows its participants and sessions.
package enum StudyCode: Sendable {
  /// Whether a text is a code: letters, digits and `+`, 64 at most.
  ///
  /// It keeps names and addresses of people out of results, and is a legal label of BIDS.
  package static func isLegal(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == UInt8(ascii: "+")
      }
  }
}
