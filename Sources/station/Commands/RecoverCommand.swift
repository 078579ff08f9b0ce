import Basics
import Bundles
import Session

/// `station recover`: makes bundles of the trials that a crash or a full disk left open.
struct RecoverCommand: Command {
  static let syntax = CommandSyntax(
    "recover", "makes bundles of trials that a crash or a full disk left open",
    options: [StoreLocation.resultsOption] + StoreLocation.place + [.init("json", "print one JSON array")])

  let store: StoreLocation
  let isJSON: Bool
  var results: String { store.results }

  init(_ arguments: Arguments) {
    store = StoreLocation(arguments)
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    guard try Folder.findFolder(results) else { throw Failure("there is no results folder “\(results.visible)”") }
    let trials = try ResultsFolder(results).recover()
    if isJSON {
      Console.standard.write(JSONValue.array(trials.map(\.json)).encoded(pretty: true))
    } else {
      if trials.isEmpty { Console.standard.line("nothing to recover") }
      Self.tell(trials)
    }
    let follower = StoreFollower(results: ResultsFolder(results), console: Console.standard, open: store.openOrMake)
    await follower.update(isReported: !isJSON)
    return trials.contains { if case .failed = $0.fate { true } else { false } } ? .failed : .done
  }

  /// Prints the outcome of each trial on a line; failures go to standard error.
  static func tell(_ trials: [RecoveredTrial]) {
    for trial in trials {
      if case .failed = trial.fate {
        Console.standard.report("\(trial)")
      } else {
        Console.standard.line("\(trial)")
      }
    }
  }
}
