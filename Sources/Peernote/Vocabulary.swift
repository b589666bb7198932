// Exported, so that whoever imports `Peernote` can use the members of these types, too.
@_exported public import PeernoteEngine

/// 64 random bits that name one editing session.
public typealias AgentID = PeernoteEngine.AgentID
/// Names one change: the agent that made it and its sequence number, counted from 1.
public typealias ChangeID = PeernoteEngine.ChangeID
/// Names one event: a unit of editing inside a change.
public typealias EventID = PeernoteEngine.EventID
/// The kinds of containers that a document is built of.
public typealias ContainerKind = PeernoteEngine.ContainerKind
/// A point in time in milliseconds since 1970.
public typealias Timestamp = PeernoteEngine.Timestamp
/// A universally unique identifier.
public typealias UniqueID = PeernoteEngine.UniqueID
/// What a register holds.
public typealias Value = PeernoteEngine.Value
/// What one write puts under a key or into a list element.
public typealias Content = PeernoteEngine.Content
/// What a document holds at one place.
public typealias Node = PeernoteEngine.Node
