import Basics
import Bundles
import Laboratory
import Quantities
import SampleStore

extension Command {
  /// Adds bundles to the store, each once.
  static let storeAdd = Command(
    "store add", operands: "[BUNDLE…]", "adds bundles to the store, each once (default: all in the results folder)",
    options: StoreLocation.operatorOptions + [.json()]
  ) { arguments in
    let location = StoreLocation(arguments)
    let bundles = try arguments.trialOperands()
    let results = ResultsFolder(location.results)
    let paths = bundles.isEmpty ? try results.trials().map(results.bundlePath(named:)) : bundles
    guard !paths.isEmpty else { throw Failure("there are no bundles in “\(location.results)”") }
    let console = Console.standard
    defer { console.show(status: "") }
    let report = try await BundleAddition.add(paths) {
      StoreIngest(store: try await location.openOrMake()) { console.report($0) }
    } progress: { done, problem in
      if let problem, !arguments.isJSON { console.report(problem) }
      console.show(status: "\(done) of \(paths.count) bundles")
    }
    console.show(status: "")
    console.answer(arguments, report.json, [report.line])
    return report.problems.isEmpty && report.simulated == 0 ? .done : .failed
  }

  /// What programs did with the store, and what they were denied.
  static let storeAudit = Command(
    "store audit", "lists what programs did with the store and what they were denied",
    options: [.json("one JSON object a line")] + StoreLocation.operatorOptions
  ) { arguments in
    let entries = try await StoreLocation(arguments).open().audit()
    guard arguments.isJSON else {
      Console.standard.lines(AuditEntry.table(entries).lines)
      return .done
    }
    for entry in entries where !Console.standard.isUnread { Console.standard.data(entry.json.text()) }
    return .done
  }

  /// The types of samples in the store, each with its sources.
  static let storeTypes = Command(
    "store types", "lists the types of samples in the store, and their sources",
    options: [
      .init("count", "also the number of samples, and when the first and the last start; reads them all"),
      .json("one JSON array"),
    ] + StoreLocation.operatorOptions
  ) { arguments in
    let isCounted = arguments.has("count")
    let contents = try await StoreLocation(arguments).open().typeContents(isCounted: isCounted)
    Console.standard.answer(
      arguments, .array(contents.map(\.json)),
      contents.isEmpty ? ["the store is empty"] : TypeContents.table(contents, isCounted: isCounted).lines)
    return .done
  }

  /// A person's date of birth, sex, and latest height and body mass.
  static let storeProfile = Command(
    "store profile", "shows a person's date of birth, sex, latest height and body mass",
    options: [
      .init("participant", value: "ID", "the participant (default: the person whose data have no participant)"),
      .timeZone, .includeSimulatedSamples, .json(),
    ] + StoreLocation.operatorOptions
  ) { arguments in
    let zone = try arguments.zone()
    let includesSimulated = try arguments.includesSimulated()
    let store = try await StoreLocation(arguments).open()
    let profile = try await store.profile(of: arguments["participant"], includesSimulated: includesSimulated)
    if let note = profile.simulated.leftOut { Console.standard.report(note) }
    try Console.standard.answer(arguments, profile.json(zone), profile.lines(zone))
    return .done
  }

  /// Which source counts where several measured at the same time.
  static let storePriority = Command(
    "store priority", operands: "[SOURCE…]",
    "ranks sources: the first counts where samples overlap; without SOURCE, prints the order",
    options: [.init("clear", "clear the order; sources rank by name again"), .json("one JSON array")]
      + StoreLocation.operatorOptions
  ) { arguments in
    let isCleared = arguments.has("clear")
    if isCleared, !arguments.operands.isEmpty {
      throw arguments.refusal("--clear and an order of sources cannot be combined")
    }
    let store = try await StoreLocation(arguments).open()
    var known: Set<Source> = []
    for type in try await store.types() { known.formUnion(try await store.sources(of: .quantity(type))) }
    if isCleared { try await store.setSourcePriority([]) }
    if !arguments.operands.isEmpty {
      var order: [String] = []
      for name in arguments.operands {
        // Sources that share a name are sorted by identifier.
        for identifier in try known.called(name, "in this store").map(\.bundleIdentifier).sorted()
        where !order.contains(identifier) {
          order.append(identifier)
        }
      }
      try await store.setSourcePriority(order)
    }
    let order = try await store.sourcePriority().map { identifier in
      (identifier: identifier, names: Set(known.filter { $0.bundleIdentifier == identifier }.map(\.name)).sorted())
    }
    let lines = order.enumerated().map { place, source in
      let name = source.names.isEmpty ? "" : "\(source.names.joined(separator: ", "))  "
      return "\(place + 1). \("\(name)\(source.identifier)".visible)"
    }
    Console.standard.answer(
      arguments,
      .array(
        order.map { ["bundleIdentifier": .string($0.identifier), "names": .array($0.names.map { .string($0) })] }),
      lines.isEmpty ? ["no order set: sources rank by name"] : lines)
    return .done
  }

  /// What a program may do with types.
  static let storeAuthorize = Command(
    "store authorize", operands: "[CLIENT TYPE…]",
    "sets what a program may save and read; without CLIENT, prints all permissions",
    options: [
      .init("share", value: "yes|no|ask", "whether it may save and delete its own samples"),
      .init("read", value: "yes|no|ask", "whether it may read others' samples; a refusal is not visible to it"),
      .json("one JSON array"),
    ] + StoreLocation.operatorOptions
  ) { arguments in
    let location = StoreLocation(arguments)
    let statuses = AuthorizationStatus.allCases.reversed().map { (name: $0.word, value: $0) }
    guard arguments.operands.count != 1 else { throw arguments.refusal("missing TYPE after the program's name") }
    guard let client = arguments.operands.first else {
      guard !arguments.has("share"), !arguments.has("read") else {
        throw arguments.refusal("missing CLIENT and TYPE, which --share and --read apply to")
      }
      let permissions = try await location.open().permissions()
      Console.standard.answer(
        arguments, .array(permissions.map(\.json)),
        permissions.isEmpty ? ["no permissions set"] : Permission.table(permissions).lines)
      return .done
    }
    let share = try arguments.choice("share", among: statuses)
    let read = try arguments.choice("read", among: statuses)
    let known = try await location.openIfThere()
    var types: [SampleType] = []
    for name in arguments.operands.dropFirst() { types.append(try await SampleStore.type(name, in: known)) }
    if let reason = Storable.problem(with: client, "the client's identifier") { throw Failure(reason) }
    let isDecided = share != nil || read != nil
    let store = if let known { known } else { try await isDecided ? location.openOrMake() : location.open() }
    var permissions: [Permission] = []
    for type in types {
      var authorization = try await store.authorization(of: client, for: type)
      authorization.share = share ?? authorization.share
      authorization.read = read ?? authorization.read
      if isDecided { try await store.authorize(client, for: type, authorization) }
      permissions.append(Permission(client: client, type: type, authorization: authorization))
    }
    Console.standard.answer(arguments, .array(permissions.map(\.json)), permissions.map { "\($0)" })
    return .done
  }
}
