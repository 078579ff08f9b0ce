import Basics
import Laboratory
import Quantities
import Sensors
import Sound

/// Something that must be ready before a session starts, as a console shows it.
package struct StartCheck: Hashable, Sendable {
  /// How ready it is.
  package enum State: String, Hashable, Sendable {
    case ready
    /// It is not yet.
    case waits
    /// A session can start with it, and the result will say what was odd.
    case doubtful
    /// No session can start with it.
    case fails
  }

  let name: String
  let state: State
  let text: String
  /// A page to open for it.
  let address: String?

  package init(_ name: String, _ state: State, _ text: String, opening address: String? = nil) {
    (self.name, self.state, self.text, self.address) = (name, state, text, address)
  }

  var json: JSONValue {
    [
      "name": .string(name), "state": .string(state.rawValue), "text": .string(text), "address": .text(address),
    ]
  }
}

extension Session {
  /// How often it is looked what is ready.
  private static let startPace = Duration.milliseconds(500)

  /// Shows what is ready, until the operator starts the session.
  ///
  /// - Throws: `SessionError.notStarted` where the operator goes back.
  func awaitStart() async throws {
    let answer = await withTaskGroup(of: StationAnswer?.self) { group in
      group.addTask { await self.sessionOperator.answer(.start) }
      group.addTask {
        repeat {
          await self.sessionOperator.watcher?.see(.checked(self.startChecks))
        } while (try? await self.clock.sleep(for: Self.startPace)) != nil
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    sessionOperator.watcher?.see(.checked([]))
    guard answer == .goOn else { throw SessionError.notStarted }
  }

  /// What is ready now.
  private var startChecks: [StartCheck] {
    sensorNeeds.map { need in
      let name = "Sensor for “\(need.recorder)”"
      let cause = SensorCheck.cause(
        need, hub.connection(of: need.sensor), hub.signs(of: need.sensor), hub.isRecording(need.sensor))
      return switch cause {
      case nil: StartCheck(name, .ready, need.sensor)
      case .unanswered?: StartCheck(name, .waits, "\(need.sensor): it has not answered yet")
      case let cause?:
        StartCheck(
          name, cause.isOfConnection ? .fails : .doubtful,
          "\(need.sensor): \(SensorCheck.Shortfall(need: need, cause: cause).reason)")
      }
    } + [speakerCheck, diskCheck] + sessionOperator.startChecks
  }

  private var speakerCheck: StartCheck {
    guard let speaker = outputs.speaker else { return StartCheck("Speaker", .ready, "no sound in this study") }
    let description = speaker.description
    let latency =
      switch description.outputLatencyBasis {
      case .measured: "latency measured"
      case .loopback: "latency bounded by a loop-back check"
      case .unknown, nil: "latency not measured"
      }
    let level = setup.calibration(of: speaker).map { "−23 LUFS are \($0.level.fixed(1)) dB SPL" }
    let name = description.sinkDescription ?? description.sink ?? "the server's default sink"
    let isSilent = !description.isAudible && !description.facts.isSilentOnPurpose
    return StartCheck(
      "Speaker", isSilent ? .doubtful : .ready,
      [
        name, description.isAudible ? nil : "no one can hear it", description.volume?.description, latency,
        level ?? "level not calibrated",
      ]
      .compactMap(\.self).joined(separator: ", "))
  }

  /// Less room than this may not last for a session, in bytes.
  private static let littleRoom = 1 << 30
  private static let tooLittleRoom = 64 << 20

  private var diskCheck: StartCheck {
    let folder = Folder.isFolder(setup.results) ? setup.results : Folder.parent(of: setup.results)
    guard let free = try? Folder.freeBytes(at: folder) else {
      return StartCheck("Disk", .fails, "how much room there is for “\(setup.results.visible)” is not known")
    }
    let room = "\((Double(free) / 1e9).fixed(1)) GB free for “\(setup.results.visible)”"
    return StartCheck(
      "Disk", free < Self.tooLittleRoom ? .fails : free < Self.littleRoom ? .doubtful : .ready,
      free < Self.littleRoom ? "\(room); make room for the session" : room)
  }
}

extension SensorCheck.Shortfall.Cause {
  /// Whether the sensor is not there.
  fileprivate var isOfConnection: Bool {
    switch self {
    case .unanswered, .lost, .ended: true
    default: false
    }
  }
}
