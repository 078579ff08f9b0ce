import Basics
import Study
import TestSupport
import Testing

@Suite("Reading the corpus of protocols")
struct CorpusTests {
  @Test("Good protocols are read", arguments: try Corpus.good.names)
  func isRead(name: String) throws {
    _ = try StudyProtocolReader.read(Corpus.good.bytes(of: name), fileName: "\(name).json")
  }

  @Test("Bad protocols are refused for the problems that are listed", arguments: [Corpus.bad, .badBeyondSchema])
  func isRefused(corpus: Corpus) throws {
    let problems = try corpus.names.flatMap { name in
      try self.problems(of: name, in: corpus).problems.map { problem in
        "\(name).json:\(problem.place): \(problem.path)".visible + ": \(firstClause(of: problem.reason))\n"
      }
    }
    try Golden.compare(problems.joined(), with: "\(corpus.folder).txt")
  }

  @Test("A sample of the words for problems")
  func wording() throws {
    let bad = [
      "anchor-is-a-number", "breaks-without-every", "clip-choose-misspelt", "clip-unknown-key",
      "clips-folder-with-other-braces", "completion-with-a-clip", "key-very-long",
    ]
    let badBeyondSchema = [
      "key-twice-at-the-top", "navigation-to-itself-without-time", "rule-with-an-impossible-answer",
      "step-identifiers-twice", "syntax-trailing-comma",
    ]
    let texts = try [(Corpus.bad, bad), (.badBeyondSchema, badBeyondSchema)].flatMap { corpus, names in
      try names.map { "\(try problems(of: $0, in: corpus))\n" }
    }
    try Golden.compare(texts.joined(), with: "Tests/StudyTests/Corpus/wording.txt")
  }

  @Test("The examples are read", arguments: try Corpus.examples)
  func example(name: String) throws {
    let bytes = try File.contents(of: "\(Repository.root)/protocols/\(name)")
    let files = ProtocolFiles { path in
      Result { () throws(FileError) in try File.contents(of: "\(Repository.root)/protocols/\(path)") }
    }
    _ = try StudyProtocolReader.read(bytes, fileName: name, files: files)
  }

  @Test("The corpus is as large as it should be")
  func size() throws { #expect(try Corpus.good.names.count >= 25 && Corpus.bad.names.count >= 80) }

  @Test("Schema and reader agree, by PyPI's jsonschema")
  func schema() throws {
    let run = try Program.run(Repository.python, ["-c", Self.script], input: Repository.root)
    try #require(run.status == 0, "\(run.error)")
    #expect(run.output == "")
  }

  private func problems(of name: String, in corpus: Corpus) throws -> ProtocolProblems {
    let bytes = try corpus.bytes(of: name)
    return try #require(throws: ProtocolProblems.self) {
      try StudyProtocolReader.read(bytes, fileName: "\(name).json")
    }
  }

  /// What a reason says is wrong, without what was found, what there is instead, and what to do.
  private func firstClause(of reason: String) -> Substring {
    var isQuoted = false
    return reason.prefix { character in
      if "“”".contains(character) { isQuoted = character == "“" }
      return isQuoted || !";:,".contains(character)
    }
  }

  /// Prints every file on which the schema does not say what its folder says.
  private static let script = """
    import glob, json, sys
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource
    root = sys.stdin.read()
    schema = json.load(open(f"{root}/protocols/protocol.schema.json"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    corpus = f"{root}/Tests/StudyTests/Corpus"
    examples = [f for f in glob.glob(f"{root}/protocols/*.json") if not f.endswith(".schema.json")]
    good = glob.glob(f"{corpus}/good/*.json")
    bad = glob.glob(f"{corpus}/bad/*.json")
    assert len(good) >= 25 and len(bad) >= 80 and examples
    included = json.load(open(f"{root}/protocols/steps.schema.json"))
    Draft202012Validator.check_schema(included)
    registry = Registry().with_resources((s["$id"], Resource.from_contents(s)) for s in (schema, included))
    scales = glob.glob(f"{root}/protocols/scales/*.json")
    assert scales
    for file in scales:
        for error in Draft202012Validator(included, registry=registry).iter_errors(json.load(open(file))):
            print(file, error.message)
    for files, expected in ((good + examples, True), (bad, False)):
        for file in sorted(files):
            errors = [e.message for e in validator.iter_errors(json.load(open(file)))]
            if (not errors) != expected:
                print(file, errors or "is accepted")
    for file in sorted(glob.glob(f"{corpus}/bad-beyond-schema/*.json")):
        try:
            value = json.load(open(file, encoding="utf-8"))
        except ValueError:
            continue
        if file.split("/")[-1].startswith("syntax"):
            continue  # what Python's reader lets pass
        errors = [e.message for e in validator.iter_errors(value)]
        if errors and "-and-" not in file.split("/")[-1]:
            print(file, "belongs into bad:", errors)
    """
}
