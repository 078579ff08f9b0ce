import Basics
package import Quantities

/// The error for a name of which a store knows nothing.
package enum UnknownName: Misuse, Hashable, CustomStringConvertible {
  /// There is no such type; `others` are known besides those of HealthKit.
  case type(String, others: [String])
  /// No device of that name has samples.
  case device(String, known: [String])
  /// No source of that name has samples of something.
  case source(String, of: String, known: [String])

  /// What is unknown, and what is known.
  package var description: String {
    switch self {
    case .type(let name, let others):
      let known = QuantityType.all.map(\.identifier) + others
      let advice = Spelling.advice(for: name, among: known, aliases: QuantityType.otherHealthKitNames)
      return "there is no quantity type “\(name)”; \(advice)"
    case .device(let name, let known):
      return "this store has no samples from a device “\(name)”\(Self.advice(name, known))"
    case .source(let name, let what, let known):
      return "no source “\(name)” has samples \(what)\(Self.advice(name, known))"
    }
  }

  private static func advice(_ name: String, _ known: [String]) -> String {
    known.isEmpty ? "" : "; \(Spelling.advice(for: name, among: known))"
  }

  package var isMisuse: Bool { if case .type = self { true } else { false } }
}

extension SampleStore {
  /// The type of that name; it may be one that only the store defines.
  package static func type(_ name: String, in store: SampleStore?) async throws -> SampleType {
    if name == SampleType.heartbeatSeries.description || name == SampleType.heartbeatSeries.healthKitIdentifier {
      return .heartbeatSeries
    }
    return .quantity(try await quantityType(name, in: store, aliases: [SampleType.heartbeatSeries.description]))
  }

  /// The quantity type of that name, including those that only the store defines.
  package static func quantityType(
    _ name: String, in store: SampleStore?, aliases: [String] = []
  ) async throws -> QuantityType {
    if let type = QuantityType(name) { return type }
    var own: [QuantityType] = []
    if let store, store.client == nil { own = try await store.types().filter(\.isUserDefined) }
    if let type = own.first(where: { $0.identifier == name || $0.healthKitIdentifier == name }) { return type }
    if let type = QuantityType(channel: name) { return type }
    throw UnknownName.type(name, others: own.map(\.identifier) + aliases)
  }

  /// The devices with these names or local identifiers; `nil` if no name is given.
  package func devices(called names: [String]) async throws -> Set<Device>? {
    guard !names.isEmpty else { return nil }
    let known = try await devices()
    return try names.reduce(into: []) { chosen, name in
      let named = known.filter { $0.name == name || $0.localIdentifier == name }
      guard !named.isEmpty else {
        throw UnknownName.device(name, known: Set(known.compactMap(\.name)).sorted())
      }
      chosen.formUnion(named)
    }
  }
}

extension Set<Source> {
  /// The sources with that name or bundle identifier, as typed on a keyboard.
  ///
  /// - Parameters:
  ///   - name: what the user typed; blanks and apostrophes of any kind match each other.
  ///   - what: what they have samples of, for the message.
  /// - Returns: at least one source.
  /// - Throws: ``UnknownName`` if there is none, listing those that exist.
  package func called(_ name: String, _ what: String) throws(UnknownName) -> Set<Source> {
    let exact = filter { $0.name == name || $0.bundleIdentifier == name }
    let typed = name.asTyped
    let matching = exact.isEmpty ? filter { $0.name.asTyped == typed || $0.bundleIdentifier.asTyped == typed } : exact
    guard matching.isEmpty else { return matching }
    throw .source(name, of: what, known: Set<String>(map(\.name)).sorted())
  }
}

extension String {
  // Apple's names have no-break spaces and typographic apostrophes, which are hard to type.
  fileprivate var asTyped: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar {
          case "\u{A0}", "\u{202F}": " "
          case "’": "'"
          default: scalar
          }
        }))
  }
}

/// How many samples of simulated sensors there are among those that numbers are asked of.
package struct SimulatedSamples: Hashable, Sendable {
  /// How many there are.
  var count: Int
  /// Whether the numbers include them.
  let areIncluded: Bool

  package init(_ count: Int, areIncluded: Bool) { (self.count, self.areIncluded) = (count, areIncluded) }

  /// How many the numbers include.
  package var included: Int { areIncluded ? count : 0 }

  /// The mark of numbers that include some; `nil` for others.
  package var mark: String? {
    guard included > 0 else { return nil }
    return "\(Source.simulationMark): \(words) \(count == 1 ? "is" : "are") included"
  }

  /// The message that some were left out; `nil` if none were.
  package var leftOut: String? {
    guard !areIncluded, count > 0 else { return nil }
    return "left out \(words); --include simulated takes \(count == 1 ? "it" : "them") in"
  }

  private var words: String { "\(count.counted("sample")) of simulated sensors" }
}

extension SampleStore {
  /// Counts the samples of simulated sensors among the matching ones, whether the predicate includes them or not.
  package func countSimulated(_ type: SampleType, matching predicate: SamplePredicate) async throws -> Int {
    var simulated = predicate
    simulated.includesSimulated = true
    simulated.sources = try await sources(of: type).filter {
      $0.isSimulated && predicate.sources?.contains($0) ?? true
    }
    return simulated.sources?.isEmpty ?? true ? 0 : try await count(type, matching: simulated)
  }

  /// Counts those of several types.
  func countSimulated(_ types: [(type: QuantityType, predicate: SamplePredicate)]) async throws -> SimulatedSamples {
    var samples = SimulatedSamples(0, areIncluded: types.allSatisfy(\.predicate.includesSimulated))
    for (type, predicate) in types { samples.count += try await countSimulated(.quantity(type), matching: predicate) }
    return samples
  }
}
