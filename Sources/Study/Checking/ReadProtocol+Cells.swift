import Basics

extension ReadProtocol {
  /// The cells of a table that name a clip, a mood or a tag in a column that is a factor, which plays nothing.
  ///
  /// A factor that was written `factor:…` is meant; its key is where the heading is, and that of others where the cell is.
  ///
  /// - Parameters:
  ///   - conditions: the conditions of a design.
  ///   - path: the design.
  ///   - clips: the clips of the protocol's folder.
  /// - Returns: a problem for each such column, at its first such cell.
  func silentCells(of conditions: [StudyCondition], _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    var problems: [String: ProtocolProblem] = [:]
    var playable: [ClipPool: [Clip]] = [:]
    for (index, condition) in conditions.enumerated() {
      guard let pool = condition.pool, pool.names == nil, !pool.isPersonal, !condition.factors.isEmpty else { continue }
      let drawn = playable[pool] ?? pool.clips(among: clips)
      playable[pool] = drawn
      let factors = path.appending("conditions").appending(index).appending("factors")
      for member in members(at: factors) where member.keyOffset == member.value.offset && problems[member.key] == nil {
        let level = condition.factors[member.key] ?? ""
        guard let property = Self.property(named: level, in: pool, of: drawn, among: clips) else { continue }
        let name = member.key.shortened.visible
        problems[member.key] = problem(
          at: factors.appending(member.key),
          "“\(level.shortened.visible)” is a \(property), but the column “\(name)” is a factor, which plays nothing; did you "
            + "mean “\(property)”? a factor of this name is written “\(ConditionsFile.prefix)\(name)”")
      }
    }
    return problems.values.sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
  }

  /// Whether a level of a condition that draws clips is the name of one, or a mood or tag that only some of them have.
  private static func property(
    named level: String, in pool: ClipPool, of drawn: [Clip], among clips: [Clip]
  ) -> ConditionsFile.Property? {
    let name = (level.split(separator: "/").last.map(String.init) ?? level).lowercased()
    let names = [name] + [".mp3", ".wav", ".flac"].filter(name.hasSuffix).map { String(name.dropLast($0.count)) }
    let named = clips.filter { names.contains($0.name.lowercased()) }
    if !named.isEmpty, named != drawn { return .clip }
    guard pool.mood == nil else { return nil }
    func isOfSome(_ has: (Clip) -> Bool) -> Bool { drawn.contains(where: has) && !drawn.allSatisfy(has) }
    if isOfSome({ $0.annotation.mood?.lowercased() == level.lowercased() }) { return .mood }
    return isOfSome { $0.annotation.tags?.contains { $0.lowercased() == level.lowercased() } ?? false } ? .tag : nil
  }
}
