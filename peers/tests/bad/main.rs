//! Servers and agents that misbehave, met by the real binary.
