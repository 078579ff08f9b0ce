import Basics
import Quantities

extension ReadProtocol {
  /// All conflicts between the protocol and a library of clips, in the order of the file; empty if there are none.
  ///
  /// - Parameter clips: the clips of the protocol's folder.
  /// - Returns: a problem for each named clip that is missing, for a mood, tag or folder that no clip has, for clips that
  ///   are too short, too long or too few, and for an empty library; at most ``ProtocolProblems/maxCount`` of them for a step.
  ///   Clips that depend on the participant are checked in the protocol of one.
  package func problems(with clips: [Clip]) -> [ProtocolProblem] {
    let steps = studyProtocol.allSteps
    guard steps.contains(where: { $0.step.music != nil }) else { return [] }
    guard !clips.isEmpty else { return [emptyLibrary()] }
    return steps.flatMap { step, path -> [ProtocolProblem] in
      if let music = step.music?.music, music.clip != .condition { return problems(of: music, path, clips) }
      guard let trials = step.trials, let music = trials.music?.music else { return [] }
      return problems(of: trials, music, path, clips)
    }
  }

  /// The conflicts of one choice: of a step that plays clips itself, or of one condition.
  private func problems(of music: MusicStep, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    if case .random(let pool) = music.clip, pool.isPersonal { return [] }
    let choice = path.appending("clip")
    let wrong = missing(music.clip, choice, clips)
    guard wrong.isEmpty else { return wrong }
    let playable = Draw.candidates(for: music, among: clips)
    return lengths(music, path.appending("stepDuration"), playable)
  }

  private func problems(
    of trials: TrialsStep, _ music: MusicStep, _ path: JSONPointer, _ clips: [Clip]
  ) -> [ProtocolProblem] {
    var problems: [ProtocolProblem] = []
    var playable: [Clip] = []
    if music.clip == .condition {
      for (index, condition) in trials.design.conditions.enumerated() {
        guard let pool = condition.pool, !pool.isPersonal, problems.count < ProtocolProblems.maxCount else { continue }
        let place = path.appending("design").appending("conditions").appending(index).appending("clips")
        let wrong = missing(.random(pool), place, clips)
        problems += wrong.isEmpty && pool.clips(among: clips).isEmpty ? [emptyPool(condition.name, place)] : wrong
        playable += pool.clips(among: clips)
      }
      problems += silentCells(of: trials.design.conditions, path.appending("design"), clips)
    }
    if let pool = trials.practice?.clips, !pool.isPersonal {
      problems += missing(.random(pool), path.appending("practice").appending("clips"), clips)
      playable += pool.clips(among: clips)
    }
    guard problems.isEmpty else { return problems }
    let template = trials.steps.firstIndex { $0.music != nil } ?? 0
    let duration = path.appending("steps").appending(template).appending("stepDuration")
    let unique = Dictionary(playable.map { ($0.name, $0) }) { first, _ in first }.values
    problems = lengths(music, duration, unique.sorted { $0.name.precedes($1.name) })
    guard problems.isEmpty, !studyProtocol.isPersonal else { return problems }
    let groups = studyProtocol.groups?.groups.map { $0.name as String? } ?? [nil]
    for group in groups {
      do {
        let place = PlanPlace(group: group, session: studyProtocol.sessions)
        _ = try Plan.make(for: studyProtocol, clips: clips, seed: 0, place: place)
      } catch {
        let what = group.map { "the group “\($0)”: " } ?? ""
        return [problem(at: path.appending("design"), "\(what)\(error)")]
      }
    }
    return []
  }

  private func lengths(_ music: MusicStep, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    shortClips(music, path, clips) + longClips(music, path, clips)
  }

  /// The problem that the protocol's folder of clips cannot be read.
  ///
  /// - Parameter reason: the system's reason.
  /// - Returns: the problem, at the place that names the folder.
  package func unreadableClips(_ reason: String) -> ProtocolProblem {
    problem(
      at: JSONPointer(["clips", "folder"]),
      "\(reason); create the folder and put mp3, WAV or FLAC files there, or name another folder")
  }

  private func emptyLibrary() -> ProtocolProblem {
    let folder = studyProtocol.clips?.folder ?? ""
    return problem(
      at: JSONPointer(["clips", "folder"]),
      "there is no clip in \(Self.quoted(folder)); put mp3, WAV or FLAC files there, or name another folder")
  }

  // MARK: Names

  /// What a choice asks for that no clip has.
  private func missing(_ choice: ClipChoice, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    switch choice {
    case .condition: return []
    case .named(let name): return missingNames([(name, path.appending("name"))], clips)
    case .random(let pool):
      let names = (pool.names ?? []).enumerated().map { ($1, path.appending("from").appending($0)) }
      let missing = missingNames(names, clips)
      return missing.isEmpty ? missingMark(pool, path, clips) : missing
    }
  }

  private func missingNames(_ names: [(name: String, path: JSONPointer)], _ clips: [Clip]) -> [ProtocolProblem] {
    let known = Set(clips.map(\.name))
    return names.filter { !known.contains($0.name) }.prefix(ProtocolProblems.maxCount).map { name, path in
      problem(at: path, "there is no clip \(Self.quoted(name)); \(suggestion(for: name, among: known))")
    }
  }

