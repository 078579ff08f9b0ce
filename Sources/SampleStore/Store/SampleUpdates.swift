/// The types whose samples change, in any process; the sequence ends when its task is cancelled.
///
/// Changes in quick succession are reported as one. Use an anchored query to read the changes themselves.
package struct SampleUpdates: AsyncSequence, Sendable {
  let core: StoreCore
  let client: String?
  let watch: any StoreWatch
  let known: [SampleType: Int64]

  /// Reports changes since the call that created the sequence; iterate once only.
  package func makeAsyncIterator() -> Iterator {
    Iterator(core: core, client: client, life: WatchLife(watch), known: known)
  }

  /// Waits for changes.
  package struct Iterator: AsyncIteratorProtocol, Sendable {
    let core: StoreCore
    let client: String?
    let life: WatchLife
    var known: [SampleType: Int64]

    /// The types that have changed since the previous call; `nil` when the task is cancelled.
    package mutating func next() async throws -> Set<SampleType>? {
      while !Task.isCancelled {
        do {
          let (changed, last) = try await core.news(since: known, client: client)
          known = last
          if !changed.isEmpty { return changed }
        } catch is CancellationError {
          break
        }
        guard await life.watch.wait() else { break }
      }
      life.watch.stop()
      return nil
    }
  }
}

/// Stops a watch when its iteration ends.
final class WatchLife: Sendable {
  let watch: any StoreWatch

  init(_ watch: any StoreWatch) { self.watch = watch }

  deinit { watch.stop() }
}
