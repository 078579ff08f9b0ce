import Foundation
import TestSupport
import Testing

@Suite("Charts that cannot be drawn")
struct ChartFaultTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "Wrong words are told, with what would be right",
    arguments: [
      (["chart"], "missing subcommand after “station chart”: choose one of recording, heartRate, tachogram"),
      (["chart", "heartrate", "b"], "unknown command “chart heartrate”; did you mean “heartRate”?"),
      (["chart", "heartRate"], "missing FILE"),
      (["chart", "heartRate", "a", "b"], "unexpected argument “b”"),
      (["chart", "pie"], "missing FOLDER…"),
      (["chart", "range", "b", "--range", "120:50"], "invalid value “120:50” for --range: expected LOW:HIGH"),
      (["chart", "range", "b", "--reference", "rest=60"], "invalid value “rest=60” for --reference: expected VALUE"),
      (["chart", "heartRate", "b", "--marks"], "“chart heartRate” has no option --marks; “chart range” has"),
      (
        ["chart", "pie", "b", "--range", "0:9"],
        "“chart pie” has no option --range; “chart recording”, “chart heartRate”, “chart tachogram”"
      ),
      (["chart", "range", "b", "--every", "5", "--by", "clip"], "--every needs a single bundle"),
      (
        ["chart", "pie", "b", "--output", "x.png", "--size", "5000x5000", "--scale", "8"],
        "give 40000 by 40000 pixels"
      ),
      (["chart", "pie", "b", "--output", "x.png", "--size", "5000x200", "--scale", "8"], "40000 by 1600 pixels"),
      (["chart", "daily", "b"], "unexpected argument “b”"),
      (["chart", "pie", "b", "--bin", "2"], "“chart pie” has no option --bin; “chart response” has"),
      (["chart", "pie", "b", "--by", "cilp"], "invalid value “cilp” for --by; did you mean “clip”?"),
      (
        ["chart", "pie", "b", "--output", "x.gif"], "“x.gif” must end with .svg, .png or"
      ),
      (["chart", "pie", "b", "--output", "svg"], "unknown picture format: “svg” must end with"),
      (["chart", "pie", "b", "--theme", "dark"], "--theme needs --output FILE.svg"),
      (["chart", "pie", "b", "--output", "x.png", "--rows", "9"], "--rows and --output cannot be combined"),
      (["chart", "pie", "b", "--output", "x.svg", "--scale", "2"], "--scale applies only to PNG"),
      (["chart", "pie", "b", "--output", "x.png", "--theme", "automatic"], "--theme automatic works only in SVG"),
      (
        ["chart", "pie", "b", "--output", "x.png", "--theme", "drak"],
        "invalid value “drak” for --theme; did you mean “dark”?"
      ),
      (["chart", "pie", "b", "--output", "x.png", "--size", "10x10"], "“10x10” is not a size"),
      (["chart", "pie", "b", "--output", "x.png", "--size", "760"], "“760” is not a size"),
      (
        ["chart", "pie", "b", "--output", "x.png", "--scale", "99"],
        "invalid value “99” for --scale: expected a number from 0.1 to 8"
      ),
      (
        ["chart", "pie", "b", "--columns", "wide"],
        "invalid value “wide” for --columns: expected an integer from 20 to 1000"
      ),
      (
        ["chart", "range", "b", "--every", "0"],
        "invalid value “0” for --every: expected a number of seconds from 0.1 to 86400"
      ),
      (["chart", "spectrum", "b", "--preset", "kubios"], "invalid value “kubios” for --preset; there are “station”"),
      (
        ["chart", "response", "b", "--response", "0:20"], "has no baseline of its own; give --baseline FROM:TO or none"
      ),
      (
        ["chart", "response", "b", "--baseline", "whole"], "a response must be none, preStimulus or FROM:TO"
      ),
      (
        ["chart", "response", "b", "--baseline", "-1e8:0"],
        "the baseline of a response must be within a day of the onset"
      ),
      (
        ["chart", "response", "b", "--window", "whole"],
        "“chart response” has no option --window; “chart recording”, “chart heartRate”"
      ),
      (["chart", "heartRate", "b", "--unit", "s"], "“chart heartRate” has no option --unit; “chart daily” has"),
      (["chart", "heartRate", "b", "--step", "rest"], "“chart heartRate” has no option --step; “chart daily” has"),
      (
        ["chart", "heartRate", "b", "--artifacts", "none"], "unknown option “--artifacts”; did you mean “--artefacts”?"
      ),
      (["chart", "response", "b", "--baseline", "mean"], "invalid value “mean” for --baseline; there are “none”"),
    ] as [([String], String)])
  func wrongWords(words: [String], text: String) async throws {
    let (status, output, complaints) = try await bench.run(words)
    #expect(status == 2)
    #expect(output.isEmpty)
    #expect(complaints.contains(text), "\(complaints)")
  }

  @Test("What is not a bundle, and a folder that takes no file, are reported")
  func impossible() async throws {
    let none = try await bench.run(["chart", "heartRate", "nowhere"])
    #expect(none.status == 1)
    #expect(none.complaints.contains("“nowhere” cannot be read: there is no such file or folder"))
    let bundle = try await RecordedTrial.bundle(in: bench.scratch["results"])
    let folder = try await bench.run(["chart", "heartRate", bundle, "--output", "no/x.svg"])
    #expect(folder.status == 1)
    #expect(folder.complaints == "station: cannot write “no/x.svg”: there is no folder “no”; create it first\n")
  }

  @Test("A picture is never put into a bundle, or beside bundles", arguments: ["data/x.svg", "../x.svg"])
  func closed(name: String) async throws {
    let bundle = try await RecordedTrial.bundle(in: bench.scratch["results"])
    let (status, _, complaints) = try await bench.run(["chart", "heartRate", bundle, "--output", "\(bundle)/\(name)"])
    #expect(status == 1)
    #expect(complaints.contains("; choose another folder"), "\(complaints)")
    #expect(!FileManager.default.fileExists(atPath: "\(bundle)/\(name)"))
  }
}
