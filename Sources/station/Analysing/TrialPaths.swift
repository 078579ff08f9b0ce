import Bundles
import Files
import Quantities
import Recordings

/// The trials that operands name: bundles, results folders, folders of bundles, other files.
enum TrialPaths: Sendable {
  /// Whether a path is a folder of bundles and not a bundle.
  static func isMany(_ path: String) -> Bool { Folder.isFolder(path) && !isBundle(path) }

  private static func isBundle(_ path: String) -> Bool { Folder.exists("\(path)/data/result.json") }

  /// The paths of trials and files, in the order of the operands and of the names within a folder.
  ///
  /// - Throws: what cannot be listed, or holds no bundles.
  static func expand(_ operand: String) throws -> [String] {
    guard isMany(operand) else { return [operand] }
    let results = ResultsFolder(operand)
    if Folder.isFolder("\(operand)/bundles") { return try results.trials().map { results.bundlePath(named: $0) } }
    let bundles = try Folder.names(in: operand).map { "\(operand)/\($0)" }.filter(isBundle)
    guard !bundles.isEmpty else { throw Failure("“\(operand)” is neither a bundle nor a results folder") }
    return bundles
  }
}

/// A trial's place among those of its participant.
struct TrialPlace: Sendable {
  let path: String
  /// The number of the trial among its participant's, from 1 in the order of time; `nil` where that is not known.
  var period: Int?
  var previousCondition: String?
  var previousClip: String?
}

/// What is known of trials before they are measured: who took part when.
struct TrialOrder: Sendable {
  private struct Entry: Sendable {
    let path: String
    let participant: String?
    let start: WallTime?
    let condition: String
    let clip: String?
  }

  /// The trials in the order of the operands.
  private(set) var places: [TrialPlace] = []
  private(set) var problems: [String] = []
  private(set) var participants = 0

  init(_ paths: [String]) async {
    var entries: [Entry] = []
    var problems: [String] = []
    await Parallel.ordered(paths) { path -> Result<Entry, Failure> in
      guard Folder.isFolder(path) else {
        return .success(Entry(path: path, participant: nil, start: nil, condition: "", clip: nil))
      }
      do throws(BundleError) {
        let bundle = try Bundle(path)
        return .success(
          Entry(
            path: path, participant: bundle.participant, start: bundle.startDate, condition: bundle.task,
            clip: bundle.clipName))
      } catch {
        return .failure(Failure("\(error)"))
      }
    } take: { entry in
      switch entry {
      case .success(let entry): entries.append(entry)
      case .failure(let failure): problems.append("\(failure)")
      }
    }
    self.problems = problems
    places = entries.map { TrialPlace(path: $0.path) }
    var byParticipant: [String: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      if let participant = entry.participant { byParticipant[participant, default: []].append(index) }
    }
    participants = byParticipant.count
    // Where one trial does not say when it began, nobody knows which came before which.
    for indices in byParticipant.values where indices.allSatisfy({ entries[$0].start != nil }) {
      let ordered = indices.sorted { (entries[$0].start ?? .earliest, $0) < (entries[$1].start ?? .earliest, $1) }
      for (period, index) in ordered.enumerated() {
        places[index].period = period + 1
        guard period > 0 else { continue }
        places[index].previousCondition = entries[ordered[period - 1]].condition
        places[index].previousClip = entries[ordered[period - 1]].clip
      }
    }
  }
}
