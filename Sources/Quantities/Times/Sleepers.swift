/// Who sleeps on a clock, in the order in which they are to be woken: by deadline, and those of one deadline in turn.
///
/// A binary heap of deadlines; a sleeper that is woken early leaves its place in the heap until that comes to the top.
struct Sleepers: Sendable {
  private struct Place: Sendable {
    let deadline: Moment
    let number: Int

    static func < (left: Place, right: Place) -> Bool {
      left.deadline == right.deadline ? left.number < right.number : left.deadline < right.deadline
    }
  }

  private var heap: [Place] = []
  private var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]

  /// The number of sleepers.
  var count: Int { waiting.count }

  /// The deadline of the next sleeper; `nil` if there is none.
  var nextDeadline: Moment? {
    mutating get {
      while let first = heap.first, waiting[first.number] == nil { removeFirst() }
      return heap.first?.deadline
    }
  }

  /// Adds a sleeper under a number that is larger than those before.
  mutating func add(_ number: Int, until deadline: Moment, _ continuation: CheckedContinuation<Void, any Error>) {
    waiting[number] = continuation
    heap.append(Place(deadline: deadline, number: number))
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out a sleeper who is to be woken early; `nil` for one who does not sleep.
  mutating func remove(_ number: Int) -> CheckedContinuation<Void, any Error>? { waiting.removeValue(forKey: number) }

  /// Takes out the next sleeper with its deadline; `nil` if there is none.
  mutating func next() -> (deadline: Moment, continuation: CheckedContinuation<Void, any Error>)? {
    guard let deadline = nextDeadline, let continuation = waiting.removeValue(forKey: heap[0].number) else {
      return nil
    }
    removeFirst()
    return (deadline, continuation)
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      let (left, right) = (2 * parent + 1, 2 * parent + 2)
      var least = parent
      if left < heap.count, heap[left] < heap[least] { least = left }
      if right < heap.count, heap[right] < heap[least] { least = right }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
