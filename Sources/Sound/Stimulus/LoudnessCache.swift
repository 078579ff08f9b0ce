import Basics
package import Study

/// Loudness that was measured before, one small file for each clip and shape in the user's cache.
///
/// Whatever keeps an entry from being read or written only costs the time of another measurement.
package struct LoudnessCache: Sendable {
  /// The folder of the entries; `nil` keeps nothing.
  private let folder: String?

  /// What the entries were measured by; another way to measure needs another name.
  private static let version = "station.loudness/1"
  private static let maxSize = 1000
  /// The loudness and peaks that sounds can have.
  private static let plausible = -200.0...60.0

  /// The cache in `XDG_CACHE_HOME`, or in the user's `.cache`, by the variables of an environment.
  package init(_ variable: (_ name: String) -> String?) {
    let home = variable("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/.cache" : nil }
    folder = (variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home).map { "\($0)/station" }
  }

  /// The loudness of a clip's sound in a shape, as it was measured before; `nil` if that is not known.
  func loudness(of clip: Clip, in shape: StimulusShape) -> Loudness? {
    guard let path = path(clip, shape), Folder.isOrdinaryFile(path),
      let bytes = try? File.contents(of: path, limit: Self.maxSize)
    else { return nil }
    // The entry, and its digest on a line of its own.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard lines.count == 2, "\(SHA256.digest(of: Array(lines[0])))\n".utf8.elementsEqual(lines[1]),
      let entry = try? JSONReader.read(Array(lines[0])).value, entry["key"]?.string == Self.key(clip, shape),
      let integrated = Self.level(entry["integrated_LUFS"]), let truePeak = Self.level(entry["truePeak_dBTP"])
    else { return nil }
    return Loudness(integrated: integrated.value, truePeak: truePeak.value)
  }

  func keep(_ loudness: Loudness, of clip: Clip, in shape: StimulusShape) {
    guard let folder, let path = path(clip, shape) else { return }
    let entry: JSONValue = [
      "key": .string(Self.key(clip, shape)), "integrated_LUFS": loudness.integrated.map { .number($0) } ?? .null,
      "truePeak_dBTP": loudness.truePeak.map { .number($0) } ?? .null,
    ]
    let line = Array(entry.text().utf8)
    let bytes = line + Array("\n\(SHA256.digest(of: line))\n".utf8)
    guard bytes.count <= Self.maxSize else { return }
    do {
      for place in [Folder.parent(of: folder), folder, "\(folder)/loudness"] {
        try Folder.ensure(place, isPrivate: true)
      }
      try File.replaceWhole(path, bytes, isPrivate: true)
    } catch {
      // It is measured again the next time.
    }
  }

  /// A level of an entry, which may be none; `nil` for what is not one.
  private static func level(_ value: JSONValue?) -> (value: Double?, Void)? {
    switch value {
    case .null?: return (nil, ())
    case .number(let number)? where plausible.contains(number): return (number, ())
    default: return nil
    }
  }

  private static func key(_ clip: Clip, _ shape: StimulusShape) -> String {
    let duration = shape.duration.map { "\($0.nanoseconds)" } ?? "whole"
    return "\(version) \(clip.sha256) \(duration) \(shape.whenShorter.rawValue) \(shape.fadeIn.nanoseconds) "
      + "\(shape.fadeOut.nanoseconds) \(shape.start.nanoseconds)"
  }

  private func path(_ clip: Clip, _ shape: StimulusShape) -> String? {
    guard !clip.sha256.isEmpty else { return nil }
    return folder.map { "\($0)/loudness/\(SHA256.digest(of: Array(Self.key(clip, shape).utf8)))" }
  }
}

extension StimulusLoader {
  /// The loudness in LUFS that a clip has in a music step, with the gain of its target; `nil` for a step without a target, and
  /// for a sound that cannot be measured.
  package func reachedLoudness(
    of clip: Clip, for step: MusicStep, cache: LoudnessCache
  ) throws(ClipError) -> Double? {
    guard let target = step.loudness else { return nil }
    let shape = StimulusShape(step)
    var loudness = cache.loudness(of: clip, in: shape)
    if loudness == nil {
      loudness = try load(clip, for: step).loudness
      if let loudness { cache.keep(loudness, of: clip, in: shape) }
    }
    return loudness.flatMap { measured in
      measured.integrated.map { $0 + (measured.gain(to: target)?.decibels ?? 0) }
    }
  }
}
