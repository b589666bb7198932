import ArgumentParser
import Peernote

/// The agent that an argument names: by itself, or by one of its changes.
func parseAgent(_ argument: String) throws -> AgentID {
  guard let agent = ChangeID(argument)?.agent ?? AgentID(argument) else {
    throw ValidationError("An agent such as 5f0c21ab9d3e4477 is expected; 'log' shows them.")
  }
  return agent
}
