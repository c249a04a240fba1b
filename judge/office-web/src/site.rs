//! The site: one contest, and the data that all its clients share.

use std::sync::Arc;

use crate::app::App;
use crate::clock_monitor::ClockMonitor;
use crate::icpc::feed::Feeds;

/// The contest of the site.
pub(crate) struct Site {
    app: Arc<App>,
    pub(crate) feeds: Feeds,
    /// The steps of the clock since the server started.
    pub(crate) clock_monitor: ClockMonitor,
}

impl Site {
    pub(crate) fn new(app: App) -> Self {
        Self { app: Arc::new(app), feeds: Feeds::default(), clock_monitor: ClockMonitor::default() }
    }

    /// The office, the contest and its pages.
    pub(crate) fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// The identifier of the contest.
    pub(crate) fn id(&self) -> &str {
        &self.app.id
    }
}
