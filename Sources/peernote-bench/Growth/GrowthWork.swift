import ArgumentParser

/// What is done with a history.
enum GrowthWork: String, CaseIterable, ExpressibleByArgument {
  case build, read, open, merge, write, validate

  var title: String {
    switch self {
    case .build: "build from changes"
    case .read: "read with history"
    case .open: "open for the text"
    case .merge: "merge two copies"
    case .write: "write"
    case .validate: "validate"
    }
  }
}
