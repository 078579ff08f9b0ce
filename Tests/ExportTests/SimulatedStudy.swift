import Analysis
import Basics
import Bundles
import Export
import Session
import TestSupport
import Testing

/// The results of a study with simulated people, in a folder of a test's own.
enum SimulatedStudy {
  /// The example studies of the repository.
  static let examples = [
    "music-heart-rate", "music-and-silence", "rest-music-rest", "one-clip", "rating", "silent-control", "fitness-check",
    "consent-and-survey",
  ]

  /// Simulates a study.
  ///
  /// - Parameters:
  ///   - example: its protocol's path, or the name of one of ``examples``.
  ///   - participants: how many people take part.
  ///   - results: the folder for its results.
  /// - Throws: what keeps the study from being simulated.
  static func make(_ example: String, participants: Int = 2, in results: String) async throws {
    let path = example.hasPrefix("/") ? example : "\(Repository.root)/protocols/\(example).json"
    let study = try LoadedStudy(path, clipsFolder: nil)
    let station = StationFacts(identifier: "booth", version: "0.1.0", system: "Debian", timeZone: nil)
    let tally = try await Simulation(
      of: study, participants: participants, seed: 3, results: results, station: station
    ).run()
    #expect(tally.problems.isEmpty, "\(tally.problems)")
  }

  /// The trials of a results folder.
  static func trials(
    _ results: String, _ selection: TrialSelection = TrialSelection()
  ) async throws -> ExportSelection { try await ExportSelection([results], selection) }

  /// Every file under a folder with its bytes, by its path in it.
  static func contents(of folder: String, under path: String = "") throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try Folder.names(in: folder) {
      let (whole, own) = ("\(folder)/\(name)", path + name)
      if Folder.isFolder(whole) {
        contents.merge(try Self.contents(of: whole, under: own + "/")) { old, _ in old }
      } else {
        contents[own] = try File.contents(of: whole)
      }
    }
    return contents
  }
}
