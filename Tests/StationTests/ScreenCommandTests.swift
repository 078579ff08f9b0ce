import Basics
import TestSupport
import Testing

@Suite("station check screen")
struct ScreenCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test("keeps what was measured by other means beside the other settings, and shows it")
  func given() async throws {
    let width = try await bench.run(["check", "screen", "--width-mm", "527", "--json"])
    #expect(width.status == 0, "\(width.complaints)")
    let found = try JSONReader.read(Array(width.output.utf8)).value
    try AnswersTests.check([("check screen", found)])
    #expect(found["width_mm"] == 527 && found["delay_ns"] == .null && found["kept"] == true)
    let delay = ["check", "screen", "--measured-ms", "21.5", "--uncertainty-ms", "9"]
    #expect(try await bench.run(delay).status == 0)
    let refused = try await bench.run(delay)
    #expect(refused.status == 1 && refused.complaints.contains("--replace"))
    #expect(try await bench.run(delay + ["--replace"]).status == 0)
    let settings = try await bench.run(["settings"]).output
    #expect(settings.contains("21.5 ± 9.0 ms late, 527.0 mm wide"), "\(settings)")
  }

  @Test(
    "wrong words are refused before anything is shown",
    arguments: [
      ([], "--microphone SOURCE"), (["--measured-ms", "3"], "belong together"),
      (["--microphone", "m", "--measured-ms", "3", "--uncertainty-ms", "1"], "leave one of them out"),
      (["--microphone", "m", "--speaker", "silent"], "no one can hear"),
      (["--width-mm", "500", "--flashes", "20"], "--flashes is for a measurement"),
      (["--microphone", "m", "--screen", "2"], "add --browser"), (["--width-mm", "3"], "--width-mm"),
    ])
  func words(words: [String], complaint: String) async throws {
    let (status, output, complaints) = try await bench.run(["check", "screen"] + words)
    #expect(status == 2 && output.isEmpty && complaints.contains(complaint), "\(complaints)")
  }
}
