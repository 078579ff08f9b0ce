import Basics
package import Bundles
import Quantities
package import SampleStore
import Synchronization

/// Takes bundles into a store, each once.
package struct StoreIngest: Sendable {
  private let store: SampleStore
  private let report: @Sendable (String) -> Void

  /// An ingest into a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - report: called with a sentence for each item that is no sample and was left out.
  package init(store: SampleStore, report: @escaping @Sendable (String) -> Void) {
    self.store = store
    self.report = report
  }

  /// Takes in one bundle; one that was taken in before is not read again.
  ///
  /// - Returns: how many of its samples and series are new; `nil` for a bundle that was taken in before.
  /// - Throws: ``SimulatedTrial``; `CancellationError` soon after its task was cancelled; then nothing of the bundle is in the store.
  package func add(_ bundle: Bundle) async throws -> Int? {
    guard try await !store.hasReceipt(Self.receipt(bundle.record.trial)) else { return nil }
    let report = try await save(bundle, receipt: Self.receipt(bundle.record.trial))
    return report.wasTaken ? nil : report.added
  }

  /// Saves a bundle's samples piece by piece, all or none; items that are none are told and left out.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - receipt: the name under which they are saved.
  ///   - forgotten: samples that are left out.
  ///   - policy: what is done with samples that the store has in another form.
  /// - Returns: what became of them.
  /// - Throws: ``SimulatedTrial``, `BundleError`, the store's errors and `CancellationError`; then nothing of the bundle is
  ///   in the store.
  func save(
    _ bundle: Bundle, receipt: String?, without forgotten: Set<UUID> = [], whenPresent policy: PresentPolicy = .refuse
  ) async throws -> SaveReport {
    guard bundle.record.simulation != .everything else { throw SimulatedTrial(path: bundle.path) }
    let told = Collected<(problems: [String], count: Int)>()
    let saved = try await store.save(receipt: receipt, whenPresent: policy) {
      let reader = try BundleSampleReader(bundle)
      return {
        guard let piece = try reader.next() else {
          told.add((reader.problems, reader.problemCount))
          return nil
        }
        guard !forgotten.isEmpty else { return SamplePiece(samples: piece.samples, series: piece.series) }
        return SamplePiece(
          samples: piece.samples.filter { !forgotten.contains($0.uuid) },
          series: piece.series.filter { !forgotten.contains($0.uuid) })
      }
    }
    // A saving that began again has read the bundle more than once.
    guard let (problems, count) = told.values.last else { return saved }
    for problem in problems.prefix(10) { report("\(bundle.path): \(problem)") }
    if count > 10 { report("\(bundle.path): and \(count - 10) more") }
    return saved
  }

  /// The name under which a trial's samples are saved.
  static func receipt(_ trial: String) -> String { "bundle:\(trial)" }

  /// The trial whose samples are saved under that name; `nil` for another name.
  static func trial(_ receipt: String) -> String? {
    receipt.hasPrefix("bundle:") ? String(receipt.dropFirst("bundle:".count)) : nil
  }

  /// Takes in every bundle of a results folder that is not in the store yet: those that a crash, a recovery or an older
  /// station left out.
  ///
  /// It ends soon after its task was cancelled; what it has taken in until then is in the store, each bundle as a whole.
  ///
  /// - Parameters:
  ///   - results: the results folder.
  ///   - failed: called with each error that concerns one bundle; the others are taken in all the same.
  /// - Returns: how many bundles were taken in, and how many were not since they are simulated.
  /// - Throws: what concerns the store as a whole, and `CancellationError`.
  package func update(
    from results: ResultsFolder, failed: (any Error) -> Void
  ) async throws -> (added: Int, simulated: Int) {
    let trials = try results.trials()
    // One question for all of them: a folder has its trial's name.
    let taken = try await store.receipts()
    var (added, simulated) = (0, 0)
    for trial in trials where !taken.contains(Self.receipt(trial)) {
      try Task.checkCancellation()
      do {
        if try await add(Bundle(results.bundlePath(named: trial))) != nil { added += 1 }
      } catch is SimulatedTrial {
        simulated += 1
      } catch let error where Self.isOfOne(error) {
        failed(error)
      }
    }
    return (added, simulated)
  }

  /// Whether an error concerns one bundle, beside which others can be taken in.
  static func isOfOne(_ error: any Error) -> Bool {
    error is BundleError || (error as? StoreError)?.code == .invalidArgument
  }
}

/// The error for a trial of `station simulate`, which no store takes.
package struct SimulatedTrial: Error, Hashable, Sendable, CustomStringConvertible {
  let path: String

  /// What failed, why, and what to do.
  package var description: String {
    "cannot add “\(path.visible)” to the store: “station simulate” made it, and the store holds no simulated trials"
  }

  /// How many trials were left out, and why; `nil` for none.
  package static func leftOut(_ count: Int) -> String? {
    count == 0
      ? nil : "left out \(count.counted("trial")) of “station simulate”: the store holds no simulated trials"
  }
}

/// What a closure that runs elsewhere has gathered.
final class Collected<Element: Sendable>: Sendable {
  private let state = Mutex<[Element]>([])

  init() {}

  /// What was gathered so far.
  var values: [Element] { state.withLock { $0 } }

  /// Adds an element, from any thread.
  func add(_ element: Element) { state.withLock { $0.append(element) } }
}

extension SampleStore {
  /// The identifiers of trials from what the user typed: a whole identifier, or the unique beginning of one.
  ///
  /// A client that may not list the store's trials has to give whole identifiers.
  ///
  /// - Throws: `TrialNameError` if the beginning matches several trials, with their names, or none.
  package func trials(called names: [String]) async throws -> [String] {
    guard names.contains(where: { UUID($0) == nil }) else { return names.map { $0.lowercased() } }
    let known = client == nil ? try await receipts().compactMap(StoreIngest.trial).sorted() : []
    return try names.map { name throws(TrialNameError) in
      let name = name.lowercased()
      if UUID(name) != nil || known.contains(name) { return name }
      let found = name.isEmpty ? [] : known.filter { $0.hasPrefix(name) }
      guard found.count <= 1 else { throw .ambiguous(name, found, place: "the store") }
      guard let only = found.first else { throw .notStored(name) }
      return only
    }
  }
}
