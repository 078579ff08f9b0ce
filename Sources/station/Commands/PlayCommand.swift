import Glibc
import Quantities
import Sound

/// `station play`: plays a clip, to listen to it.
struct PlayCommand: Sendable {
  /// An mp3 file.
  var clip: String
  /// How much of it is played; `nil` plays all.
  var duration: Duration?
  /// A sink's name, or `silent`; `nil` takes the server's own choice.
  var speaker: String?

  /// Plays on the calling thread until the last frame has been played.
  ///
  /// - Parameters:
  ///   - started: given the player before the first sound, so that somebody may stop it.
  ///   - progress: told how much of the clip is on its way.
  /// - Returns: what was played, in words.
  /// - Throws: `PulseAudioError` where there is no sound server, `ClipError` for a file that is no clip.
  /// - Throws: what the player and the clip throw.
  func run(started: (ClipPlayer) -> Void, progress: (Duration) -> Void) throws -> String {
    let server = speaker == "silent" ? try PrivateSoundServer() : nil
    defer { server?.stop() }
    let player = try ClipPlayer(server: server?.address, sink: speaker == "silent" ? nil : speaker)
    var reader = try MP3Reader(clip, hashing: false)
    let format = reader.format
    let wanted = duration.map { format.frames(in: $0) } ?? .max
    started(player)
    let frames = try player.play(&reader, frames: wanted, progress: progress)
    guard frames > 0 else { throw ClipError(path: clip, reason: .trimmedAway(frames: 0)) }
    let ending = wanted < .max && frames < wanted ? "; that is all there is" : ""
    return "played \(Self.text(frames, format)) s of “\(clip)”, \(format.sampleRate) Hz,"
      + " \(format.channels) channel\(format.channels == 1 ? "" : "s")\(ending)"
  }

  /// `30.000`.
  private static func text(_ frames: Int, _ format: SoundFormat) -> String {
    let milliseconds = (frames * 1000 + format.sampleRate / 2) / format.sampleRate
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
