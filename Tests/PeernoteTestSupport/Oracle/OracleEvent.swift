package import Peernote

/// One event as the oracle keeps it: what it did, and to what, with targets found.
package struct OracleEvent {
  /// What an event does to its container.
  ///
  /// Elements and scalars are numbers of the events that inserted them.
  package enum Action {
    case insertScalar(Unicode.Scalar)
    case deleteScalar(Int)
    case put(key: ExactString, Content)
    case remove(key: ExactString)
    case insertElement(Content)
    case putElement(Int, Content)
    case moveElement(Int)
    case removeElement(Int)
    case add(Value)
    case discard(Value)
    case increment(Int64)
  }

  /// The event's name.
  package let id: EventID
  /// The number of its change.
  package let change: Int
  /// What it edits.
  package let container: ContainerID
  /// What it does.
  package let action: Action

  /// What the event writes under a key or into an element, if it does.
  package var content: Content? {
    switch action {
    case .put(_, let content), .insertElement(let content), .putElement(_, let content): content
    case .insertScalar, .deleteScalar, .remove, .moveElement, .removeElement, .add, .discard,
      .increment:
      nil
    }
  }

  /// The container that the event creates, if it does.
  package var created: (id: ContainerID, kind: ContainerKind)? {
    switch content {
    case .container(let kind): (.created(id), kind)
    case .value, nil: nil
    }
  }
}

extension OracleEvent {
  /// The kind of container that such an event edits.
  package var kindEdited: ContainerKind {
    switch action {
    case .insertScalar, .deleteScalar: .text
    case .put, .remove: .map
    case .insertElement, .putElement, .moveElement, .removeElement: .list
    case .add, .discard: .set
    case .increment: .counter
    }
  }
}
