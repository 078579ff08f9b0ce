import Basics
import Foundation
import TestSupport
import Testing

@testable import Sensors

@Suite("Frames out of a NUT file")
struct NutReaderTests {
  /// What ffmpeg hands over of a film, and the times of its pictures as ffprobe reads them, in nanoseconds.
  private static func handedOver(_ film: PulseFilm) throws -> (bytes: [UInt8], times: [Int64]) {
    let scratch = try ScratchFolder()
    try film.make(scratch["film.mkv"])
    let words = CameraSettings(path: scratch["film.mkv"], isFilm: true).command(isDevice: false)
    let made = try Program.run("sh", ["-c", words.map(\.shellQuoted).joined(separator: " ") + " > " + scratch["out"]])
    #expect(made.status == 0, "\(made.error)")
    let probe = try Program.run(
      "ffprobe", ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", scratch["film.mkv"]])
    let lines = probe.output.split(separator: "\n")
    let times = lines.compactMap { line in Double(line.filter { $0 != "," }).map { Int64(($0 * 1e9).rounded()) } }
    return ([UInt8](try Data(contentsOf: URL(filePath: scratch["out"]))), times.sorted())
  }

  @Test("Every frame comes with its own time, however the bytes are cut", arguments: [0, 0.4])
  func frames(jitter: Double) throws {
    var film = PulseFilm()
    (film.length, film.jitter, film.codec) = (4, jitter, .ffv1)
    let (bytes, times) = try Self.handedOver(film)
    for step in [1 << 20, 4096, 7] {
      var reader = NutReader()
      var frames: [NutReader.Frame] = []
      for start in stride(from: 0, to: bytes.count, by: step) {
        frames += try reader.take(bytes[start..<min(bytes.count, start + step)])
      }
      #expect(frames.count == 120)
      #expect(frames.allSatisfy { $0.data.count == Picture.size })
      #expect(frames.compactMap(\.nanoseconds) == times)
    }
    // The times of a film are not those of a count.
    if jitter > 0 { #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }).count > 10) }
  }

  @Test("Damaged bytes end in a fault or in fewer frames, never in a crash")
  func damage() throws {
    var film = PulseFilm()
    (film.length, film.codec) = (0.5, .ffv1)
    let (bytes, _) = try Self.handedOver(film)
    var random = SplitMix64(seed: 42)
    var faults = 0
    for _ in 0..<3000 {
      var damaged = bytes
      // Mostly in the headers, where structure is.
      for _ in 0..<Int(1 + random.next() % 4) {
        let range = random.next() % 3 == 0 ? damaged.count : 400
        damaged[Int(random.next() % UInt64(range))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 4 == 0 { damaged.removeLast(Int(random.next() % UInt64(damaged.count))) }
      var reader = NutReader()
      do throws(NutReader.Fault) {
        for frame in try reader.take(damaged) { _ = (frame.nanoseconds, Picture(frame.data)) }
      } catch {
        faults += 1
        #expect(!error.reason.isEmpty)
      }
    }
    #expect(faults > 300)
  }

  @Test("A file of another kind is refused", arguments: ["RIFF and so on, which is another container", "\0\0\0\0"])
  func otherFile(text: String) {
    var reader = NutReader()
    #expect(throws: NutReader.Fault.self) { try reader.take(Array(text.utf8) + [UInt8](repeating: 0, count: 100)) }
  }
}
