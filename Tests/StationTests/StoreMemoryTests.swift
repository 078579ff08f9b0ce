import Basics
import Foundation
import TestSupport
import Testing

@Suite("The memory that a long recording takes on its way into the store")
struct StoreMemoryTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Writes as much of a bundle as a store reads, takes it in, and prints the most memory that this took, in kB.
  private static let measure = """
    import os, subprocess, sys
    station, folder, result, readings = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    os.makedirs(folder + "/data")
    with open(folder + "/data/result.json", "w") as file:
        file.write(result)
    item = ('{"recorder":"hr","seq":%d,"t_ns":%d,"type":"HKQuantityTypeIdentifierHeartRate","unit":"count/min",'
      '"value":60}')
    with open(folder + "/data/heart.json", "w") as heart:
        heart.write('{"items":[\\n')
        heart.writelines((",\\n" if number else "") + item % (number + 1, number * 10**8) for number in range(readings))
        heart.write("\\n]}\\n")
    os.makedirs(folder + "/results")
    child = subprocess.Popen([station, "store", "add", folder, "--results", folder + "/results"],
      stdout=subprocess.PIPE)
    said = child.stdout.read().decode()
    status, usage = os.wait4(child.pid, 0)[1:]
    assert status == 0 and said.startswith("added 1 bundle with %d samples" % readings), said
    print(usage.ru_maxrss)
    """

  private func peak(_ readings: Int) throws -> Double {
    var trial = MadeTrial()
    trial.recorders = ["hr"]
    let result = trial.result("trial of \(readings)").text()
    let (status, output, error) = try Program.run(
      Repository.python, ["-c", Self.measure, Bench.station, bench.scratch["\(readings)"], result, "\(readings)"])
    #expect(status == 0, "\(error)")
    return try #require(Double(output.trimmingCharacters(in: .whitespacesAndNewlines))) / 1024
  }

  @Test("Ten times the readings take hardly more memory than the store's own cache")
  func bounded() throws {
    let (short, long) = (try peak(30_000), try peak(300_000))
    #expect(long <= 1.3 * short + 4, "\(short) MiB, and \(long) MiB of ten times as many")
  }
}
