import CSystem
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The memory of statistics")
struct StatisticsMemoryTests {
  @Test(
    "A hundred times as many intervals take no more of it",
    arguments: [[], ["--by", "participant"], ["--all-intervals"]])
  func peak(form: [String]) async throws {
    let bench = try Bench()
    var peaks: [Int] = []
    for (name, end, seconds) in [
      ("hour", "2026-01-01T00:57:36Z", 3456), ("days", "2026-01-05T00:00:00Z", 345_600),
    ] {
      try FileManager.default.createDirectory(atPath: bench.scratch[name], withIntermediateDirectories: false)
      let place = ["--results", bench.scratch[name], "--participant", "p1"]
      // Intervals without samples lie between two short ones.
      let spans =
        form == ["--all-intervals"]
        ? [["--at", "2026-01-01T00:00:00Z"], ["--at", end]] : [["--at", "2026-01-01T00:00:00Z", "--until", end]]
      for span in spans {
        let (status, _, complaints) = try await bench.run(["log", "stepCount", "5000 count", "--yes"] + span + place)
        #expect(status == 0, "\(complaints)")
      }
      let found = try await Self.run(["stats", "stepCount", "--every", "second", "--csv"] + form + place)
      #expect(found.status == 0 && found.lines == 1 + seconds + (spans.count - 1), "\(found)")
      peaks.append(found.peak)
    }
    #expect(peaks[0] > 1000 && peaks[1] < peaks[0] + 4096, "\(peaks) kB")
  }

  /// Runs the station, and counts the lines that it prints and the most memory that it had, in kilobytes.
  private static func run(_ words: [String]) async throws -> (status: Int32, lines: Int, peak: Int) {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe2(&ends, O_CLOEXEC) == 0)
    let (output, writing) = (ends[0], ends[1])
    defer { close(output) }
    let program = try RunningProgram(
      [Bench.station] + words, environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" },
      streams: [FileHandle.nullDevice.fileDescriptor, writing, STDERR_FILENO])
    close(writing)
    let process = program.identifier
    let (lines, peak) = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var (lines, peak) = (0, 0)
        while true {
          // It waits with the next of its output, until it has ended.
          peak = max(peak, Self.peak(of: process))
          let count = unsafe read(output, &buffer, buffer.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          lines += buffer[..<count].count { $0 == UInt8(ascii: "\n") }
        }
        continuation.resume(returning: (lines, peak))
      }
    }
    return (await program.end(), lines, peak)
  }

  private static func peak(of process: Int32) -> Int {
    let status = FileManager.default.contents(atPath: "/proc/\(process)/status") ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
