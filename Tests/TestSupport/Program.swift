import CSystem
import Foundation
import Glibc

/// A program that a test runs to its end.
package enum Program: Sendable {
  /// Runs a program and waits for it.
  ///
  /// - Parameters:
  ///   - path: the program; a name without a slash is looked up in `PATH`.
  ///   - arguments: what stands after its name.
  ///   - input: what it reads from its standard input.
  ///   - environment: variables that are set beside those of the tests.
  /// - Returns: its exit status (128 and the signal for one that was killed), standard output and standard error.
  /// - Throws: ``MissingProgram`` when there is no such program.
  package static func run(
    _ path: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int, output: String, error: String) {
    guard let executable = executable(path) else { throw MissingProgram(name: path) }
    // Files instead of pipes: no program is so talkative that it blocks.
    let folder = FileManager.default.temporaryDirectory.appending(path: "station-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let streams = ["input", "output", "error"].map { folder.appending(path: $0) }
    for stream in streams { try Data().write(to: stream) }
    try Data(input.utf8).write(to: streams[0])

    let status = try status(
      of: [executable] + arguments, ProcessInfo.processInfo.environment.merging(environment) { _, new in new },
      streams: streams.map { $0.path(percentEncoded: false) })
    return (
      status,
      String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self),
      String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self)
    )
  }

  /// Starts a program and waits for its end; Foundation's `Process` may miss it while other tests start programs.
  private static func status(of words: [String], _ environment: [String: String], streams: [String]) throws -> Int {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    for (number, path) in streams.enumerated() {
      unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), path, number == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    // What other tests have open is none of its business.
    unsafe _ = csystem_spawn_close_from(&actions, Int32(streams.count))
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var process: pid_t = 0
    guard unsafe posix_spawn(&process, words[0], &actions, nil, &arguments, &variables) == 0 else {
      throw MissingProgram(name: words[0])
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return Int(status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
  }

  private static func executable(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
    return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// A program that a test needs is not on this machine.
package struct MissingProgram: Error, Sendable, CustomStringConvertible {
  /// The program's name or path.
  package let name: String

  /// Why it cannot be run.
  package let reason: String

  /// What to do.
  package let remedy: String

  /// A program that is missing, or cannot be run for another reason.
  package init(
    name: String, reason: String = "it is not installed", remedy: String = "Scripts/test installs what the tests need"
  ) {
    (self.name, self.reason, self.remedy) = (name, reason, remedy)
  }

  /// What is missing and what to do.
  package var description: String {
    "cannot run “\(name)”: \(reason); \(remedy)"
  }
}
