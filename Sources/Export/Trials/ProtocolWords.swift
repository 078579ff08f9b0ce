import Basics
import Bundles
import Study

/// The words of a protocol: what an answer may say that is not in the participant's own words.
struct ProtocolWords: Sendable {
  private var words: Set<String> = []

  /// Reads the protocol of a bundle; one that cannot be read has no words.
  init(_ bundle: Bundle) {
    guard let bytes = try? File.contents(of: bundle.protocolFile, limit: 64 << 20),
      let document = try? JSONReader.read(bytes).value
    else { return }
    collect(document)
  }

  private mutating func collect(_ value: JSONValue) {
    switch value {
    case .string(let text): words.insert(text)
    case .array(let items): for item in items { collect(item) }
    case .object(let members): for member in members.values { collect(member) }
    case .null, .bool, .number: break
    }
  }

  /// Whether an answer holds only numbers and choices of the protocol.
  func says(_ answer: AnswerValue) -> Bool {
    switch answer {
    case .text(let text): words.contains(text)
    case .choices(let choices): choices.allSatisfy(words.contains)
    case .integer, .decimal, .boolean: true
    }
  }
}
