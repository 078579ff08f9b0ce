import Basics

/// A search for streams of the Lab Streaming Layer.
enum LSLSearch {
  /// How long streams have to answer, in seconds; where the library asks computers one by one, it begins after 0.5 s.
  static let patience = 1.5

  /// The streams, each once although it may have answered on several networks, by name.
  static func distinct(_ streams: [LSLStream]) -> [LSLStream] {
    var seen: Set<String> = []
    return streams.filter { seen.insert($0.identifier).inserted }
      .sorted { ($0.name, $0.host, $0.source, $0.identifier) < ($1.name, $1.host, $1.source, $1.identifier) }
  }

  /// The address of each stream, which none of the others has.
  static func addresses(of streams: [LSLStream]) -> [String] { streams.map { address(of: $0, among: streams) } }

  private static func address(of stream: LSLStream, among streams: [LSLStream]) -> String {
    let namesakes = streams.filter { $0.name == stream.name }
    let isPlain = stream.name.allSatisfy { $0.isLetter || $0.isNumber || " -_.".contains($0) } && !stream.name.isEmpty
    if namesakes.count == 1, isPlain { return "lsl:\(stream.name)" }
    // What a stream keeps when its program starts again comes first.
    let choices: [[Field]] = [
      [.name], [.name, .host], [.name, .source], [.name, .host, .source], [.source], [.name, .type],
      [.name, .host, .type],
    ]
    for fields in choices {
      let conditions = fields.compactMap { $0.condition(on: stream) }
      let isShared = streams.contains { other in
        other.identifier != stream.identifier && fields.allSatisfy { $0.value(in: other) == $0.value(in: stream) }
      }
      if !isShared, conditions.count == fields.count { return "lsl:\(conditions.joined(separator: " and "))" }
    }
    return "lsl:uid='\(stream.identifier)'"
  }

  /// A member of a stream's header.
  private enum Field: String {
    case name, type
    case host = "hostname"
    case source = "source_id"

    func value(in stream: LSLStream) -> String {
      switch self {
      case .name: stream.name
      case .type: stream.type
      case .host: stream.host
      case .source: stream.source
      }
    }

    /// That the member has the stream's value; `nil` for a value that cannot be written.
    func condition(on stream: LSLStream) -> String? {
      let value = value(in: stream)
      return value.isEmpty ? nil : LSLSettings.predicate(rawValue, value)
    }
  }
}
