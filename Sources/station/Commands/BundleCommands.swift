import Analysis
import Basics
import Bundles
import Recordings
import Session

extension Command {
  /// The bundles of a results folder, one per line.
  static let list = Command(
    "list", operands: "[RESULTS]", "lists the bundles of a results folder",
    options: [.results] + TrialSelection.ofLists + [.json("one JSON array")]
  ) { arguments in
    let results = ResultsFolder(try arguments.resultsOperand())
    let selection = try TrialSelection(arguments)
    guard try Folder.findFolder(results.path) else {
      throw Failure("there is no results folder “\(results.path.visible)”")
    }
    let index = try await BundleIndex(results)
    for problem in index.problems { Console.standard.report("\(problem)") }
    let trials = selection.isAll ? index.trials : index.trials.filter { selection.takes($0.heading) }
    guard !trials.isEmpty || selection.isAll else {
      throw Failure("there is \(selection.holdsNone(of: index.trials.lazy.map(\.heading)))")
    }
    if arguments.isJSON {
      Console.standard.write(elements: trials.lazy.map { $0.brief(in: results) })
    } else {
      TextTable.write(IndexedTrial.headings, of: trials, \.row) { Console.standard.line($0) }
    }
    return index.problems.isEmpty ? .done : .failed
  }

  /// Bundles of the trials that a crash or a full disk left open.
  static let recover = Command(
    "recover", "makes bundles of trials that a crash or a full disk left open",
    options: [.results] + StoreLocation.place + [.json("one JSON array")]
  ) { arguments in
    let store = StoreLocation(arguments)
    guard try Folder.findFolder(store.results) else {
      throw Failure("there is no results folder “\(store.results.visible)”")
    }
    let trials = try ResultsFolder(store.results).recover()
    if arguments.isJSON {
      Console.standard.write(.array(trials.map(\.json)))
    } else {
      if trials.isEmpty { Console.standard.line("nothing to recover") }
      Console.standard.show(trials)
    }
    let follower = StoreFollower(
      results: ResultsFolder(store.results), console: Console.standard, open: store.openOrMake)
    await follower.update(isReported: !arguments.isJSON)
    return trials.contains { if case .failed = $0.fate { true } else { false } } ? .failed : .done
  }

  /// Whether bundles are complete, unchanged, and agree with their journals.
  static let verify = Command(
    "verify", operands: "BUNDLE|RESULTS|ARCHIVE…",
    "checks that bundles, all in a results folder, or archives are complete and unchanged",
    options: [
      .resultsOfTrials,
      .init("key", value: "KEY", "also check that this key, by its name or in a file, has signed them"), .keys,
      .init("identity", value: "FILE", "the age key that decrypts archives"), .json("one JSON array"),
    ]
  ) { arguments in
    let operands = try arguments.trialOperands()
    let key = try arguments["key"].map { try KeyFolder(arguments).publicKey($0) }
    var status = ExitStatus.done
    var documents: [JSONValue] = []
    for operand in operands {
      // The operand itself, or all bundles in a results folder.
      let isOne = !TrialPaths.isMany(operand) || ResultsPath(operand) == .folder
      for path in isOne ? [operand] : try TrialPaths.expand(operand) {
        let check =
          Folder.isOrdinaryFile(path)
          ? BundleCheck(archive: path, identity: arguments["identity"], key: key) : BundleCheck(folder: path, key: key)
        let corrections = (try? CorrectionsFile(ofBundle: path).read())?.all.count ?? 0
        if arguments.isJSON {
          documents.append(check.json(path, corrections))
        } else {
          check.show(path.visible, key, corrections)
        }
        if !check.isWhole { status = .failed }
      }
    }
    if arguments.isJSON { Console.standard.write(.array(documents)) }
    return status
  }
}

extension Console {
  /// Prints what became of each recovered trial; failures go to standard error.
  func show(_ trials: [RecoveredTrial]) {
    for trial in trials { if case .failed = trial.fate { report("\(trial)") } else { line("\(trial)") } }
  }
}

extension BundleCheck {
  /// The maximum number of problems printed per bundle; the others are counted.
  private static let maxCount = 50

  fileprivate func show(_ path: String, _ key: VerifyingKey?, _ corrections: Int) {
    if isWhole {
      let signature =
        switch signature {
        case .valid: "; signed by \(key?.fingerprint ?? "")"
        case .unchecked(let fingerprint): "; signed by \(fingerprint ?? "a key"), which --key would check"
        default: ""
        }
      let beside = corrections > 0 ? "; \(corrections.counted("correction")) of beats beside it" : ""
      Console.standard.line("\(path): OK: complete, checksums match\(signature)\(beside)")
    }
    for problem in problems.prefix(Self.maxCount) { Console.standard.report("\(path): \(problem)") }
    if problems.count > Self.maxCount {
      Console.standard.report("\(path): … and \((problems.count - Self.maxCount).counted("more problem"))")
    }
  }

  fileprivate func json(_ path: String, _ corrections: Int) -> JSONValue {
    [
      "path": .string(path), "isWhole": .bool(isWhole), "problems": .array(problems.map { .string($0) }),
      "signature": .text(signature?.code), "corrections": .integer(corrections),
    ]
  }
}
