import Basics

/// Draws the clips of a design's trials for one session, as its rule for reuse says.
struct ClipDraws {
  /// A clip, and how it was drawn; without a draw where the protocol names it.
  typealias Drawn = (clip: Clip, draw: Draw?)

  /// The clips of a session.
  struct Stimuli {
    /// For each condition its clips, in the order in which its trials play them; empty for silence.
    var byCondition: [[Drawn]]
    /// The clips of the practice trials that play one, in their order.
    var practice: [Drawn]
  }

  private let design: TrialDesign
  private let identifier: String
  private let practicePool: ClipPool?
  private let seed: UInt64
  /// How many sessions each participant has.
  private let sessionsEach: Int
  /// All clips of all pools.
  private let clips: [Clip]
  /// The different pools, by indices of clips, and the pool of each condition; `nil` for one that plays no drawn clip.
  private var pools: [[Int]] = []
  private var poolOfCondition: [Int?] = []
  private var poolOfPractice: Int?
  private let named: Clip?

  init(_ step: TrialsStep, _ identifier: String, _ clips: [Clip], _ seed: UInt64, sessionsEach: Int = 1) {
    self.sessionsEach = sessionsEach
    (design, self.identifier, practicePool, self.seed) = (step.design, identifier, step.practice?.clips, seed)
    let sorted = clips.sorted { $0.name.precedes($1.name) }
    self.clips = sorted
    let choice = step.music?.music.clip
    if case .named(let name)? = choice { named = sorted.first { $0.name == name } } else { named = nil }
    var known: [ClipPool: Int] = [:]
    var pools: [[Int]] = []
    func index(of pool: ClipPool) -> Int {
      if let index = known[pool] { return index }
      let members = Set(pool.clips(among: sorted).map(\.name))
      let indices = sorted.indices.filter { members.contains(sorted[$0].name) }
      let index = pools.firstIndex(of: indices) ?? pools.count
      if index == pools.count { pools.append(indices) }
      known[pool] = index
      return index
    }
    poolOfCondition = step.design.conditions.map { condition in
      guard let pool = condition.pool else { return nil }
      return switch choice {
      case .condition?: index(of: pool)
      case .random(let own)?: index(of: own)
      case .named?, nil: nil
      }
    }
    if choice != nil, named == nil { poolOfPractice = step.practice?.clips.map(index) }
    self.pools = pools
  }

  /// The clips of one session.
  ///
  /// The draws of earlier sessions, whose clips are not played again, are repeated.
  ///
  /// - Parameters:
  ///   - place: the session.
  ///   - practice: the conditions of the practice trials of a session.
  /// - Returns: the clips.
  /// - Throws: ``PlanError/tooFewClipsFor(design:_:_:_:)``.
  func stimuli(of place: PlanPlace, practice: (PlanPlace) -> [Int]) throws(PlanError) -> Stimuli {
    if let named {
      return Stimuli(
        byCondition: design.conditions.map { condition in
          condition.sound == .silence ? [] : Array(repeating: (named, nil), count: design.repetitions)
        }, practice: practice(place).map { _ in (named, nil) })
    }
    let sessions = sessions(upTo: place)
    var allotment: ClipAllotment?
    if design.clipReuse != .always {
      do {
        allotment = try ClipAllotment(pools: pools, needs: needs(of: sessions, practice))
      } catch {
        throw .tooFewClipsFor(design: identifier, words(for: error), design.clipReuse, place)
      }
    }
    var stimuli = Stimuli(byCondition: [], practice: [])
    for session in sessions { stimuli = draw(session, practice(session), &allotment) }
    return stimuli
  }

  /// The sessions whose clips are not to be drawn again, and the session itself as the last.
  private func sessions(upTo place: PlanPlace) -> [PlanPlace] {
    switch design.clipReuse {
    case .always, .nextSession: return [place]
    case .nextParticipant:
      return (1...place.session).map { PlanPlace(index: place.index, group: place.group, session: $0) }
    case .never:
      // Each participant's clips of all sessions come before the next participant's, in whatever order they are recorded.
      let earlier = (1..<place.index).flatMap { index in
        (1...sessionsEach).map { PlanPlace(index: index, group: place.group, session: $0) }
      }
      return earlier + (1...place.session).map { PlanPlace(index: place.index, group: place.group, session: $0) }
    }
  }

  private func pool(ofPractice condition: Int) -> Int? {
    poolOfCondition[condition].map { poolOfPractice ?? $0 }
  }

  private func needs(of sessions: [PlanPlace], _ practice: (PlanPlace) -> [Int]) -> [Int] {
    var needs = Array(repeating: 0, count: pools.count)
    for session in sessions {
      for pool in poolOfCondition.compactMap(\.self) { needs[pool] += design.repetitions }
      for pool in practice(session).compactMap(pool(ofPractice:)) { needs[pool] += 1 }
    }
    return needs
  }

  private func draw(_ session: PlanPlace, _ practice: [Int], _ allotment: inout ClipAllotment?) -> Stimuli {
    func draw(_ pool: Int, _ what: String) -> Drawn? {
      let purpose = session.purpose + "clips/\(identifier)/\(what)"
      guard !pools[pool].isEmpty else { return nil }
      var made: Draw?
      func choose(_ candidates: [Int]) -> Int {
        let draw = Draw.make(purpose: purpose, candidates: candidates.map { clips[$0].name }, seed: seed)
        made = draw
        return draw.index
      }
      let index = allotment?.draw(for: pool, choose: choose) ?? pools[pool][choose(pools[pool])]
      return (clips[index], made)
    }
    let forPractice = practice.enumerated().compactMap { number, condition in
      pool(ofPractice: condition).flatMap { draw($0, "practice/\(number + 1)") }
    }
    var byName: [String: Int] = [:]
    let byCondition = design.conditions.indices.map { condition -> [Drawn] in
      guard let pool = poolOfCondition[condition] else { return [] }
      let name = design.conditions[condition].name
      return (0..<design.repetitions).compactMap { _ in
        byName[name, default: 0] += 1
        return draw(pool, "\(name)/\(byName[name, default: 0])")
      }
    }
    return Stimuli(byCondition: byCondition, practice: forPractice)
  }

  private func words(for shortage: ClipAllotment.Shortage) -> ClipShortage {
    let names = design.conditions.indices.filter { index in
      poolOfCondition[index].map(shortage.pools.contains) ?? false
    }.map { design.conditions[$0].name }
    return ClipShortage(conditions: names, trials: shortage.needed, clips: shortage.clips)
  }
}

/// Conditions that together need more clips than their pools have.
package struct ClipShortage: Hashable, Sendable, CustomStringConvertible {
  /// The conditions' names.
  let conditions: [String]
  /// How many trials play a clip of them, those of earlier sessions included where their clips do not come again.
  let trials: Int
  /// How many clips there are for them.
  let clips: Int

  /// The shortage in a clause.
  package var description: String {
    let names = conditions.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
    let more = conditions.count > 5 ? " and \(conditions.count - 5) more" : ""
    return "\(trials.counted("trial")) of \(names)\(more) draw from \(clips.counted("clip"))"
  }
}
