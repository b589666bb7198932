import Synchronization

/// One editing session: who edits, when, and under which agent.
///
///     let session = DocumentSession(author: "Ada")
///
/// Several copies of a document may be edited by one session, in several tasks, too: a copy that
/// lacks a change that the session has made is changed by another agent, so that all can be merged.
/// Copies of the session count as that session.
public struct DocumentSession: Sendable {
  /// The agent; random, and never used again by another process.
  ///
  /// Setting it begins another session.
  public var agent: AgentID {
    didSet { made = Made() }
  }
  /// The name under which changes are listed; may be empty.
  public var author: String
  private var fixedTime: Timestamp?
  private var made = Made()

  /// A session that begins now, with an agent of its own, whose changes are made at the time that
  /// the system's clock shows then.
  ///
  /// - Parameter author: the name under which changes are listed; may be empty.
  public init(author: String) {
    agent = .random()
    self.author = author
  }

  /// A session whose changes are all made at one time, until ``time`` is set again.
  ///
  /// For changes that follow from something else, and for tests. Whoever keeps such a session has
  /// to keep its time: of two values written concurrently the one with the later time is shown.
  public init(agent: AgentID, author: String, time: Timestamp) {
    self.agent = agent
    self.author = author
    fixedTime = time
  }

  /// The wall-clock time of the next change: now, unless it was given.
  public var time: Timestamp {
    get { fixedTime ?? .now }
    set { fixedTime = newValue }
  }

  /// Begins a change, and gives the agent to make it: of those that the session has used, the first
  /// one of which the document has all changes, else a new one.
  ///
  /// O(agents) if the agent made the last change, else O(chains + agents). If the document is an
  /// earlier version, `counts` says how many changes each agent has made to it by now.
  package func begin(in document: Document, besides counts: [AgentID: Int] = [:]) -> AgentID {
    made.documents.withLock { documents in
      var agents = documents[document.id] ?? [.init(name: agent, number: 0, changeCount: 0)]
      defer { documents[document.id] = agents }
      for index in agents.indices {
        let name = agents[index].name
        let count = document.changeCount(of: name)
        if count >= max(agents[index].changeCount, counts[name] ?? 0) {
          agents[index].changeCount = count + 1
          return name
        }
      }
      var number = agents[agents.count - 1].number
      while true {
        number += 1
        let name = AgentID(digestOf: Array("peernote copy \(agent.rawValue) \(number)".utf8))
        let count = document.changeCount(of: name)
        if count < counts[name] ?? 0 { continue }
        if agents.count == Made.agentLimit { agents.remove(at: 1) }
        agents.append(.init(name: name, number: number, changeCount: count + 1))
        return name
      }
    }
  }

  /// Takes back that a change was begun: nothing was edited.
  package func giveUp(_ name: AgentID, in id: UniqueID) {
    made.documents.withLock { documents in
      guard let index = documents[id]?.firstIndex(where: { $0.name == name }) else { return }
      documents[id]?[index].changeCount -= 1
    }
  }

  /// A session that makes the changes that this one would, which are thrown away.
  package var rehearsal: DocumentSession {
    var session = self
    session.made = Made(like: made)
    return session
  }

  /// The same session under another agent.
  package func under(_ agent: AgentID) -> DocumentSession {
    var session = self
    session.agent = agent
    return session
  }
}

/// The changes that a session has made, or is making.
private final class Made: Sendable {
  /// An agent, how many were made for a document before it, and how many changes it has made to
  /// that, or is making.
  struct Agent {
    var name: AgentID
    var number: Int
    var changeCount: Int
  }

  /// How many agents are remembered: copies that are edited and left make no more.
  static let agentLimit = 16

  /// The agents of each document, first the session's own.
  let documents: Mutex<[UniqueID: [Agent]]>

  init(like other: Made? = nil) { documents = Mutex(other?.documents.withLock { $0 } ?? [:]) }
}

extension Document {
  /// How many changes an agent has made; O(agents) if it made the last one, else
  /// O(chains + agents).
  package func changeCount(of agent: AgentID) -> Int {
    guard let number = log.agents.firstIndex(of: agent),
      let chain = log.graph.chains.last(where: { $0.agent == AgentIndex(number) })
    else { return 0 }
    return Int(chain.firstSequence + chain.changeCount) - 1
  }
}
