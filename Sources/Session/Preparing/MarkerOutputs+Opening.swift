import Basics
import Sensors
import Sound
import Study

extension MarkerOutputs {
  /// Opens what the operator named, before anything is recorded.
  ///
  /// - Parameters:
  ///   - addresses: the outputs.
  ///   - study: the protocol, whose conditions need codes.
  ///   - clips: the clips that can be played.
  ///   - speaker: the speaker; `nil` for a protocol without sound.
  /// - Returns: the outputs, open.
  /// - Throws: ``MarkerRefusal`` or `SensorError` where one cannot be used.
  static func open(
    _ addresses: [MarkerAddress], for study: StudyProtocol, clips: [Clip], speaker: (any Speaker)?
  ) async throws -> MarkerOutputs {
    var outputs = MarkerOutputs()
    var places: Set<String> = []
    for address in addresses where !places.insert(address.place).inserted {
      throw MarkerRefusal.twice(address.text)
    }
    do {
      for address in addresses {
        switch address.kind {
        case .audio(let number):
          guard outputs.channel == nil else { throw MarkerRefusal.secondChannel }
          guard let speaker else { throw MarkerRefusal.noSound(address.text) }
          let channels = speaker.description.channels
          var channel: MarkerChannel?
          for count in Set(clips.map(\.channels)).sorted() + [1] {
            channel = try MarkerChannel(number, of: channels, beside: SoundFormat(sampleRate: 48_000, channels: count))
          }
          outputs.channel = channel.map { (address.text, $0) }
        case .lsl(let stream): outputs.streams.append(try LSLMarkers(stream: stream, name: address.text))
        case .serial(let settings):
          if let name = study.markerCodes.missing.first { throw MarkerRefusal.noCode(condition: name) }
          outputs.codes.append(try await SerialMarkers.open(settings, name: address.text))
        }
      }
    } catch {
      outputs.close()
      throw error
    }
    return outputs
  }
}

extension MarkerOutputs {
  /// The note for the operator about a stream that no program receives.
  static func note(ofUnreceived stream: String) -> String {
    "no program receives the markers of “\(stream)”; start the program that records them now: markers that are sent "
      + "before it receives them are lost, and a trial without those of its onset is suspect"
  }
}

extension MarkerAddress {
  /// What two addresses of the same port, channel or stream have in common.
  fileprivate var place: String {
    switch kind {
    case .audio(let channel): "audio:\(channel)"
    case .lsl(let stream): "lsl:\(stream)"
    case .serial(let settings): "serial:\(Folder.realPath(settings.path) ?? settings.path)"
    }
  }
}

/// Why markers cannot be sent in a session.
enum MarkerRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// An output was named twice.
  case twice(String)
  /// Two channels of the speaker were named.
  case secondChannel
  /// A channel was named for a protocol without sound.
  case noSound(String)
  /// The protocol has more conditions than codes.
  case noCode(condition: String)

  /// What failed, why, and what to do.
  var description: String {
    switch self {
    case .twice(let output):
      "“\(output.visible)” names an output of markers that is named before; leave one of them out"
    case .secondChannel: "only one output channel can carry markers; leave the other --markers audio:… out"
    case .noSound(let output): "cannot send markers to “\(output)”: the protocol plays no sound"
    case .noCode(let condition):
      "cannot send codes: the condition “\(condition.shortened)” has none, since codes go up to 255; give conditions "
        + "that need no code of their own the same name, or split the study"
    }
  }
}
