//! The configurations of agent clients: where they are, how they are written, what they say.

mod auth;
pub(crate) mod client;
mod clients;
mod containers;
pub(crate) mod credential;
pub(crate) mod dialect;
mod env_file;
mod facts;
mod outside;
pub(crate) mod package;
mod read;
mod server;
mod shell;
mod tree;
mod way;

pub(crate) use auth::identity;
pub use client::{Belongs, Client, File};
pub use clients::CLIENTS;
pub(crate) use facts::{ServerFacts, alone as facts_of};
pub(crate) use read::{ConfigFacts, Hit, Job, config};
pub(crate) use server::{Launch, Server, Setting};
pub(crate) use shell::words as shell_words;
pub use tree::Position;
pub use way::header;
pub(crate) use way::{Reached, Surroundings};
