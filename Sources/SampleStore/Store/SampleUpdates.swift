package import Quantities

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

/// Returns the next piece of the samples and series to save; `nil` after the last one.
package typealias SampleSource = () throws -> SamplePiece?

/// Some of the samples and series of one save.
package struct SamplePiece: Sendable {
  var samples: [QuantitySample]

  var series: [HeartbeatSeries]

  package init(samples: [QuantitySample] = [], series: [HeartbeatSeries] = []) {
    self.samples = samples
    self.series = series
  }
}

/// What to do with a sample whose UUID belongs to a different sample in the store.
package enum PresentPolicy: Hashable, Sendable {
  /// Save nothing.
  case refuse
  /// Keep the store's sample and save the rest: for files that contain the same data in a different form.
  case keep
}

/// The outcome of a save.
package struct SaveReport: Hashable, Sendable {
  /// The number of new samples.
  package internal(set) var added = 0
  /// The number of new samples that replaced an earlier version.
  var replaced = 0
  /// The number of samples that existed already, identical or in a later version.
  var unchanged = 0
  /// The number of samples skipped because a different sample has their UUID; that sample was left unchanged.
  package internal(set) var different = 0
  /// Whether the receipt existed already, so that the samples were not examined.
  package internal(set) var wasTaken = false
}
