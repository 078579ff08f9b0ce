import Basics
import Foundation
import TestSupport
import Testing

@Suite("A folder that the disk lists only in part")
struct FailingFolderTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Makes the third `readdir` of the folder that `FAILING_FOLDER` names fail with EIO.
  private static let library = """
    #define _GNU_SOURCE
    #include <dirent.h>
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    static int fails(DIR *folder) {
      static int read;
      char link[64], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", dirfd(folder));
      ssize_t length = readlink(link, path, sizeof path - 1);
      const char *failing = getenv("FAILING_FOLDER");
      if (length < 0 || !failing) return 0;
      path[length] = 0;
      if (strcmp(path, failing) || ++read < 3) return 0;
      errno = EIO;
      return 1;
    }

    struct dirent *readdir(DIR *folder) {
      if (fails(folder)) return NULL;
      return ((struct dirent * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir"))(folder);
    }

    struct dirent64 *readdir64(DIR *folder) {
      if (fails(folder)) return NULL;
      return ((struct dirent64 * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir64"))(folder);
    }

    """

  @Test(
    "Commands that list trials fail with the reason, rather than with fewer trials",
    arguments: [
      ("list", "bundles"), ("recover", "open"),
    ])
  func partial(command: String, name: String) async throws {
    for start in 0..<4 { _ = try await RecordedTrial.bundle(in: bench.scratch["results"], at: Int64(start)) }
    for start in 0..<4 { try Folder.create(bench.scratch["results/open/odd\(start)"]) }
    try bench.write(Self.library, to: "failing.c")
    let made = try Program.run(
      "clang", ["-shared", "-fPIC", "-o", bench.scratch["failing.so"], bench.scratch["failing.c"]])
    #expect(made.status == 0, "\(made.error)")
    let folder = try #require(Folder.realPath(bench.scratch["results/\(name)"]))
    let (status, output, complaints) = try await bench.run(
      [command], environment: ["LD_PRELOAD": bench.scratch["failing.so"], "FAILING_FOLDER": folder])
    #expect(status == 1 && output.isEmpty, "\(output)")
    #expect(complaints.contains("cannot list the folder “results/\(name)”: Input/output error"), "\(complaints)")
  }
}
