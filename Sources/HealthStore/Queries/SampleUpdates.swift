/// The types whose samples change, in whichever process; it ends when its task is cancelled.
///
/// Several changes that come close together are told as one. What has changed is asked with an anchored query.
package struct SampleUpdates: AsyncSequence, Sendable {
  let core: StoreCore
  let client: String?
  let watch: any StoreWatch
  let known: [SampleType: Int64]

  /// Looks for changes after the call that made the sequence; it is for one iteration.
  package func makeAsyncIterator() -> Iterator {
    Iterator(core: core, client: client, life: WatchLife(watch), known: known)
  }

  /// Waits for changes.
  package struct Iterator: AsyncIteratorProtocol, Sendable {
    let core: StoreCore
    let client: String?
    let life: WatchLife
    var known: [SampleType: Int64]

    /// The types that have changed since the last time; `nil` when the task is cancelled.
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
