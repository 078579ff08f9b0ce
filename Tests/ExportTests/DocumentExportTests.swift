import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import TestSupport
import Testing

@testable import Export

@Suite("Exported documents")
struct DocumentExportTests {
  private let scratch: ScratchFolder
  private var documents: String { scratch["documents"] }

  init() throws { scratch = try ScratchFolder() }

  @discardableResult
  private func export(_ form: DocumentForm, pseudonymisation: Pseudonymisation = .none) async throws -> ExportOutcome {
    try await DocumentExport(form, to: documents, pseudonymisation: pseudonymisation)
      .write(SimulatedStudy.trials(scratch["results"])) { _, _ in }
  }

  private func write(_ trial: MadeTrial = MadeTrial(), as name: String = "trial-1") throws {
    try trial.write(to: scratch["results/bundles/\(name)"])
  }

  private func document(_ name: String) throws -> JSONValue {
    try JSONReader.read(File.contents(of: "\(documents)/\(name)")).value
  }

  @Test("fhir.resources reads every Bundle as R4B, and every Observation keeps the rules of vital signs")
  func fhir() async throws {
    try await SimulatedStudy.make("music-and-silence", in: scratch["results"])
    let outcome = try await export(.fhir)
    #expect(outcome.problems.isEmpty && outcome.files > 0)
    let script = """
      import pathlib, sys
      from fhir.resources.R4B.bundle import Bundle
      for path in pathlib.Path(sys.argv[1]).glob("*.json"):
          if path.name.startswith("station-"): continue
          bundle = Bundle.model_validate_json(path.read_text())
          assert bundle.type == "transaction" and all(e.resource.get_resource_type() == "Observation" for e in bundle.entry)
          print(len(bundle.entry))
      """
    var expected = 0
    for place in try await SimulatedStudy.trials(scratch["results"]).order.places {
      expected += try ExportedTrial(place).hearts.reduce(0) { $0 + $1.rates.values.count }
    }
    #expect(expected > 0)
    if Peers.areAsked {
      let (status, output, error) = try Program.run(Repository.python, ["-c", script, documents])
      #expect(status == 0, "\(error)")
      #expect(output.split(separator: "\n").reduce(0) { $0 + (Int($1) ?? 0) } == expected)
    }
    for name in try Folder.names(in: documents) where !name.hasPrefix("station-") {
      for entry in try document(name)["entry"]?.array ?? [] { #expect(VitalSigns.faults(in: entry["resource"]) == []) }
    }
  }

  @Test("The rules of vital signs find every mutation that fhir.resources lets pass")
  func mutations() async throws {
    try write()
    try await export(.fhir)
    let observation = try #require(try document("trial-1.json")["entry"]?.array?.first?["resource"]?.object)
    #expect(VitalSigns.faults(in: .object(observation)) == [])
    for (member, value) in [
      ("status", "done"), ("effectiveDateTime", nil), ("effectiveDateTime", "2025-11-20T11:08:31"), ("subject", nil),
      ("code", ["coding": [["system": "http://loinc.org", "code": "8480-6"]]]), ("category", []),
      ("valueQuantity", ["value": 60, "unit": "bpm", "system": "http://unitsofmeasure.org", "code": "bpm"]),
      (
        "valueQuantity", ["value": "60", "unit": "beats/minute", "system": "http://unitsofmeasure.org", "code": "/min"]
      ),
      ("valueQuantity", nil), ("resourceType", "Patient"), ("identifier", nil),
    ] as [(String, JSONValue?)] {
      var changed = observation
      changed[member] = value
      #expect(VitalSigns.faults(in: .object(changed)) != [], "\(member) \(value?.text() ?? "missing")")
    }
  }

  @Test("Open mHealth data points come back with the same values, times, sources and identifiers")
  func openMHealth() async throws {
    try write()
    try await export(.omh)
    let trial = try ExportedTrial(TrialPlace(path: scratch["results/bundles/trial-1"]))
    var file = try SampleFile("\(documents)/trial-1.jsonl")
    var samples: [QuantitySample] = []
    while let batch = try file.next() { samples += batch.samples }
    let rates = try #require(trial.hearts.first?.rates)
    #expect(try samples.map { try $0.value(in: .countPerMinute) } == rates.values)
    let start = trial.record.startDate
    #expect(samples.map(\.start) == rates.times.map { start.advanced(by: Duration(seconds: $0)) })
    #expect(
      Set(samples.map(\.sourceRevision.source.name)) == ["strap"] && Set(samples.map(\.uuid)).count == samples.count)
    #expect(samples.allSatisfy { $0.type == .heartRate && $0.metadata["user_id"] == .string("P01") })
  }

  @Test("Kubios text is read back beat for beat, and a gap begins another file")
  func kubios() async throws {
    try write()
    var gappy = MadeTrial()
    // Ten beats without contact leave a gap.
    gappy.changes = { (10..<20).contains($0) ? ["contact": false] : [:] }
    try write(gappy, as: "trial-2")
    try await export(.kubios)
    let names = try Folder.names(in: documents).filter { $0.hasSuffix(".txt") }
    #expect(names == ["trial-1.txt", "trial-2-1.txt", "trial-2-2.txt"])
    let back = try #require(try HeartRecording.read(path: "\(documents)/trial-1.txt").first?.beats)
    #expect(back.intervals == MadeTrial().intervals)
    let first = try #require(try HeartRecording.read(path: "\(documents)/trial-2-1.txt").first?.beats)
    #expect(first.intervals == Array(repeating: 1000, count: 10))
  }

