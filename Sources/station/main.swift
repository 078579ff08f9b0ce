// Provisional: only for measurements on this branch.
import Glibc
import Quantities
import Sound

func provisional(_ arguments: [String]) async throws -> Int32 {
  var words = arguments
  func option(_ name: String) -> String? {
    guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
    let value = words[index + 1]
    words.removeSubrange(index...index + 1)
    return value
  }
  if words.starts(with: ["check", "onset"]) {
    var command = CheckOnsetCommand()
    command.clip = option("--clip")
    command.trials = option("--trials").flatMap { Int($0) } ?? 25
    command.speaker = option("--speaker")
    command.jsonLines = words.contains("--json-lines")
    return try await command.run { print($0) } ? 0 : 4
  }
  if words.first == "play" {
    let duration = option("--duration").flatMap { Double($0) }.map { Duration(seconds: $0) }
    let speaker = option("--speaker")
    let command = PlayCommand(clip: words[1], duration: duration, speaker: speaker)
    print(try command.run(started: { _ in }, progress: { _ in }))
    return 0
  }
  return 2
}

do {
  exit(try await provisional(Array(CommandLine.arguments.dropFirst())))
} catch {
  print("station: \(error)")
  exit(1)
}
