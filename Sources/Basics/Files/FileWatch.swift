import CSystem
import Dispatch
import Glibc
import Synchronization

/// Sees at once, in whichever process it happens, that a file was written or appeared.
///
/// The folder is watched, so that the file need not be there yet; files whose names begin in the same way count as well,
/// as a database's log does. Where the kernel has no more watches to give, the bell rings every so often instead.
package final class FileWatch: Sendable {
  private let bell = Bell()
  private let queue = DispatchQueue(label: "station.watch")
  // Dispatch's sources may be used from any thread, though their type does not say so.
  nonisolated(unsafe) private let source: any DispatchSourceProtocol
  /// How often something was seen; a later event replaces the echoes of an earlier one.
  private let seen = Mutex(0)
  private let echoes: [Int]

  /// How often it rings where the kernel has no more watches to give, in milliseconds.
  private static let pulse = 50

  /// Watches a file.
  ///
  /// - Parameters:
  ///   - path: the file, whose folder must be there.
  ///   - echoes: when the bell rings again after something was seen, in milliseconds, ascending: for what is told shortly
  ///     before it counts.
  package convenience init(_ path: String, echoes: [Int] = []) {
    let resolved = unsafe realpath(path, nil)
    defer { unsafe free(resolved) }
    let path = unsafe resolved.map { unsafe String(cString: $0) } ?? path
    self.init(folder: Folder.parent(of: path), names: Folder.name(of: path), echoes: echoes)
  }

  /// Watches a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder, which must be there.
  ///   - name: how the names begin that are watched; empty for all of them.
  ///   - echoes: as for a file.
  package init(folder: String, names name: String = "", echoes: [Int] = []) {
    self.echoes = echoes
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

  /// Returns after the next change, or one that nobody has waited for: `true`; or when the watch ends: `false`.
  package func wait() async -> Bool { await bell.wait() }

  /// Ends the watch.
  package func stop() {
    unsafe source.cancel()
    bell.stop()
  }

  private func see() {
    bell.ring()
    guard !echoes.isEmpty else { return }
    let number = seen.withLock { seen in
      seen += 1
      return seen
    }
    echo(number, 0)
  }

  private func echo(_ number: Int, _ place: Int) {
    guard place < echoes.count else { return }
    let delay = echoes[place] - (place > 0 ? echoes[place - 1] : 0)
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      guard let self, self.seen.withLock({ $0 }) == number else { return }
      self.bell.ring()
      self.echo(number, place + 1)
    }
  }
}
