import Basics
import Foundation

/// A film of a fingertip with known beats, or of a finger without a pulse.
///
/// Blood darkens all colours, blue most. The brightness drifts slowly, each place has noise of its own, and the encoder
/// adds what encoders add.
package struct PulseFilm: Sendable {
  /// How the pictures are encoded.
  package enum Codec: String, Sendable, CaseIterable {
    /// Without loss.
    case ffv1
    /// Each picture for itself, as webcams send them.
    case mjpeg
    /// As phones and screen recorders store films, at a good quality.
    case h264
  }

  /// The heart rate at the beginning, in beats per minute.
  package var rate = 72.0
  /// The heart rate at the end.
  package var finalRate: Double?
  /// The length in seconds.
  package var length = 30.0
  /// The pictures per second.
  package var pictures = 30.0
  /// How much the time between two pictures varies, as a share of it.
  package var jitter = 0.0
  /// The levels by which a beat darkens red, green and blue.
  package var depth = [0.2, 0.6, 2.0]
  /// The levels of red, green and blue.
  package var level = [150.0, 110.0, 90.0]
  /// The standard deviation of the noise of a place.
  package var noise = 3.0
  /// The extent of the slow drift, in levels.
  package var drift = 4.0
  /// The extent of three movements of a second, in levels.
  package var movement = 0.0
  /// The extent of a pattern that a scene without a finger has, in levels.
  package var pattern = 0.0
  /// The encoder.
  package var codec = Codec.mjpeg
  /// The seed of everything that is random.
  package var seed: UInt64 = 1

  private static let side = 32

  /// A film with a pulse of 72 per minute.
  package init() {}

  /// The times of the beats in seconds.
  package var beats: [Double] {
    var random = SplitMix64(seed: seed)
    var beats = [-1.0]
    while let last = beats.last, last < length + 2 {
      let share = min(max(last / length, 0), 1)
      let rate = rate + ((finalRate ?? rate) - rate) * share
      beats.append(last + 60 / rate * (1 + 0.03 * sin(0.2 * .pi * last) + 0.01 * random.normal()))
    }
    return beats
  }

  /// The mean heart rate of the film, in beats per minute.
  package var meanRate: Double {
    let inside = beats.filter { $0 >= 0 && $0 < length }
    guard let first = inside.first, let last = inside.last else { return 0 }
    return 60 * Double(inside.count - 1) / (last - first)
  }

  /// The times of the pictures in seconds.
  package var times: [Double] {
    var random = SplitMix64(seed: seed ^ 0x7469_6D65)
    var time = 0.0
    return (0..<Int(length * pictures)).map { _ in
      defer { time += (1 + jitter * (2 * random.uniform() - 1)) / pictures }
      return time
    }
  }

  /// The means of red, green and blue of each picture, without noise.
  package var colours: [[Double]] {
    var random = SplitMix64(seed: seed ^ 0x6472_6966)
    let (beats, times) = (beats, times)
    let moved = (0..<3).map { _ in random.uniform() * (length - 1) }
    var (walk, next) = (0.0, 1)
    return times.map { time in
      while next < beats.count - 1, beats[next] <= time { next += 1 }
      let phase = (time - beats[next - 1]) / (beats[next] - beats[next - 1])
      func bell(_ middle: Double, _ width: Double) -> Double { exp(-pow((phase - middle) / width, 2)) }
      let pulse = bell(0.25, 0.10) + 0.35 * bell(0.55, 0.12)
      walk += random.normal() / Double(times.count).squareRoot()
      var shift = drift * sin(2 * .pi * time / 17) + drift * 0.5 * walk
      for start in moved where (start..<start + 1).contains(time) { shift += movement * sin(2 * .pi * (time - start)) }
      return (0..<3).map { level[$0] + shift * (1 - 0.1 * Double($0)) - depth[$0] * pulse }
    }
  }

  /// Encodes the film.
  ///
  /// - Parameters:
  ///   - path: the file, whose name says the container; the times of pictures are exact in .nut.
  ///   - limit: the number of bytes after which the file is cut off; `nil` for a whole one.
  /// - Throws: ``MissingProgram`` where ffmpeg is not there or fails.
  package func make(_ path: String, cutAfter limit: Int? = nil) throws {
    let scratch = try ScratchFolder()
    try Data(raw()).write(to: URL(filePath: scratch["raw"]))
    let encoder: [String] =
      switch codec {
      case .ffv1: ["-c:v", "ffv1", "-pix_fmt", "gbrp"]
      case .mjpeg: ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj422p"]
      case .h264: ["-c:v", "libx264", "-crf", "18", "-preset", "veryfast", "-pix_fmt", "yuv420p"]
      }
    var filter: [String] = []
    if jitter > 0 {
      // The time of each picture, in microseconds, by its number.
      let commands = times.enumerated().map { "\(Int(($0.element * 1e6).rounded()))" }
      filter = ["-vf", "settb=1/1000000,setpts='" + Self.choice(commands) + "'", "-fps_mode", "passthrough"]
      filter += ["-enc_time_base", "1/1000000"]
    }
    let made = try Program.run(
      "ffmpeg",
      [
        "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(Self.side)x\(Self.side)", "-r",
        "\(pictures)", "-i", scratch["raw"],
      ] + filter + encoder + [path])
    guard made.status == 0 else { throw MissingProgram(name: "ffmpeg", reason: made.error) }
    guard let limit else { return }
    try Data(Data(contentsOf: URL(filePath: path)).prefix(limit)).write(to: URL(filePath: path))
  }

  /// An expression of ffmpeg that chooses by the number of the picture: a tree of comparisons.
  private static func choice(_ values: [String], from first: Int = 0) -> String {
    guard values.count > 1 else { return values[0] }
    let middle = values.count / 2
    return "if(lt(N,\(first + middle)),\(choice(Array(values[..<middle]), from: first)),"
      + "\(choice(Array(values[middle...]), from: first + middle)))"
  }

  /// The pictures as bytes of red, green and blue.
  private func raw() -> [UInt8] {
    var random = SplitMix64(seed: seed ^ 0x6E6F_6973)
    // Noise is drawn once and used from another place each time: drawing it anew would take most of the time.
    let pool = (0..<65_537).map { _ in noise * random.normal() + 0.5 }
    let places = Self.side * Self.side
    var bytes: [UInt8] = []
    bytes.reserveCapacity(places * 3 * times.count)
    for colours in colours {
      var at = Int(random.next() % 65_537)
      for place in 0..<places {
        let shape = pattern * sin(Double(place % Self.side) / 3) * cos(Double(place / Self.side) / 4)
        for colour in 0..<3 {
          at = at == 65_536 ? 0 : at + 1
          bytes.append(UInt8(max(0, min(255, colours[colour] + shape + pool[at]))))
        }
      }
    }
    return bytes
  }
}
