import Basics
import Foundation
import Glibc
import TestSupport
import Testing

/// The truth: a program that is a sink of its own, and writes down each cycle's samples with the driver's clock
/// (Benchmarks/onset/graph_tap.c).
final class GraphTap {
  private let scratch: Scratch
  private let process: Int32
  private var file: String { scratch.path + "/tap" }

  /// The program, compiled once.
  private static let program: Result<(Scratch, String), any Error> = Result {
    let scratch = try Scratch()
    let flags = try Program.run("pkg-config", ["--cflags", "--libs", "libpipewire-0.3"])
    let path = scratch.path + "/graph_tap"
    let words = ["-O2", "-o", path, "\(Repository.root)/Benchmarks/onset/graph_tap.c"]
    let result = try Program.run("cc", words + flags.output.split(whereSeparator: \.isWhitespace).map(String.init))
    guard result.status == 0 else { throw LAME.Failed(arguments: [result.error]) }
    return (scratch, path)
  }

  /// Starts the sink `tap` on a server.
  init(on remote: String) throws {
    scratch = try Scratch()
    var start = ProgramStart(
      [try Self.program.get().1, "tap", scratch.path + "/tap", "--alone"],
      environment: ["PIPEWIRE_REMOTE=\(remote)", "LANG=C"])
    start.errors = .file(scratch.path + "/complaints")
    let (process, error) = start.start()
    self.process = process
    try #require(error == 0)
  }

  deinit {
    kill(process, SIGTERM)
    var status: Int32 = 0
    unsafe _ = waitpid(process, &status, 0)
  }

  /// The frames on the left channel that are not silent, each with its time in nanoseconds of CLOCK_MONOTONIC, and when
  /// the tap was late itself, on a busy machine: then it is no truth.
  func heard() throws -> (frames: [(moment: Int64, sample: Int16)], missed: [Int64]) {
    let bytes = try File.contents(of: file, limit: 1 << 28)
    var heard: [(Int64, Int16)] = []
    var missed: [Int64] = []
    var at = 0
    func value<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Value {
      unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }
    while at + 32 <= bytes.count {
      let when = value(at + 8, Int64.self)
      let payload = Int(value(at + 28, UInt32.self))
      guard at + 32 + payload <= bytes.count else { break }
      if value(at + 4, UInt32.self) == 3 { missed.append(when) }
      for frame in 0..<(payload / 4) {
        let sample = value(at + 32 + 4 * frame, Int16.self)
        if sample != 0 { heard.append((when + Int64((Double(frame) * 1e9 / 48_000).rounded()), sample)) }
      }
      at += 32 + payload
    }
    return (heard, missed)
  }
}
