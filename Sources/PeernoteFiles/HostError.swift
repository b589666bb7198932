/// Why the system refused a call.
package struct HostError: Error, Hashable, Sendable {
  /// The cases that callers tell apart.
  package enum Kind: Hashable, Sendable {
    case notFound
    case alreadyExists
    case isDirectory
    case notRegularFile
    case notPermitted
    case noSpace
    case tooLarge
    /// Another process holds the lock, or the file changes faster than it can be read.
    case busy
    case closedPipe
    /// The device failed.
    case inputOutput
    case interrupted
    case other
  }

  /// What callers decide by.
  package var kind: Kind
  /// A clause for people, such as `no space left on device`.
  package var explanation: String

  package init(_ kind: Kind, _ explanation: String) {
    self.kind = kind
    self.explanation = explanation
  }
}
