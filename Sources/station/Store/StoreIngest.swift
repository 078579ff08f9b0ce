import Basics
import Bundles
import HealthStore
import Quantities

/// Takes bundles into a store, each once.
struct StoreIngest: Sendable {
  let store: SampleStore
  let console: Console

  /// Takes in one bundle; one that was taken in before is not read again.
  ///
  /// - Returns: how many of its samples and series are new; `nil` for a bundle that was taken in before.
  /// - Throws: `CancellationError` soon after its task was cancelled; then nothing of the bundle is in the store.
  func add(_ bundle: Bundle) async throws -> Int? {
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
  /// - Throws: `BundleError`, the store's errors and `CancellationError`; then nothing of the bundle is in the store.
  func save(
    _ bundle: Bundle, receipt: String?, without forgotten: Set<UUID> = [], whenPresent policy: PresentPolicy = .refuse
  ) async throws -> SaveReport {
    let told = Collected<(problems: [String], count: Int)>()
    let report = try await store.save(receipt: receipt, whenPresent: policy) {
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
    guard let (problems, count) = told.values.last else { return report }
    for problem in problems.prefix(10) { console.complain("\(bundle.path): \(problem)") }
    if count > 10 { console.complain("\(bundle.path): and \(count - 10) more") }
    return report
  }

  /// The name under which a trial's samples are saved.
  static func receipt(_ trial: String) -> String { "bundle:\(trial)" }

  /// The trial whose samples are saved under that name; `nil` for another name.
  static func trial(_ receipt: String) -> String? {
    receipt.hasPrefix("bundle:") ? String(receipt.dropFirst("bundle:".count)) : nil
  }

  /// Takes in every bundle of a results folder that the store lacks: the one that was just finished, and those that a
  /// crash, a recovery or an older station left out.
  ///
  /// A failure is reported and harms no bundle; the next call tries again. It ends soon after its task was cancelled, and
  /// what it has taken in until then is in the store, each bundle as a whole.
  ///
  /// - Parameters:
  ///   - location: the store and the results folder.
  ///   - console: where to tell what goes wrong.
  ///   - first: the bundle that was just finished, which is taken in before all others.
  ///   - isTold: whether to print how many bundles of earlier trials were taken in.
  static func update(_ location: StoreLocation, _ console: Console, first: Bundle? = nil, isTold: Bool = true) async {
    let results = ResultsFolder(location.results)
    func complain(_ error: any Error) {
      guard !(error is CancellationError), !Task.isCancelled else { return }
      console.complain("the store was not updated, and the bundles are whole: \(error); see “station store add --help”")
    }
    do {
      let trials = try results.trials()
      guard first != nil || !trials.isEmpty else { return }
      let store = try await location.openOrMake()
      let ingest = StoreIngest(store: store, console: console)
      do {
        if let first { _ = try await ingest.add(first) }
      } catch let error where isOfOne(error) {
        complain(error)
      }
      // One question for all of them: a folder has its trial's name.
      let taken = try await store.receipts()
      var late = 0
      for (place, trial) in trials.enumerated() where !taken.contains(receipt(trial)) {
        let path = results.bundlePath(named: trial)
        // It was told already.
        if let first, first.record.trial == trial { continue }
        try Task.checkCancellation()
        do {
          guard try await ingest.add(Bundle(path)) != nil else { continue }
          if place < trials.count - 1 || first != nil { late += 1 }
        } catch let error where isOfOne(error) {
          complain(error)
        }
      }
      if late > 0, isTold { console.line("store: \(late.counted("earlier bundle")) taken in") }
    } catch {
      complain(error)
    }
  }

  /// Whether an error says something of one bundle, beside which others can be taken in.
  static func isOfOne(_ error: any Error) -> Bool {
    error is BundleError || (error as? StoreError)?.code == .invalidArgument
  }
}
