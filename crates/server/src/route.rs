//! The table of routes: method, path, who may, what it is for, and what does it.
//!
//! The router, the check of roles, the OpenAPI document and the test that walks every route with another tenant's ids are
//! all made from it.

use axum::Router;
use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use tracehound_evidence::identity::AgentStatus;

use crate::App;
use crate::caller::{Access, Caller, Who};
use crate::problem::Problem;
use crate::shape::Shape;

/// A route.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with parameters in braces.
    pub path: &'static str,
    /// Who may.
    pub access: Access,
    /// What it is for.
    pub summary: &'static str,
    /// What it takes and gives.
    pub shape: Shape,
    handler: MethodRouter<App>,
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Route {
    fn new(
        method: Method,
        path: &'static str,
        access: Access,
        summary: &'static str,
        handler: MethodRouter<App>,
    ) -> Self {
        Self { method, path, access, summary, shape: Shape::default(), handler }
    }

    pub(crate) fn get<H: Handler<T, App>, T: 'static>(
        path: &'static str,
        access: Access,
        summary: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::GET, path, access, summary, on(MethodFilter::GET, handler))
    }

    pub(crate) fn post<H: Handler<T, App>, T: 'static>(
        path: &'static str,
        access: Access,
        summary: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::POST, path, access, summary, on(MethodFilter::POST, handler))
    }

    pub(crate) fn put<H: Handler<T, App>, T: 'static>(
        path: &'static str,
        access: Access,
        summary: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::PUT, path, access, summary, on(MethodFilter::PUT, handler))
    }

    pub(crate) fn delete<H: Handler<T, App>, T: 'static>(
        path: &'static str,
        access: Access,
        summary: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::DELETE, path, access, summary, on(MethodFilter::DELETE, handler))
    }
}

/// The router over a table.
pub(crate) fn router(app: &App, routes: Vec<Route>) -> Router {
    let mut router = Router::new();
    for route in routes {
        let state = (app.clone(), route.access);
        router = router.route(route.path, route.handler.layer(from_fn_with_state(state, guard)));
    }
    let unknown = || async { Problem::unknown("Route") };
    router.fallback(unknown).method_not_allowed_fallback(wrong_method).with_state(app.clone())
}

async fn wrong_method() -> Problem {
    let detail = "the route does not take this method; /v1/openapi.json lists what it takes";
    Problem::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
}

/// Lets only those through whom the route admits.
async fn guard(State((app, access)): State<(App, Access)>, request: Request, next: Next) -> Response {
    if access == Access::Open {
        return next.run(request).await;
    }
    let (mut head, body) = request.into_parts();
    // Whoever runs in this process on behalf of the data directory's holder is put there by it.
    let known = head.extensions.get::<Caller>().cloned();
    let caller = match known.map_or_else(|| Caller::identify(&app, &head), Ok) {
        Ok(caller) => caller,
        Err(problem) => {
            app.counters().unauthenticated.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            return problem.into_response();
        }
    };
    if !access.admits(&caller.who) {
        return refused(&app, access, &caller).await.into_response();
    }
    head.extensions.insert(caller);
    next.run(Request::from_parts(head, body)).await
}

/// Who asks what only agents may ask is told no like an agent that is told no: on record.
async fn refused(app: &App, access: Access, caller: &Caller) -> Problem {
    if access == Access::Asker {
        let (tenant, by) = (caller.tenant.clone(), caller.name().to_owned());
        if let Err(error) = app.write(move |ledger| ledger.refuse_person(&tenant, &by)).await {
            return error.into();
        }
    }
    match &caller.who {
        Who::Agent(agent) if agent.status != AgentStatus::Active => {
            let detail = format!("the agent is {}; it is told nothing but why it may not act", agent.status);
            Problem::forbidden(detail)
        }
        _ => Problem::forbidden(format!("this is for {}", access.words())),
    }
}
