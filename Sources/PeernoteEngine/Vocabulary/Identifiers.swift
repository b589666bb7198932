/// 64 random bits that name one editing session.
///
/// An agent is drawn when a session starts and never used again after the process that drew it
/// ends, so that a copied or restored file cannot make two different changes with one name.
public struct AgentID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The 64 bits.
  public let rawValue: UInt64

  /// Names the agent with these 64 bits.
  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Orders agents as unsigned integers; this is the last tie-break of every ordering rule.
  @inlinable
  public static func < (left: AgentID, right: AgentID) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension AgentID: CustomStringConvertible, LosslessStringConvertible {
  /// Sixteen lower-case hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Reads one to sixteen hexadecimal digits; `nil` for anything else.
  public init?(_ description: String) {
    guard !description.isEmpty, description.utf8.count <= 16, !description.hasPrefix("+"),
      !description.hasPrefix("-"), let bits = UInt64(description, radix: 16)
    else { return nil }
    self.init(rawValue: bits)
  }
}

/// Names one change: the agent that made it and its sequence number, counted from 1.
public struct ChangeID: Hashable, Comparable, Sendable {
  /// The editing session that made the change.
  public let agent: AgentID
  /// The position of the change among those of its agent, from 1.
  public let sequence: Int

  /// Names the change with this agent and sequence number.
  public init(agent: AgentID, sequence: Int) {
    self.agent = agent
    self.sequence = sequence
  }

  /// Orders by agent, then by sequence number.
  public static func < (left: ChangeID, right: ChangeID) -> Bool {
    (left.agent, left.sequence) < (right.agent, right.sequence)
  }
}

extension ChangeID: CustomStringConvertible, LosslessStringConvertible {
  /// The agent's digits, a full stop and the sequence number, as in `5f0c21ab9d3e4477.12`.
  public var description: String { "\(agent).\(sequence)" }

  /// Reads what `description` writes; `nil` for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let agent = AgentID(String(parts[0])), let sequence = Int(parts[1]),
      sequence >= 1
    else { return nil }
    self.init(agent: agent, sequence: sequence)
    if self.description != description { return nil }
  }
}

/// Names one event: a unit of editing inside a change.
public struct EventID: Hashable, Comparable, Sendable {
  /// The change that holds the event.
  public let change: ChangeID
  /// The position of the event inside its change, from 0.
  public let index: Int

  /// Names the event at this position of this change.
  public init(change: ChangeID, index: Int) {
    self.change = change
    self.index = index
  }

  /// Orders by change, then by position.
  public static func < (left: EventID, right: EventID) -> Bool {
    (left.change, left.index) < (right.change, right.index)
  }
}

extension EventID: CustomStringConvertible {
  /// The change's name, a slash and the position, as in `5f0c21ab9d3e4477.12/3`.
  public var description: String { "\(change)/\(index)" }
}

/// Names a container: the root map, or the event that created it.
public enum ContainerID: Hashable, Sendable {
  /// The map at the top of the document.
  case root
  /// The container that this event created.
  case created(EventID)
}
