//! Who is logged in to the console: links that work once, and sessions that stand for somebody's token.
//!
//! A session holds the hash of the token that it stands for, so it ends with the token. Both links and sessions live in
//! memory: a server that starts again asks everybody to log in again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracehound_evidence::{Error, Token, TokenHash};

/// How long a session lasts.
pub(crate) const SESSION: Duration = Duration::from_secs(12 * 60 * 60);
/// How long a link can be used.
const LINK: Duration = Duration::from_secs(15 * 60);
/// Most sessions, and most links, at one time. The oldest goes first.
const MOST: usize = 1_024;

/// Links and sessions.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    links: Mutex<Pledges>,
    sessions: Mutex<Pledges>,
}

/// Secrets that stand for somebody's token until they end.
#[derive(Debug, Default)]
struct Pledges(HashMap<TokenHash, (TokenHash, Instant)>);

impl Sessions {
    /// A link for whoever holds a token: what follows `code=`.
    pub(crate) fn link(&self, holder: TokenHash, now: Instant) -> Result<Token, Error> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner).add(holder, now, LINK)
    }

    /// Turns a link into a session, once.
    pub(crate) fn follow(&self, code: &str, now: Instant) -> Result<Option<Token>, Error> {
        let holder = self.links.lock().unwrap_or_else(PoisonError::into_inner).take(code, now);
        holder.map(|holder| self.begin(holder, now)).transpose()
    }

    /// Begins a session for whoever holds a token.
    pub(crate) fn begin(&self, holder: TokenHash, now: Instant) -> Result<Token, Error> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).add(holder, now, SESSION)
    }

    /// Whose session it is.
    pub(crate) fn holder(&self, session: &str, now: Instant) -> Option<TokenHash> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let (holder, end) = sessions.0.get(&TokenHash::of(session))?;
        (now < *end).then_some(*holder)
    }

    /// Ends a session.
    pub(crate) fn end(&self, session: &str) {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).0.remove(&TokenHash::of(session));
    }
}

impl Pledges {
    fn add(&mut self, holder: TokenHash, now: Instant, lasting: Duration) -> Result<Token, Error> {
        let secret = Token::of_operator()?;
        self.0.retain(|_, (_, end)| now < *end);
        if self.0.len() >= MOST
            && let Some(oldest) = self.0.iter().min_by_key(|(_, (_, end))| *end).map(|(secret, _)| *secret)
        {
            self.0.remove(&oldest);
        }
        self.0.insert(secret.hash(), (holder, now + lasting));
        Ok(secret)
    }

    fn take(&mut self, secret: &str, now: Instant) -> Option<TokenHash> {
        let (holder, end) = self.0.remove(&TokenHash::of(secret))?;
        (now < end).then_some(holder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_works_once_and_not_for_ever() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let somebody = TokenHash::of("somebody");
        let code = sessions.link(somebody, now).unwrap();
        let session = sessions.follow(code.reveal(), now).unwrap().unwrap();
        assert_eq!(sessions.holder(session.reveal(), now), Some(somebody));
        assert!(sessions.follow(code.reveal(), now).unwrap().is_none());
        let late = sessions.link(somebody, now).unwrap();
        assert!(sessions.follow(late.reveal(), now + LINK).unwrap().is_none());
        assert!(sessions.follow("", now).unwrap().is_none());
    }

    #[test]
    fn a_session_ends_when_told_to_and_by_itself() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let session = sessions.begin(TokenHash::of("somebody"), now).unwrap();
        assert!(sessions.holder(session.reveal(), now + SESSION).is_none());
        assert!(sessions.holder(session.reveal(), now).is_some());
        sessions.end(session.reveal());
        assert!(sessions.holder(session.reveal(), now).is_none());
    }

    #[test]
    fn there_are_never_too_many() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let first = sessions.begin(TokenHash::of("first"), now).unwrap();
        for _ in 0..MOST {
            sessions.begin(TokenHash::of("more"), now + Duration::from_secs(1)).unwrap();
        }
        assert!(sessions.holder(first.reveal(), now).is_none());
        assert_eq!(sessions.sessions.lock().unwrap().0.len(), MOST);
    }
}
