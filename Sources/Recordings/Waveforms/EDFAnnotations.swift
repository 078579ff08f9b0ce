/// Reads the annotations of a record of an EDF+ or BDF+ file: lists of an onset, perhaps a duration, and texts.
///
///     +12.5␕0.2␔N␔␀     the onset and the duration in seconds; ␕ is 21, ␔ is 20, and ␀ ends a list
enum EDFAnnotations {
  /// An annotation of a record.
  struct Entry: Hashable, Sendable {
    /// Its onset, in seconds since the file's beginning.
    let time: Double
    /// Its text; empty for the one that tells when the record begins.
    let text: String
  }

  /// The annotations in the bytes of the signal of that name; what cannot be read is left out.
  static func entries(_ bytes: ArraySlice<UInt8>) -> [Entry] {
    bytes.split(separator: 0).flatMap { list -> [Entry] in
      let parts = list.split(separator: 20, omittingEmptySubsequences: false)
      guard let head = parts.first, parts.count > 1 else { return [] }
      let onset = head.split(separator: 21, omittingEmptySubsequences: false).first ?? head
      guard let time = Double(String(decoding: onset, as: UTF8.self)), time.magnitude < 1e9 else { return [] }
      let texts = parts.dropFirst().dropLast()
      return texts.map { Entry(time: time, text: String(decoding: $0, as: UTF8.self)) }
    }
  }

  /// Whether a text marks a heartbeat: a code of PhysioNet, or a word for an R peak.
  static func isBeat(_ text: String) -> Bool {
    // The channel may follow, as in `N@@ECG`.
    let mark = text.split(separator: "@").first.map { String($0).trimmed } ?? ""
    if mark.utf8.count == 1 { return WFDBAnnotations.beatCodes.values.contains(mark) }
    return ["r", "qrs", "r-peak", "r peak", "rpeak", "beat", "heartbeat", "normal beat"].contains(mark.lowercased())
  }
}
