//! Connections: accepted within limits, served with timeouts, and drained at the end.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper::service::Service as _;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use judge_job::{StopRequest, count_text};
use rustix::process::{Resource, getrlimit};
use rustix::thread::{CpuSet, sched_setaffinity};
use tokio::net::TcpStream;

use crate::app::{AccessLog, App};
use crate::arrival::Peer;
use crate::connections::{Connection, Connections, RequestConnection};
use crate::options::{Contest, Options, ServeError};
use crate::site::Site;
use crate::{clock_monitor, parts, router};

/// The most connections in total. Beyond that, each new one ends an open one.
const MAX_CONNECTIONS: usize = 4096;
/// The number of descriptors that are reserved for runs, logs and uploads.
const DESCRIPTORS_OF_JUDGE: usize = 128;
/// The most bytes of the head of a request, and the time within which it must arrive.
const MAX_HEAD: usize = 8 << 10;
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The time within which current responses must end.
const DRAIN_TIME: Duration = Duration::from_secs(10);
/// The time between two checks for a request to stop, and for changes.
const STOP_INTERVAL: Duration = Duration::from_millis(50);
const CHANGE_INTERVAL: Duration = Duration::from_secs(1);
/// The time between two sweeps.
const SWEEP_INTERVAL: Duration = Duration::from_secs(24 * 3600);
/// The description of what a sweep removes.
const UPLOAD: &str = "upload that no line of the log names";
const UPLOADS: &str = "uploads that no line of the log names";
/// The number of threads for requests, and of threads for work that may wait for the disk. All of them share one
/// processor.
const THREADS: usize = 2;
const MAX_WAITING_THREADS: usize = 16;

/// A server whose port is open. It responds once [`Self::run`] is called.
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

impl Server {
    /// Opens the port. Requests wait until [`Self::run`] is called. `log` gets a line for each request and must not block;
    /// `dropped` returns the number of lines that it has dropped.
    ///
    /// # Errors
    /// [`ServeError`] if the options are not safe, or the address is taken.
    pub fn bind(
        options: Options,
        contest: Contest,
        log: impl Fn(&str) + Send + Sync + 'static,
        dropped: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Result<Self, ServeError> {
        let listen = options.listen;
        let log = AccessLog { line: Arc::new(log), dropped: Arc::new(dropped) };
        // The options must be checked before clients can connect.
        let app = App::new(contest, options, log)?;
        let failed = |error| ServeError::Listen(listen, error);
        let listener = TcpListener::bind(listen).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let app = app.at(listener.local_addr().map_err(failed)?);
        Ok(Self { listener, site: Arc::new(Site::new(app)) })
    }

    /// The address on which it listens.
    ///
    /// # Errors
    /// The system's error.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The address of the site for browsers, without a slash at its end.
    pub fn url(&self) -> &str {
        self.site.app().url()
    }

    /// Serves until a stop is requested. Then current responses have ten seconds to end.
    ///
    /// # Errors
    /// [`ServeError::Threads`].
    pub fn run(self, interrupt: &dyn StopRequest) -> Result<(), ServeError> {
        let processor = self.site.app().options.processor;
        let keep_to = move || {
            if let Some(processor) = processor {
                let mut set = CpuSet::new();
                set.set(processor);
                // Without pinning, the server works as well. Only times of entries could suffer, and that is detected there.
                sched_setaffinity(None, &set).ok();
            }
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .max_blocking_threads(MAX_WAITING_THREADS)
            .thread_name("judge-web")
            .on_thread_start(keep_to)
            .enable_io()
            .enable_time()
            .build()
            .map_err(ServeError::Threads)?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(self.listener).map_err(ServeError::Threads)?
        };
        let site = self.site;
        let app = site.app().clone();
        let accepting = runtime.spawn(accept(listener, site.clone()));
        let sweeping = runtime.spawn(sweep(site.clone()));
        let refreshing = runtime.spawn(refresh(site));
        runtime.block_on(async {
            while !interrupt.requested() && !accepting.is_finished() {
                tokio::time::sleep(STOP_INTERVAL).await;
            }
            app.stopping.send_replace(true);
            accepting.await.ok();
        });
        refreshing.abort();
        sweeping.abort();
        runtime.shutdown_timeout(DRAIN_TIME);
        Ok(())
    }
}

/// Checks for changes, including those of other processes, and for steps of the clock.
async fn refresh(site: Arc<Site>) {
    loop {
        let app = site.app().clone();
        if let Some(step) = site.clock_monitor.look(app.office.now()) {
            app.log.line(&clock_monitor::message(step));
        }
        let task = tokio::task::spawn_blocking(move || app.boards.refresh(app.now()));
        task.await.ok();
        tokio::time::sleep(CHANGE_INTERVAL).await;
    }
}

/// Removes the remains of interrupted uploads, at the start and every day.
async fn sweep(site: Arc<Site>) {
    loop {
        let app = site.app().clone();
        let task = tokio::task::spawn_blocking(move || match app.office.sweep() {
            Ok(0) => {}
            Ok(removed) => app.log.line(&format!("removed {}", count_text(removed, UPLOAD, UPLOADS))),
            Err(error) => app.log.line(&format!("what uploads have left stays: {error}")),
        });
        task.await.ok();
        tokio::time::sleep(SWEEP_INTERVAL).await;
    }
}

/// The most connections for this number of descriptors. Visitors must not use up the descriptors that a run needs.
fn most_connections(descriptors: Option<u64>) -> usize {
    let descriptors = descriptors.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    descriptors.saturating_sub(DESCRIPTORS_OF_JUDGE).clamp(1, MAX_CONNECTIONS)
}

async fn accept(listener: tokio::net::TcpListener, site: Arc<Site>) {
    let (router, app) = (router::router(&site), site.app().clone());
    let most = most_connections(getrlimit(Resource::Nofile).current);
    let (open, graceful) = (Connections::new(most), GracefulShutdown::new());
    let mut stopping = app.stopping.subscribe();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = parts::ended(&mut stopping) => break,
        };
        let Ok((stream, peer)) = accepted else {
            // For example, no descriptor is free. Some will be when open connections end.
            tokio::time::sleep(STOP_INTERVAL).await;
            continue;
        };
        let address = peer.ip().to_canonical();
        let Some(connection) = open.open(address, app.options.proxies.contains(&address)) else {
            continue;
        };
        serve(stream, address, connection, &router, &graceful);
    }
    drop(listener);
    tokio::time::timeout(DRAIN_TIME, graceful.shutdown()).await.ok();
}

fn serve(
    stream: TcpStream,
    address: IpAddr,
    connection: Arc<Connection>,
    router: &Router,
    graceful: &GracefulShutdown,
) {
    // Small responses are sent at once.
    stream.set_nodelay(true).ok();
    let inner = TowerToHyperService::new(router.clone());
    let on = RequestConnection(connection.clone());
    let service = hyper::service::service_fn(move |mut request: Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(Peer(address));
        request.extensions_mut().insert(on.clone());
        inner.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(MAX_HEAD.max(8192));
    let served = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
    tokio::spawn(async move {
        tokio::select! {
            // A client that disconnects is not a failure of the server.
            _ = served => {}
            () = connection.ended() => {}
        }
    });
}

#[cfg(test)]
mod tests;
