import Basics
import Bundles
import Quantities
package import SampleStore

/// The samples added to and deleted from a store since an anchor.
///
/// Deletions come before additions, since replacing a sample is both. After each batch comes the anchor from which to
/// continue.
package struct ChangeListing: Sendable {
  package let store: SampleStore
  package let type: SampleType
  private let predicate: SamplePredicate
  private let rendering: SampleRendering
  private let isJSON: Bool
  private let put: @Sendable (String) -> Bool

  /// The number of changes read in one call.
  private static let page = 1000

  /// Lists changes.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - type: the type of the samples.
  ///   - predicate: which samples are listed.
  ///   - rendering: the unit and the time zone.
  ///   - isJSON: whether changes are listed as JSON.
  ///   - put: writes a line, and returns whether the output still has a reader.
  package init(
    _ store: SampleStore, _ type: SampleType, _ predicate: SamplePredicate, _ rendering: SampleRendering, isJSON: Bool,
    put: @escaping @Sendable (String) -> Bool
  ) {
    (self.store, self.type, self.predicate) = (store, type, predicate)
    (self.rendering, self.isJSON, self.put) = (rendering, isJSON, put)
  }

  /// Lists the changes after an anchor, page by page, then the anchor from which to continue.
  ///
  /// - Parameters:
  ///   - anchor: the anchor; `nil` for all changes.
  ///   - limit: the maximum number of changes; 0 for all.
  ///   - isQuiet: whether nothing is written if nothing changed.
  /// - Returns: the anchor from which to continue.
  /// - Throws: the store's errors, and `CancellationError`.
  package func list(after anchor: QueryAnchor?, limit: Int, isQuiet: Bool = false) async throws -> QueryAnchor {
    var (anchor, rest, count) = (anchor, limit, 0)
    while true {
      let most = limit == 0 ? Self.page : min(rest, Self.page)
      let next: Shown
      switch type {
      case .quantity(let type):
        next = try show(try await store.changes(of: type, since: anchor, matching: predicate, limit: most)) { sample in
          isJSON ? try rendering.json(sample).text() : try rendering.line(sample)
        }
      case .heartbeatSeries:
        next = try show(
          try await store.heartbeatSeriesChanges(since: anchor, matching: predicate, limit: most)
        ) { series in
          isJSON ? SampleRendering.json(series).text() : SampleRendering.line(series, rendering.zone)
        }
      }
      anchor = next.anchor
      count += next.count
      rest -= next.count
      guard next.hasMore, limit == 0 || rest > 0, next.isRead else {
        if count > 0 || !isQuiet { _ = put(line(next.anchor, hasMore: next.hasMore)) }
        return next.anchor
      }
      try Task.checkCancellation()
    }
  }

  private typealias Shown = (anchor: QueryAnchor, count: Int, hasMore: Bool, isRead: Bool)

  private func show<Sample>(
    _ changes: SampleChanges<Sample>, _ line: (Sample) throws -> String
  ) throws -> Shown {
    var isRead = true
    for uuid in changes.deleted {
      isRead = put(isJSON ? JSONValue.object(["deleted": .string("\(uuid)")]).text() : "deleted  \(uuid)")
    }
    for sample in changes.added { isRead = put(try line(sample)) }
    return (changes.anchor, changes.deleted.count + changes.added.count, changes.hasMore, isRead)
  }

  private func line(_ anchor: QueryAnchor, hasMore: Bool) -> String {
    guard isJSON else { return "anchor: \(anchor)\(hasMore ? "; more changes follow" : "")" }
    return JSONValue.object(["anchor": .string("\(anchor)"), "hasMore": .bool(hasMore)]).text()
  }
}

/// The metadata of samples from trials, by the names that commands and tables use.
package enum SampleKey: Sendable {
  /// The names, with the metadata keys.
  static let all: [(name: String, key: String)] = [
    ("participant", Metadata.Key.participant), ("session", BundleSamples.Key.session),
    ("trial", BundleSamples.Key.trial), ("step", BundleSamples.Key.step), ("clip", BundleSamples.Key.clip),
    ("recorder", BundleSamples.Key.recorder),
  ]

  /// The metadata key for a name; any other name is itself a metadata key.
  package static func named(_ name: String) -> String { all.first { $0.name == name }?.key ?? name }
}

extension Metadata.Value {
  /// The value as text for people and tables.
  var text: String {
    switch self {
    case .string(let text): text
    case .number(let number): number.brief
    case .bool(let flag): "\(flag)"
    case .date(let time): time.precise
    case .quantity(let quantity): quantity.plainText
    }
  }
}
