import Basics
import Foundation
import TestSupport

/// A folder that is removed when the test is over.
final class Scratch: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "station-sound-" + UUID().uuidString
    try Folder.create(path)
  }

  deinit { try? Folder.removeTree(path) }

  /// Writes a file and says where.
  @discardableResult
  func write(_ bytes: [UInt8], as name: String = "clip.mp3") throws -> String {
    let target = "\(path)/\(name)"
    if Folder.exists(target) { try Folder.removeFile(target) }
    try File(target, .create).write(bytes)
    return target
  }
}

/// LAME, which makes the tests' mp3 files.
enum LAME {
  struct Failed: Error { let arguments: [String] }

  /// The mp3 file of these samples.
  static func encode(
    _ samples: [Float], rate: Int = 44_100, channels: Int = 2, _ arguments: [String] = ["-b", "128"]
  ) throws -> [UInt8] {
    let scratch = try Scratch()
    let wave = try scratch.write(TestSound.wave(samples, rate: rate, channels: channels), as: "sound.wav")
    let lame = try Program.run("lame", ["--quiet"] + arguments + [wave, scratch.path + "/sound.mp3"])
    guard lame.status == 0 else { throw Failed(arguments: arguments) }
    return try File.contents(of: scratch.path + "/sound.mp3")
  }
}
