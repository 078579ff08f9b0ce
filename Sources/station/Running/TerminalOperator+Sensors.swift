import Basics
import Bundles
import Experiment
import Glibc
import Quantities
import Study

extension TerminalOperator {
  func decide(about shortfalls: [SensorCheck.Shortfall]) async -> SensorDecision? {
    guard canAsk else { return nil }
    for shortfall in shortfalls { console.report("no plausible sample: \(shortfall)") }
    while true {
      console.line("press Return to try again, type “go” to start without these samples, or “end” to end")
      switch await Self.line()?.lowercased() {
      case ""?: return .again
      case "go"?: return .without
      case "end"?, nil: return .end
      default: continue
      }
    }
  }

  /// The typed line, or `nil` at the end of the input; meanwhile, Ctrl-C ends the program.
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
