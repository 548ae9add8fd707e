//! An estate at a point, with everything that follows from it.
//!
//! Lists of findings borrow from the graph that they are about, and are too dear to be made for each request. So the graph
//! lives on the stack of a thread, everything that borrows from it beside it, and whoever wants to look sends what they
//! want to know there. A few threads share the work; they end when nobody can ask any more.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::{panic, thread};

use tracehound_analyze::findings::List;
use tracehound_analyze::naming::Marks;
use tracehound_analyze::search::Index;
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::Graph;
use tracehound_rules::rule::Rule;

use super::glance::{Glance, Ways};
use super::listing::Listing;

/// Questions that may wait for a thread; whoever comes later waits to be heard.
const WAITING: usize = 64;
/// What the threads are called.
const NAME: &str = "estate";

/// A question, sent to where the estate is.
type Question = Box<dyn for<'a> FnOnce(&At<'a>) + Send>;

/// An estate at a point. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    pub(super) known: Known,
    questions: SyncSender<Question>,
}

/// What everything else is made from.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) graph: Arc<Graph>,
    pub(super) analysis: Arc<Analysis>,
    pub(super) rules: Arc<[Rule]>,
}

/// What a question sees.
pub(crate) struct At<'a> {
    /// The graph.
    pub(crate) graph: &'a Graph,
    /// What follows from it.
    pub(crate) analysis: &'a Analysis,
    /// The rules in force.
    pub(crate) rules: &'a [Rule],
    list: OnceLock<List<'a>>,
    terrain: OnceLock<Terrain>,
    with_shortcuts: OnceLock<Terrain>,
    glance: OnceLock<Glance>,
    /// With the marks that they were found with; those before are of no use.
    ways: Mutex<Option<(Marks, Arc<Ways>)>>,
    listing: OnceLock<Listing>,
    search: OnceLock<Index>,
}

impl<'a> At<'a> {
    /// The graph and what follows from it as one view.
    pub(crate) fn picture(&self) -> Picture<'a> {
        Picture::new(self.graph, self.analysis)
    }

    /// Everything that is wrong.
    pub(crate) fn findings(&self) -> &List<'a> {
        self.list.get_or_init(|| List::new(self.picture(), self.rules))
    }

    /// The estate at a glance.
    pub(crate) fn glance(&self) -> &Glance {
        self.glance.get_or_init(|| Glance::new(self))
    }

    /// The ways to what matters, with what people say that is.
    pub(crate) fn ways(&self, marks: &Marks) -> Arc<Ways> {
        let mut known = self.ways.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((with, ways)) if with == marks => ways.clone(),
            _ => {
                let ways = Arc::new(Ways::new(self, marks));
                *known = Some((marks.clone(), ways.clone()));
                ways
            }
        }
    }

    /// How an attacker can move.
    pub(crate) fn terrain(&self, shortcuts: Shortcuts) -> &Terrain {
        let place = if shortcuts == Shortcuts::Yes { &self.with_shortcuts } else { &self.terrain };
        place.get_or_init(|| Terrain::new(&self.picture(), shortcuts))
    }

    /// All nodes, the most important first.
    pub(crate) fn listing(&self) -> &Listing {
        self.listing.get_or_init(|| Listing::new(self.graph, &self.picture()))
    }

    /// What can be searched.
    pub(crate) fn search(&self) -> &Index {
        self.search.get_or_init(|| Index::new(self.graph, &self.picture()))
    }
}

impl Standing {
    /// Starts to keep a graph and what follows from it.
    pub(super) fn new(known: Known) -> std::io::Result<Self> {
        let (questions, receiver) = sync_channel::<Question>(WAITING);
        let kept = known.clone();
        let keeper = thread::Builder::new().name(NAME.to_owned());
        keeper.spawn(move || keep(&kept.at(), &Mutex::new(receiver)))?;
        Ok(Self { known, questions })
    }

    /// Asks something about this and an earlier point.
    pub(super) fn ask_since<T: Send + 'static>(
        &self,
        then: &Self,
        question: impl FnOnce(&At<'_>, &At<'_>) -> T + Send + 'static,
    ) -> Option<T> {
        let then = then.known.clone();
        self.ask(move |now| question(&then.at(), now))
    }

    /// Asks something and waits for the answer; none if the question made its thread fail.
    pub(super) fn ask<T: Send + 'static>(&self, question: impl FnOnce(&At<'_>) -> T + Send + 'static) -> Option<T> {
        let (answer, answered) = mpsc::sync_channel(1);
        let question = move |at: &At<'_>| {
            // Whoever asked may have gone.
            let _ = answer.send(question(at));
        };
        self.questions.send(Box::new(question)).ok()?;
        answered.recv().ok()
    }
}

impl Known {
    fn at(&self) -> At<'_> {
        At {
            graph: &self.graph,
            analysis: &self.analysis,
            rules: &self.rules,
            list: OnceLock::new(),
            terrain: OnceLock::new(),
            with_shortcuts: OnceLock::new(),
            glance: OnceLock::new(),
            ways: Mutex::default(),
            listing: OnceLock::new(),
            search: OnceLock::new(),
        }
    }
}

/// Answers questions until nobody can ask any more.
fn keep(at: &At<'_>, questions: &Mutex<Receiver<Question>>) {
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| answer(at, questions));
        }
    });
}

fn answer(at: &At<'_>, questions: &Mutex<Receiver<Question>>) {
    loop {
        let next = questions.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(question) = next else { return };
        // One question that fails must not take the estate away from the others; what it looked at is never changed.
        if panic::catch_unwind(panic::AssertUnwindSafe(|| question(at))).is_err() {
            crate::log::note("a question about an estate failed");
        }
    }
}
