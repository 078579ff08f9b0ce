import Glibc

/// The modules without the command around them, for the scripts beside this folder to time: work in, one line of figures out.
@main
struct Benchmark {
  static let usage = """
    usage: benchmark decode FILE…
           benchmark record --beats N --folder FOLDER [--flush-every N]
           benchmark lines TARGET
           benchmark store ingest FILE COUNT BATCH | store ingest URL COUNT BATCH SITE
           benchmark store days FILE | store day FILE
           benchmark units TEXT TARGET COUNT
           benchmark import FILE
           benchmark analyse --beats N
           benchmark pulse ADDRESS…
           benchmark heartbeats MINUTES SEED
           benchmark detect FILE RATE ROUNDS
           benchmark plan ORDER MAXRUN|none TRIALS ROUNDS
           benchmark index FOLDER

    """

  static func main() async {
    var words = CommandLine.arguments.dropFirst()
    do {
      switch words.popFirst() {
      case "decode" where !words.isEmpty: try DecodingFiles(paths: Array(words)).run()
      case "record": try await RecordingBeats(words).run()
      case "lines" where words.count == 1: try await ReadingLines(target: words[words.startIndex]).run()
      case "units": try ReadingUnits(Array(words)).run()
      case "import" where words.count == 1: try ImportingFiles(path: words[words.startIndex]).run()
      case "pulse" where !words.isEmpty: try await WatchingPulses(Array(words)).run()
      case "heartbeats": try LockingHeartbeats(Array(words)).run()
      case "detect": try DetectingBeats(Array(words)).run()
      case "plan": try PlanningTrials(Array(words)).run()
      case "index" where words.count == 1: try await ListingTrials(path: words[words.startIndex]).run()
      case "analyse": try AnalysingBeats(words).run()
      case "store": try await StoringSamples(words).run()
      default: throw WrongUsage()
      }
    } catch is WrongUsage {
      complain(usage)
      exit(2)
    } catch {
      complain("benchmark: \(error)\n")
      exit(1)
    }
  }

  private static func complain(_ text: String) {
    let bytes = Array(text.utf8)
    unsafe _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

/// Words that are none of ours.
struct WrongUsage: Error {}
