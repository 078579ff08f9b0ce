import Basics
import Bundles
import Experiment
import Glibc
import Quantities
import Study

extension TrialSession {
  /// Waits until every recorder's sensor has sent a plausible sample, before anything is recorded.
  ///
  /// Where samples are missing the operator at a terminal decides; without one the trial is refused.
  func checkSensors(_ hub: SensorHub) async throws {
    let limit = command.checksSensors ? study.studyProtocol.sensorCheck : .zero
    guard limit > .zero else { return }
    let needs = recorders.recorders.map {
      SensorCheck.Need(recorder: $0.identifier, sensor: $0.sensor.name, quantity: $0.configuration.quantityType)
    }
    let canAsk = console.isTerminal && Keyboard.isTerminal && !command.isUnattended
    while true {
      console.show(status: "waiting for samples of the sensors")
      let shortfalls = await SensorCheck(needs, within: limit).run(hub)
      console.show(status: "")
      guard !shortfalls.isEmpty else { return }
      guard canAsk else { throw Failure(Self.refusal(shortfalls)) }
      for shortfall in shortfalls { console.complain("no plausible sample: \(shortfall)") }
      switch await Self.answer(console) {
      case .again: continue
      case .without:
        for shortfall in shortfalls {
          await hub.note("did not pass the check before the trial: \(shortfall.reason)", of: shortfall.need.sensor)
        }
        return
      case .end: throw Failure("the trial was not started; nothing was recorded")
      }
    }
  }

  private static func refusal(_ shortfalls: [SensorCheck.Shortfall]) -> String {
    "cannot start the trial, no plausible sample: \(shortfalls.map(\.description).joined(separator: "; ")); "
      + "see “station check sensor”, or start without this check with --no-sensor-check; nothing was recorded"
  }

  /// What the operator wants to do about a sensor.
  private enum Answer { case again, without, end }

  private static func answer(_ console: Console) async -> Answer {
    while true {
      console.line("Return tries again; “go” and Return starts without these samples; “end” and Return ends")
      switch await line()?.lowercased() {
      case ""?: return .again
      case "go"?: return .without
      case "end"?, nil: return .end
      default: continue
      }
    }
  }

  /// What is typed up to Return, or `nil` at the end of the input; Ctrl-C ends the program meanwhile.
  private static func line() async -> String? {
    await withCheckedContinuation { continuation in
      WaitingThread.start {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
          let count = unsafe read(STDIN_FILENO, &byte, 1)
          if count < 0, errno == EINTR { continue }
          guard count == 1 else { return continuation.resume(returning: nil) }
          guard byte != 10, byte != 13 else { break }
          if bytes.count < 100 { bytes.append(byte) }
        }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        continuation.resume(returning: text)
      }
    }
  }
}