  private func suggestion(for name: String, among known: Set<String>) -> String {
    let sorted = known.sorted { $0.precedes($1) }
    for ending in [".mp3", ".wav", ".flac"] where name.lowercased().hasSuffix(ending) {
      let stem = String(name.dropLast(ending.count))
      if known.contains(stem) { return "clips are named without \(ending): \(Self.quoted(stem))" }
    }
    if let near = Spelling.nearest(to: name, among: sorted) { return "did you mean \(Self.quoted(near))?" }
    return "there are \(Self.list(sorted.map(Self.quoted)))"
  }

  // MARK: Moods and tags

  /// The first of folder, mood and tags that leaves no clip.
  private func missingMark(_ pool: ClipPool, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    var part = ClipPool(names: pool.names, folder: pool.folder)
    guard let folder = pool.folder, part.clips(among: clips).isEmpty else {
      return missingMood(pool, &part, path, clips)
    }
    let folders = Set(clips.compactMap(\.subfolder)).sorted { $0.precedes($1) }
    let hint = folders.isEmpty ? "" : "; there are \(Self.list(folders.map(Self.quoted)))"
    return [problem(at: path.appending("folder"), "there is no clip in the folder \(Self.quoted(folder))\(hint)")]
  }

  private func missingMood(
    _ pool: ClipPool, _ part: inout ClipPool, _ path: JSONPointer, _ clips: [Clip]
  ) -> [ProtocolProblem] {
    let before = part.clips(among: clips)
    part.mood = pool.mood
    if let mood = pool.mood, part.clips(among: clips).isEmpty {
      return [noClip("mood", mood, path, among: before.compactMap(\.annotation.mood), isPart: pool.names != nil)]
    }
    for tag in pool.tags {
      let before = part.clips(among: clips)
      part.tags.append(tag)
      if part.clips(among: clips).isEmpty {
        return [noClip("tag", tag, path, among: before.flatMap { $0.annotation.tags ?? [] }, isPart: pool.names != nil)]
      }
    }
    return []
  }

  private func noClip(
    _ mark: String, _ value: String, _ path: JSONPointer, among known: [String], isPart: Bool
  ) -> ProtocolProblem {
    let known = Set(known).sorted { $0.precedes($1) }
    let among = isPart ? "none of the clips in “from”" : "no clip"
    guard !known.isEmpty else {
      return problem(
        at: path.appending(mark), "\(among) has a \(mark); a clips.json in the folder of clips says them")
    }
    let hint =
      Spelling.nearest(to: value, among: known).map { "did you mean \(Self.quoted($0))?" }
      ?? "there are \(Self.list(known.map(Self.quoted)))"
    return problem(at: path.appending(mark), "\(among) has the \(mark) \(Self.quoted(value)); \(hint)")
  }

  private func emptyPool(_ condition: String, _ path: JSONPointer) -> ProtocolProblem {
    problem(
      at: path,
      "no clip is left for the condition \(Self.quoted(condition)): none has everything that its levels ask for")
  }

  // MARK: Lengths

  private func shortClips(_ music: MusicStep, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    guard music.whenShorter == .refuse else { return [] }
    let start: Duration = if case .from(let start) = music.excerpt { start } else { .zero }
    func frames(_ duration: Duration, _ clip: Clip) -> Double { (duration.seconds * Double(clip.sampleRate)).rounded() }
    let short = clips.filter { clip in
      Double(clip.frames) - frames(start, clip) < frames(music.activeStep.stepDuration, clip)
    }
    guard !short.isEmpty else { return [] }
    let lengths = Self.list(short.map { "\(Self.quoted($0.name)) (\(Self.seconds($0.duration)) s)" })
    return [
      problem(
        at: path,
        "the step lasts \(Self.seconds(music.activeStep.stepDuration)) s"
          + (start == .zero
            ? ", longer than \(lengths); " : " from \(Self.seconds(start)) s of the clip on, beyond \(lengths); ")
          + "shorten the step, or set “whenShorter” to “loop” or “end”")
    ]
  }

  private func longClips(_ music: MusicStep, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    let seconds = music.activeStep.stepDuration.seconds
    let long = clips.filter { clip in
      min(Double(clip.frames), (seconds * Double(clip.sampleRate)).rounded()) * Double(clip.channels)
        > Double(MusicStep.maxSamples)
    }
    guard !long.isEmpty else { return [] }
    let lengths = Self.list(
      long.map { clip in
        let limit = Duration(seconds: Double(MusicStep.maxSamples / clip.channels) / Double(clip.sampleRate))
        return "\(Self.quoted(clip.name)) (\(Self.seconds(limit)) s)"
      })
    return [
      problem(
        at: path,
        "the step lasts \(Self.seconds(music.activeStep.stepDuration)) s, which is more than memory is given for of \(lengths); "
          + "shorten the step, or loop a shorter clip")
    ]
  }

  /// Seconds with at most three decimals, rounded down.
  private static func seconds(_ duration: Duration) -> String {
    JSONValue.number(Double(duration.nanoseconds / 1_000_000) / 1000).text()
  }

  private static func quoted(_ name: String) -> String { "“\(name.shortened.visible)”" }

  /// The first ten elements, and the number of the others.
  private static func list(_ things: [String]) -> String {
    let more = things.count - 10
    return things.prefix(10).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
