import Basics
import Foundation
import Quantities
import TestSupport

/// A results folder with bundles as the station finishes them: a trial's documents in a bag.
final class BaggedTrials: Sendable {
  let scratch: ScratchFolder
  let trials: [String]

  var results: String { scratch["results"] }

  /// Writes bundles of trials a second apart.
  init(_ count: Int, more: [String: [UInt8]] = [:]) throws {
    scratch = try ScratchFolder()
    var (trials, generator) = ([String](), SplitMix64(seed: 5))
    for number in 0..<count {
      let start = WallTime(milliseconds: 1_763_636_911_250 + 1000 * Int64(number))
      let trial = "\(UUID(time: start, using: &generator))"
      try Self.write(trial, start, to: scratch["results/bundles/\(trial)"], more)
      trials.append(trial)
    }
    self.trials = trials
  }

  func path(of trial: String) -> String { scratch["results/bundles/\(trial)"] }

  private static func write(_ trial: String, _ start: WallTime, to path: String, _ more: [String: [UInt8]]) throws {
    var made = MadeTrial()
    (made.trial, made.start) = (trial, start)
    made.intervals = [1000, 980, 1020]
    try made.write(to: path)
    for (name, bytes) in more {
      try Folder.ensure(Folder.parent(of: "\(path)/\(name)"))
      try File.create("\(path)/\(name)", bytes)
    }
    let payload = (["data/heart.json", "data/result.json"] + more.keys).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    try write(manifest(path, payload), to: "\(path)/manifest-sha256.txt")
    try write("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n", to: "\(path)/bagit.txt")
    let bytes = try payload.reduce(0) { try $0 + File.contents(of: "\(path)/\($1)").count }
    try write("External-Identifier: \(trial)\nPayload-Oxum: \(bytes).\(payload.count)\n", to: "\(path)/bag-info.txt")
    try write(
      manifest(path, ["bag-info.txt", "bagit.txt", "manifest-sha256.txt"]), to: "\(path)/tagmanifest-sha256.txt")
  }

  private static func manifest(_ path: String, _ files: [String]) throws -> String {
    try files.map { file in
      let name = file.replacing("%", with: "%25").replacing("\n", with: "%0A").replacing("\r", with: "%0D")
      return "\(SHA256.digest(of: try File.contents(of: "\(path)/\(file)")))  \(name)\n"
    }.joined()
  }

  private static func write(_ text: String, to path: String) throws { try File.create(path, Array(text.utf8)) }
}
