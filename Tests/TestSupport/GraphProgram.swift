import Basics
import Glibc
import Synchronization

/// A program of the benchmarks that is a node of a graph, compiled once.
package final class GraphProgram: Sendable {
  private let process: Int32
  private let scratch: ScratchFolder

  private static let programs = Mutex<[String: (ScratchFolder, String)]>([:])

  private static func compiled(_ name: String) throws -> String {
    try programs.withLock { programs in
      if let known = programs[name] { return known.1 }
      let scratch = try ScratchFolder()
      let flags = try Program.run("pkg-config", ["--cflags", "--libs", "libpipewire-0.3"])
      let path = "\(scratch.path)/\(name)"
      let words = ["-O2", "-o", path, "\(Repository.root)/Benchmarks/onset/\(name).c"]
      let libraries = flags.output.split(whereSeparator: \.isWhitespace).map(String.init) + ["-lm"]
      let result = try Program.run("cc", words + libraries)
      guard result.status == 0 else {
        throw MissingProgram(name: name, reason: result.error, remedy: "install libpipewire-0.3-dev")
      }
      programs[name] = (scratch, path)
      return path
    }
  }

  /// Starts a program with these words on a server.
  package init(_ name: String, _ words: [String], on remote: String) throws {
    scratch = try ScratchFolder()
    var start = ProgramStart(
      [try Self.compiled(name)] + words, environment: ["PIPEWIRE_REMOTE=\(remote)", "LANG=C"])
    start.errors = .file(scratch.path + "/complaints")
    let (process, error) = start.start()
    self.process = process
    if error != 0 { throw MissingProgram(name: name) }
  }

  deinit {
    kill(process, SIGTERM)
    var status: Int32 = 0
    unsafe _ = waitpid(process, &status, 0)
  }
}
