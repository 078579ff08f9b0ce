import Basics
import Foundation
import Glibc

/// A program that a test runs to its end.
package enum Program: Sendable {
  /// Runs a program and waits for it.
  ///
  /// - Parameters:
  ///   - path: the program; a name without a slash is looked up in `PATH`.
  ///   - arguments: its arguments.
  ///   - input: what it reads from its standard input.
  ///   - environment: variables that are set beside those of the tests.
  /// - Returns: its exit status (128 and the signal for one that was killed), standard output and standard error.
  /// - Throws: ``MissingProgram`` when there is no such program.
  package static func run(
    _ path: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int, output: String, error: String) {
    // Files instead of pipes: no program is so talkative that it blocks.
    let folder = FileManager.default.temporaryDirectory.appending(path: "station-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let streams = ["input", "output", "error"].map { folder.appending(path: $0) }
    for stream in streams { try Data().write(to: stream) }
    try Data(input.utf8).write(to: streams[0])

    let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    var start = ProgramStart([path] + arguments, environment: variables.map { "\($0.key)=\($0.value)" })
    let inputFile = try FileHandle(forReadingFrom: streams[0])
    start.input = .descriptor(inputFile.fileDescriptor)
    start.output = .file(streams[1].path(percentEncoded: false))
    start.errors = .file(streams[2].path(percentEncoded: false))
    let (process, error) = start.start()
    guard error == 0 else { throw MissingProgram(name: path) }
    // Foundation's `Process` may miss the end while other tests start programs.
    var ending: Int32 = 0
    while unsafe waitpid(process, &ending, 0) < 0, errno == EINTR {}
    let status = Int(ending & 0x7F == 0 ? ending >> 8 & 0xFF : 128 + ending & 0x7F)
    return (
      status,
      String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self),
      String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self)
    )
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
