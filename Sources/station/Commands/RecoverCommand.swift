import Bundles
import Files

/// `station recover`: makes bundles of the trials that a crash or a full disk has left open.
struct RecoverCommand: Command {
  static let syntax = CommandSyntax(
    "recover", "makes bundles of trials that a crash has left open",
    options: [StoreLocation.resultsOption]
      + StoreLocation.place)

  let store: StoreLocation
  var results: String { store.results }

  init(_ arguments: Arguments) { store = StoreLocation(arguments) }

  func run() async throws -> ExitStatus {
    guard Folder.isFolder(results) else { throw Failure("there is no results folder “\(results)”") }
    let trials = try ResultsFolder(results).recover()
    if trials.isEmpty { Console.standard.line("nothing to recover") }
    let status = Self.tell(trials)
    await StoreIngest.update(store, .standard)
    return status
  }

  /// Prints what became of trials; a line each, to standard error for those that could not be recovered.
  static func tell(_ trials: [RecoveredTrial]) -> ExitStatus {
    var status = ExitStatus.done
    for trial in trials {
      if case .failed = trial.fate {
        Console.standard.complain("\(trial)")
        status = .failed
      } else {
        Console.standard.line("\(trial)")
      }
    }
    return status
  }
}
