import Glibc
import Synchronization

/// Ctrl-C during `station run`: before the trial it ends the process, during it the trial decides.
final class InterruptRouter: Sendable {
  private let console: Console
  private let current = Mutex<TrialControl?>(nil)

  init(console: Console) { self.console = console }

  /// The trial that runs.
  var control: TrialControl? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// Passes interrupts on until the task is cancelled.
  func run() async {
    for await _ in Interrupts.stream() {
      guard let control else {
        console.complain("interrupted before the trial; nothing was recorded")
        exit(ExitStatus.failed.rawValue)
      }
      await control.interrupt()
    }
  }
}
