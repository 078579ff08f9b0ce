import Basics
import Quantities

extension AddressReader {
  /// Reads what follows `lsl:`.
  func lsl(_ rest: String) throws(SensorError) -> Reading {
    let (text, options) = try split(rest, known: Self.commonOptions + ["quantity"])
    guard !text.isEmpty, !text.contains("\0") else {
      throw error("the stream is missing", "say lsl:NAME, or a predicate as in lsl:type='HeartRate'")
    }
    var settings = LSLSettings(predicate: text)
    if !text.contains("="), !text.contains("(") {
      guard let predicate = Self.predicate("name", text) else {
        throw error("the name has both kinds of quotation marks", "write a predicate, as in lsl:source_id='ID'")
      }
      settings.predicate = predicate
    }
    if let names = options["quantity"] {
      for name in names.split(separator: ",", omittingEmptySubsequences: false) {
        settings.quantities.append(name == "-" ? nil : try quantity(String(name)))
      }
    }
    return (.lsl(settings), try latency(options), try location(options["location"]))
  }

  /// The predicate that streams meet of which a member has a value; `nil` where it cannot be written.
  static func predicate(_ member: String, _ value: String) -> String? {
    guard let mark = ["'", "\""].first(where: { !value.contains($0) }) else { return nil }
    return "\(member)=\(mark)\(value)\(mark)"
  }
}
