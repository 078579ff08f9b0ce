import Basics
import Foundation
import Glibc
import TestSupport
import Testing

/// The truth: a program that is a sink of its own, and writes down each cycle's samples with the driver's clock
/// (Benchmarks/onset/graph_tap.c).
final class GraphTap {
  private let scratch: Scratch
  private let program: GraphProgram
  private var file: String { scratch.path + "/tap" }

  /// Starts the sink `tap` on a server.
  init(on remote: String) throws {
    scratch = try Scratch()
    program = try GraphProgram("graph_tap", ["tap", scratch.path + "/tap", "--alone"], on: remote)
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
