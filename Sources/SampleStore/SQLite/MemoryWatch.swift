import Basics
import Synchronization

/// Signals the watches of a store in memory.
final class MemoryBell: Sendable {
  private let bells = Mutex<[ObjectIdentifier: Bell]>([:])

  func ring() { for bell in bells.withLock({ Array($0.values) }) { bell.ring() } }

  fileprivate func add(_ bell: Bell) { bells.withLock { $0[ObjectIdentifier(bell)] = bell } }

  fileprivate func remove(_ bell: Bell) { bells.withLock { $0[ObjectIdentifier(bell)] = nil } }
}

/// Waits for changes of one store in memory.
struct MemoryWatch: StoreWatch {
  private let bell = Bell()
  private let bells: MemoryBell

  init(bell bells: MemoryBell) {
    self.bells = bells
    bells.add(bell)
  }

  func wait() async -> Bool { await bell.wait() }

  func stop() {
    bells.remove(bell)
    bell.stop()
  }
}
