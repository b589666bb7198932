import Foundation

/// What stands below a directory: names from there on, and what the files hold.
struct FileTree: Equatable {
  /// Files by their paths.
  var files: [String: Data] = [:]
  /// Directories by their paths, each before those inside it.
  var directories: [String] = []

  /// Reads everything below a directory.
  init(below top: URL) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: top.path).sorted() {
      let place = top.appendingPathComponent(path)
      let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
      if attributes[.type] as? FileAttributeType == .typeDirectory {
        directories.append(path)
      } else {
        files[path] = try Data(contentsOf: place)
      }
    }
  }

  /// Makes a directory hold this and nothing else.
  func restore(below top: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: top.path) {
      try FileManager.default.removeItem(at: top.appendingPathComponent(name))
    }
    for path in directories {
      try FileManager.default.createDirectory(
        at: top.appendingPathComponent(path), withIntermediateDirectories: true)
    }
    for (path, bytes) in files { try bytes.write(to: top.appendingPathComponent(path)) }
  }
}
