import Basics
import Bundles
import Quantities

extension DocumentForm {
  /// Observations in a transaction, for health records.
  static let fhir = DocumentForm(
    "fhir", "heart rates as FHIR R4 Observations, a transaction Bundle per trial", FHIRDocument.files)
}

/// A transaction of FHIR R4 that creates an Observation for each heart rate.
///
/// Each Observation follows the profile of vital signs for heart rates, and is created once however often it is sent.
enum FHIRDocument {
  /// What identifies a sample of the station.
  static let sampleSystem = "urn:station:sample"
  /// What identifies a participant of the station.
  static let participantSystem = "urn:station:participant"

  static func files(of trial: ExportedTrial) -> DocumentFiles {
    let entries = trial.heartRates.map { sample -> String in
      let uuid = sample.uuid.description.lowercased()
      let entry: JSONValue = [
        "fullUrl": .string("urn:uuid:\(uuid)"), "resource": observation(sample, uuid, of: trial),
        "request": [
          "method": "POST", "url": "Observation", "ifNoneExist": .string("identifier=\(sampleSystem)|\(uuid)"),
        ],
      ]
      return entry.text()
    }
    // A transaction without entries is no Bundle that FHIR knows.
    guard !entries.isEmpty else { return DocumentFiles() }
    let text =
      "{\"entry\":[\n\(entries.joined(separator: ",\n"))\n],\"resourceType\":\"Bundle\",\"type\":\"transaction\"}\n"
    return DocumentFiles([(".json", Array(text.utf8))])
  }

  /// The profile; and of a simulated trial the label of test data.
  private static func meta(of trial: ExportedTrial) -> JSONValue {
    let profile: JSONValue = ["http://hl7.org/fhir/StructureDefinition/heartrate"]
    guard trial.record.simulation.isSimulated else { return ["profile": profile] }
    let label: JSONValue = [
      "system": "http://terminology.hl7.org/CodeSystem/v3-ActReason", "code": "HTEST", "display": "test health data",
    ]
    return ["profile": profile, "security": [label]]
  }

  private static func observation(_ sample: ExportedSample, _ uuid: String, of trial: ExportedTrial) -> JSONValue {
    [
      "resourceType": "Observation",
      "meta": meta(of: trial),
      "identifier": [["system": .string(sampleSystem), "value": .string(uuid)]],
      "status": "final",
      "category": [
        [
          "coding": [
            [
              "system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": "vital-signs",
              "display": "Vital Signs",
            ]
          ]
        ]
      ],
      "code": ["coding": [["system": "http://loinc.org", "code": "8867-4", "display": "Heart rate"]]],
      "subject": [
        "type": "Patient",
        "identifier": ["system": .string(participantSystem), "value": .string(trial.participant)],
      ],
      "effectiveDateTime": .string(trial.localTime(sample.time) ?? sample.time.precise),
      "valueQuantity": [
        "value": .number(sample.value), "unit": "beats/minute", "system": "http://unitsofmeasure.org", "code": "/min",
      ],
      "device": ["display": .string(sample.source)],
    ]
  }
}
