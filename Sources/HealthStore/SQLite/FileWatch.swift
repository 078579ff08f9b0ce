import CSystem
import Dispatch
import Glibc
import Synchronization

/// Sees every process's commits to one SQLite file soon after they are made.
///
/// Whoever writes touches the database after each commit, which the kernel reports at once. A writer that died in between
/// has at least written into the log before; because that is reported shortly before the commit counts, the bell rings a
/// few more times after it.
final class FileWatch: StoreWatch {
  private let bell = Bell()
  private let queue = DispatchQueue(label: "station.store.watch")
  // Dispatch's sources may be used from any thread, though their type does not say so.
  nonisolated(unsafe) private let source: any DispatchSourceProtocol
  /// How often something was seen; a later event replaces the echoes of an earlier one.
  private let seen = Mutex(0)

  /// When the bell rings again after something was seen, in milliseconds.
  private static let echoes = [4, 12, 28, 60, 120, 250, 500, 1000]

  /// How often it rings where the kernel has no more watches to give, in milliseconds.
  private static let pulse = 50

  init(database name: String) {
    let resolved = unsafe realpath(name, nil)
    defer { unsafe free(resolved) }
    let path = unsafe resolved.map { unsafe String(cString: $0) } ?? name
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = end.map { String(path[path.index(after: $0)...]) } ?? path
    let watch = unsafe csystem_folder_watch_open(folder)
    guard watch >= 0 else {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now(), repeating: .milliseconds(Self.pulse))
      unsafe source = timer
      timer.setEventHandler { [bell] in bell.ring() }
      timer.resume()
      return
    }
    let reader = DispatchSource.makeReadSource(fileDescriptor: watch, queue: queue)
    unsafe source = reader
    reader.setCancelHandler { close(watch) }
    reader.setEventHandler { [weak self] in
      if unsafe csystem_folder_watch_read(watch, name) != 0 { self?.see() }
    }
    reader.resume()
  }

  deinit { unsafe source.cancel() }

  func wait() async -> Bool { await bell.wait() }

  func stop() {
    unsafe source.cancel()
    bell.stop()
  }

  private func see() {
    bell.ring()
    let number = seen.withLock { seen in
      seen += 1
      return seen
    }
    echo(number, 0)
  }

  private func echo(_ number: Int, _ place: Int) {
    guard place < Self.echoes.count else { return }
    let delay = Self.echoes[place] - (place > 0 ? Self.echoes[place - 1] : 0)
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      guard let self, self.seen.withLock({ $0 }) == number else { return }
      self.bell.ring()
      self.echo(number, place + 1)
    }
  }
}
