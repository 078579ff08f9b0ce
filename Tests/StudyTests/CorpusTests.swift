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

  @Test("Bad protocols are refused with the words beside them", arguments: try Corpus.bad.names)
  func isRefused(name: String) throws { try compare(name, in: .bad) }

  @Test("What no schema can refuse is refused with the words beside it", arguments: try Corpus.badBeyondSchema.names)
  func isRefusedBeyondSchema(name: String) throws { try compare(name, in: .badBeyondSchema) }

  @Test("The examples are read", arguments: try Corpus.examples)
  func example(name: String) throws {
    let bytes = try File.contents(of: "\(Repository.root)/protocols/\(name)")
    let files = ProtocolFiles { path in
      Result { () throws(FileError) in try File.contents(of: "\(Repository.root)/protocols/\(path)") }
    }
    _ = try StudyProtocolReader.read(bytes, fileName: name, files: files)
  }

  @Test("The corpus is as large as it should be, and no text is left of a file that is gone")
  func size() throws {
    #expect(try Corpus.good.names.count >= 25 && Corpus.bad.names.count >= 80)
    for corpus in [Corpus.bad, .badBeyondSchema] {
      let files = try Folder.names(in: "\(Repository.root)/\(corpus.folder)")
      #expect(try files == corpus.names.flatMap { ["\($0).json", "\($0).txt"] }.sorted())
    }
  }

  @Test("Schema and reader agree, by PyPI's jsonschema")
  func schema() throws {
    let run = try Program.run(Repository.python, ["-c", Self.script], input: Repository.root)
    try #require(run.status == 0, "\(run.error)")
    #expect(run.output == "")
  }

  private func compare(_ name: String, in corpus: Corpus) throws {
    let bytes = try corpus.bytes(of: name)
    let problems = try #require(throws: ProtocolProblems.self) {
      try StudyProtocolReader.read(bytes, fileName: "\(name).json")
    }
    #expect(!problems.problems.isEmpty)
    try Golden.compare("\(problems)\n", with: "\(corpus.folder)/\(name).txt")
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
