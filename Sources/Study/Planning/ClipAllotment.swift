/// Which clips are left for the draws of a session, so that no draw takes a clip that another pool cannot do without.
///
/// Pools may overlap. A matching of the clips with what the pools still need shows which candidates leave enough for the
/// others (augmenting paths, as H. W. Kuhn's Hungarian method has them).
struct ClipAllotment {
  /// For each pool the indices of its clips that are left.
  private var left: [[Int]]
  /// For each pool how many draws are to come.
  private var needs: [Int]
  /// The pool that each clip is matched with.
  private var owner: [Int: Int] = [:]
  /// Whether no clip is in two pools, so that every draw leaves enough for the others.
  private let areDisjoint: Bool

  /// An allotment of clips to pools.
  ///
  /// - Parameters:
  ///   - pools: for each pool the indices of its clips, in ascending order.
  ///   - needs: for each pool how many clips will be drawn.
  /// - Throws: ``Shortage`` if there are too few.
  init(pools: [[Int]], needs: [Int]) throws(Shortage) {
    (left, self.needs) = (pools, needs)
    areDisjoint = pools.reduce(0) { $0 + $1.count } == Set(pools.joined()).count
    for pool in pools.indices {
      for _ in 0..<needs[pool] where !match(pool, without: nil) { throw shortage(of: pool) }
    }
  }

  /// Pools that together need more clips than they have.
  struct Shortage: Error {
    /// The pools, by their indices.
    let pools: [Int]
    /// How many clips they need.
    let needed: Int
    /// How many they have.
    let clips: Int
  }

  /// Draws a clip for a pool.
  ///
  /// - Parameters:
  ///   - pool: the pool's index; it still needs a clip.
  ///   - choose: chooses one of the candidates, by its place among them.
  /// - Returns: the clip's index.
  mutating func draw(for pool: Int, choose: (_ candidates: [Int]) -> Int) -> Int {
    needs[pool] -= 1
    guard !areDisjoint else { return left[pool].remove(at: choose(left[pool])) }
    let fitting = left[pool].compactMap { clip -> (clip: Int, owner: [Int: Int])? in
      var copy = self
      return copy.give(clip, to: pool) ? (clip, copy.owner) : nil
    }
    let chosen = fitting[choose(fitting.map(\.clip))]
    owner = chosen.owner
    owner[chosen.clip] = nil
    for index in left.indices { left[index].removeAll { $0 == chosen.clip } }
    return chosen.clip
  }

  /// Matches a clip with a pool that is matched with as many as it needs; `false` if another pool cannot do without it.
  private mutating func give(_ clip: Int, to pool: Int) -> Bool {
    guard owner[clip] != pool else { return true }
    let previous = owner[clip]
    guard let other = owner.first(where: { $0.value == pool })?.key else { return false }
    owner[other] = nil
    owner[clip] = pool
    guard let previous else { return true }
    return match(previous, without: clip)
  }

  /// Matches one more clip with a pool, by moving others where needed.
  private mutating func match(_ pool: Int, without fixed: Int?) -> Bool {
    var waiting = [pool]
    /// The pool that each clip was reached from, and the clip that each further pool was reached by.
    var source: [Int: Int] = [:]
    var bridge: [Int: Int] = [:]
    var next = 0
    while next < waiting.count {
      let current = waiting[next]
      next += 1
      for clip in left[current] where clip != fixed && source[clip] == nil {
        source[clip] = current
        if let owner = owner[clip] {
          guard owner != pool, bridge[owner] == nil else { continue }
          bridge[owner] = clip
          waiting.append(owner)
          continue
        }
        // Each pool on the way back takes the clip ahead of it, and gives its own to the pool before.
        var (free, taker) = (clip, current)
        owner[free] = taker
        while let given = bridge[taker], let before = source[given] {
          (free, taker) = (given, before)
          owner[free] = taker
        }
        return true
      }
    }
    return false
  }

  /// The pools that compete with one for too few clips.
  private func shortage(of pool: Int) -> Shortage {
    var pools: Set<Int> = [pool]
    while true {
      let clips = Set(pools.flatMap { left[$0] })
      let owners = pools.union(clips.compactMap { owner[$0] })
      guard owners.count > pools.count else {
        return Shortage(pools: pools.sorted(), needed: pools.reduce(0) { $0 + needs[$1] }, clips: clips.count)
      }
      pools = owners
    }
  }
}
