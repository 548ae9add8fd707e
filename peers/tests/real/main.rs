//! Servers and agents that others wrote, met by the real binary.