  @Test("A ResearchKit file has ResearchKit's members and dates, and is read back")
  func researchKit() async throws {
    var trial = MadeTrial()
    // Two equal rates of one second are one in a form with whole seconds.
    trial.intervals = Array(repeating: 1000, count: 40)
    try write(trial)
    try await export(.researchkit)
    let items = try #require(try document("trial-1.json")["items"]?.array)
    #expect(
      items.first == [
        "type": "HKQuantityTypeIdentifierHeartRate", "startDate": "2025-11-20T11:08:32+0000",
        "endDate": "2025-11-20T11:08:32+0000", "unit": "count/min", "value": 60, "source": "strap",
      ])
    let back = try #require(try HeartRecording.read(path: "\(documents)/trial-1.json").first)
    #expect(back.rates.values.count == items.count && back.sensor == "strap")
  }

  @Test("Nothing that could identify is left in any form", arguments: DocumentForm.all.filter { $0.name != "edf" })
  func pseudonymised(form: DocumentForm) async throws {
    var trial = MadeTrial()
    trial.changes = { _ in ["source": "lines:tcp://10.0.0.7:9000"] }
    try write(trial)
    try await export(
      form, pseudonymisation: Pseudonymisation(hidesCodes: true, shiftsDates: true, keyFile: scratch["key"]))
    let contents = try SimulatedStudy.contents(of: documents)
    #expect(contents.count == 2)
    for (name, bytes) in contents {
      let text = name + String(decoding: bytes, as: UTF8.self)
      for secret in ["P01", "trial-1", "2025-", "10.0.0.7"] { #expect(!text.contains(secret), "\(secret) in \(name)") }
    }
  }

  @Test("A later export adds the new trials and leaves the documents of earlier ones as they are")
  func adds() async throws {
    try write()
    #expect(try await export(.kubios).added == 1)
    let earlier = "\(documents)/trial-1.txt"
    try File.replaceWhole(earlier, Array("mine\n".utf8))
    var second = MadeTrial()
    second.trial = "trial-2"
    try write(second, as: "trial-2")
    let outcome = try await export(.kubios)
    #expect(outcome.added == 1 && outcome.trials == 2)
    #expect(try File.contents(of: earlier) == Array("mine\n".utf8))
    #expect(try !File.contents(of: "\(documents)/trial-2.txt").isEmpty)
  }

  @Test("An export that was interrupted before its list was written is completed with the same bytes")
  func resumes() async throws {
    try write()
    try await export(.researchkit)
    let whole = try File.contents(of: "\(documents)/trial-1.json")
    let list = "\(documents)/station-researchkit-export.jsonl"
    // Its first line is the head; a line for each trial follows.
    try File.replaceWhole(list, File.contents(of: list).prefix { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")])
    try Folder.removeFile("\(documents)/trial-1.json")
    #expect(try await export(.researchkit).added == 1)
    #expect(try File.contents(of: "\(documents)/trial-1.json") == whole)
  }

  @Test("Documents with codes and with pseudonyms are never in one folder", arguments: DocumentForm.all)
  func otherOptions(form: DocumentForm) async throws {
    try write()
    try await export(form)
    let pseudonymisation = try Pseudonymisation(hidesCodes: true, shiftsDates: false, keyFile: scratch["key"])
    await #expect(throws: ExportError.self) { try await export(form, pseudonymisation: pseudonymisation) }
  }

  @Test("A bundle cannot choose a path outside of the folder", arguments: DocumentForm.all)
  func hostile(form: DocumentForm) async throws {
    for (number, name) in ["../../escaped", "/tmp/x", "..", ""].enumerated() {
      var trial = MadeTrial()
      trial.trial = name
      try write(trial, as: "trial-\(number)")
    }
    let outcome = try await export(form)
    #expect(outcome.trials == 0 && outcome.problems.count == 4)
    #expect(try Folder.names(in: documents).count == 1)
  }
}

/// The rules of FHIR's profile of heart rates that fhir.resources does not check.
private enum VitalSigns {
  /// What is wrong with an Observation.
  static func faults(in resource: JSONValue?) -> [String] {
    guard let resource, resource["resourceType"]?.string == "Observation" else { return ["no Observation"] }
    var faults: [String] = []
    func check(_ isRight: Bool, _ fault: String) { if !isRight { faults.append(fault) } }
    check(["registered", "preliminary", "final", "amended"].contains(resource["status"]?.string), "status")
    let categories = (resource["category"]?.array ?? []).flatMap { $0["coding"]?.array ?? [] }
    check(
      categories.contains {
        $0["code"]?.string == "vital-signs"
          && $0["system"]?.string == "http://terminology.hl7.org/CodeSystem/observation-category"
      }, "category")
    let codes = resource["code"]?["coding"]?.array ?? []
    check(
      codes.contains { $0["code"]?.string == "8867-4" && $0["system"]?.string == "http://loinc.org" }, "code")
    check(resource["subject"]?["identifier"]?["value"]?.string?.isEmpty == false, "subject")
    check((resource["effectiveDateTime"]?.string).flatMap { WallTime($0) } != nil, "effectiveDateTime")
    let quantity = resource["valueQuantity"]
    check(quantity?["value"]?.number.map { $0 > 0 } ?? false, "value")
    check(
      quantity?["code"]?.string == "/min" && quantity?["system"]?.string == "http://unitsofmeasure.org", "unit")
    let identifier = resource["identifier"]?.array?.first?["value"]?.string ?? ""
    check((1...64).contains(identifier.utf8.count), "identifier")
    return faults
  }
}
