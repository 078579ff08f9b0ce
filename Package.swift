// swift-tools-version: 6.2
import PackageDescription

/// The station: floors of modules, each importing only from the floors below it (see the article "Architecture").
let package = Package(
  name: "station",
  products: [.executable(name: "station", targets: ["station"])],
  targets: [
    // C libraries, each seen by exactly one module.
    .systemLibrary(name: "CEbur128", path: "Sources/CLibraries/CEbur128", providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(name: "CMpg123", path: "Sources/CLibraries/CMpg123", providers: [.apt(["libmpg123-dev"])]),
    .systemLibrary(name: "CPulse", path: "Sources/CLibraries/CPulse", providers: [.apt(["libpulse-dev"])]),
    .systemLibrary(name: "CSystem", path: "Sources/CLibraries/CSystem"),
    .systemLibrary(name: "CSodium", path: "Sources/CLibraries/CSodium", providers: [.apt(["libsodium-dev"])]),

    // The ground: text, files and digests, which know nothing of experiments.
    .target(name: "JSON"),
    .target(name: "Files", dependencies: ["CSystem"]),
    .target(name: "Digests", dependencies: ["CSodium"]),

    // What is measured.
    .target(name: "Quantities", dependencies: ["CSystem"]),

    // The experiment, a value.
    .target(name: "Study", dependencies: ["Quantities", "JSON"]),

    // What a laboratory does it with.
    .target(
      name: "Sound", dependencies: ["Study", "Quantities", "JSON", "Files", "Digests", "CPulse", "CMpg123", "CEbur128"]),
    .target(name: "Sensors", dependencies: ["Quantities", "JSON", "Files"]),
    .target(name: "Bundles", dependencies: ["Study", "Quantities", "JSON", "Files", "Digests"]),

    // What a laboratory does.
    .target(name: "Experiment", dependencies: ["Sound", "Sensors", "Bundles", "Study", "Quantities", "JSON"]),

    // The command.
    .executableTarget(
      name: "station",
      dependencies: ["Experiment", "Sound", "Sensors", "Bundles", "Study", "Quantities", "JSON", "Files", "Digests"]),

    .target(name: "TestSupport", dependencies: ["Quantities", "JSON", "Files"], path: "Tests/TestSupport"),
    .target(name: "CAllocations", path: "Tests/CAllocations"),
    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
    .testTarget(name: "FilesTests", dependencies: ["Files", "Digests", "TestSupport"]),
    .testTarget(name: "QuantitiesTests", dependencies: ["Quantities"]),
    .testTarget(name: "StudyTests", dependencies: ["Study", "TestSupport"]),
    .testTarget(
      name: "SoundTests", dependencies: ["Sound", "Study", "Quantities", "Files", "Digests", "CAllocations", "TestSupport"]),
    .testTarget(name: "SensorsTests", dependencies: ["Sensors", "TestSupport"]),
    .testTarget(name: "BundlesTests", dependencies: ["Bundles", "TestSupport"]),
    .testTarget(name: "ExperimentTests", dependencies: ["Experiment", "TestSupport"]),
    .testTarget(name: "StationTests", dependencies: ["station", "TestSupport"]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    // SE-0335: existentials are spelt `any`.
    .enableUpcomingFeature("ExistentialAny"),
    // SE-0409: a signature that shows another module says `public import`.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // SE-0444: a member is visible only where its module is imported.
    .enableUpcomingFeature("MemberImportVisibility"),
    // SE-0461: an async function runs where its caller runs.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // SE-0458: whatever could touch memory wrongly is marked `unsafe`.
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .treatWarning("ExplicitSendable", as: .error),
  ]
}
