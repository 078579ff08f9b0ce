import Basics
import Quantities

extension ReadProtocol {
  /// All conflicts between the protocol and a library of clips, in the order of the file; empty if there are none.
  ///
  /// - Parameter clips: the clips of the protocol's folder.
  /// - Returns: a problem for each named clip that is missing, for a mood that no clip has, for clips that are too
  ///   short or too long, and for an empty library; at most ``ProtocolProblems/most`` of them.
  package func problems(with clips: [Clip]) -> [ProtocolProblem] {
    studyProtocol.steps.enumerated().flatMap { index, step -> [ProtocolProblem] in
      guard case .music(let music) = step.kind else { return [] }
      let path = JSONPointer(["steps", "\(index)"])
      guard !clips.isEmpty else { return [emptyLibrary()] }
      let missing = missingNames(music, path, clips)
      guard missing.isEmpty else { return missing }
      return missingMood(music, path, clips) + shortClips(music, path, clips) + longClips(music, path, clips)
    }
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

  private func missingNames(_ music: MusicStep, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    let clip = path.appending("clip")
    let names: [(name: String, path: JSONPointer)] =
      switch music.clip {
      case .named(let name): [(name, clip.appending("name"))]
      case .random(let names, _): (names ?? []).enumerated().map { ($1, clip.appending("from").appending($0)) }
      }
    let known = Set(clips.map(\.name))
    return names.filter { !known.contains($0.name) }.prefix(ProtocolProblems.most).map { name, path in
      problem(at: path, "there is no clip \(Self.quoted(name)); \(suggestion(for: name, among: known))")
    }
  }

  private func suggestion(for name: String, among known: Set<String>) -> String {
    let sorted = known.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for ending in [".mp3", ".wav", ".flac"] where name.lowercased().hasSuffix(ending) {
      let stem = String(name.dropLast(ending.count))
      if known.contains(stem) { return "clips are named without \(ending): \(Self.quoted(stem))" }
    }
    if let near = Spelling.nearest(to: name, among: sorted) { return "did you mean \(Self.quoted(near))?" }
    return "there are \(Self.list(sorted.map(Self.quoted)))"
  }

  // MARK: Moods

  private func missingMood(_ music: MusicStep, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    guard case .random(let names, let mood?) = music.clip, Draw.candidates(for: music, among: clips).isEmpty else {
      return []
    }
    let place = path.appending("clip").appending("mood")
    let candidates = names.map { names in clips.filter { names.contains($0.name) } } ?? clips
    let moods = Set(candidates.compactMap(\.annotation.mood)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let among = names == nil ? "no clip" : "none of the clips in “from”"
    guard !moods.isEmpty else {
      return [problem(at: place, "\(among) has a mood; a clips.json in the folder of clips says them")]
    }
    let hint =
      Spelling.nearest(to: mood, among: moods).map { "did you mean \(Self.quoted($0))?" }
      ?? "there are \(Self.list(moods.map(Self.quoted)))"
    return [problem(at: place, "\(among) has the mood \(Self.quoted(mood)); \(hint)")]
  }

  // MARK: Lengths

  private func shortClips(_ music: MusicStep, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    guard music.whenShorter == .refuse else { return [] }
    let seconds = music.active.stepDuration.seconds
    let short = Draw.candidates(for: music, among: clips).filter { clip in
      Double(clip.frames) < (seconds * Double(clip.sampleRate)).rounded()
    }
    guard !short.isEmpty else { return [] }
    let lengths = Self.list(short.map { "\(Self.quoted($0.name)) (\(Self.seconds($0.duration)) s)" })
    return [
      problem(
        at: path.appending("stepDuration"),
        "the step lasts \(Self.seconds(music.active.stepDuration)) s, longer than \(lengths); "
          + "shorten the step, or set “whenShorter” to “loop” or “end”")
    ]
  }

  private func longClips(_ music: MusicStep, _ path: JSONPointer, _ clips: [Clip]) -> [ProtocolProblem] {
    let seconds = music.active.stepDuration.seconds
    let long = Draw.candidates(for: music, among: clips).filter { clip in
      min(Double(clip.frames), (seconds * Double(clip.sampleRate)).rounded()) * Double(clip.channels)
        > Double(MusicStep.mostSamples)
    }
    guard !long.isEmpty else { return [] }
    let lengths = Self.list(
      long.map { clip in
        let limit = Duration(seconds: Double(MusicStep.mostSamples / clip.channels) / Double(clip.sampleRate))
        return "\(Self.quoted(clip.name)) (\(Self.seconds(limit)) s)"
      })
    return [
      problem(
        at: path.appending("stepDuration"),
        "the step lasts \(Self.seconds(music.active.stepDuration)) s, which is more than memory is given for of \(lengths); "
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
