//! A real browser: Debian's `chromium` behind its `chromedriver`. A test borrows one, with a new tab, and gives it back.
//!
//! WebDriver is JSON over HTTP, one command per request, and this file has all that the tests need. The DevTools
//! command of chromedriver adds what WebDriver lacks: colour schemes, phones, script off. The crates for WebDriver have
//! a hundred dependencies and an asynchronous runtime, which these sequential tests do not need.

use std::io::{BufRead, BufReader};
use std::process::{ChildStdin, ChildStdout};
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ureq::Agent;

use crate::support::*;

/// The hint for running these tests without a browser.
const INSTALL: &str = "these tests drive a real browser: `apt-get install chromium chromium-driver` on Debian, or put \
                       `chromedriver` and the browser it belongs to on the PATH";
/// The key of element ids in WebDriver, see its specification, section 12.1.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// The longest time that a test waits for the page, far more than it needs.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The largest reply: a screenshot, or a page.
const REPLY_BYTES: u64 = 256 << 20;

/// A shell that ends driver and browser and removes their folder `$1` when its standard input is closed: by
/// [`Browser`], or because these tests have ended in any way. Driver and browser are in its process group. Only they
/// hold the standard output, so that a driver that ends at once is noticed.
const GUARD: &str = "
    chromedriver --port=0 </dev/null &
    exec >/dev/null
    cat
    trap '' TERM
    kill -TERM 0
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        rm -rf \"$1\"
        sleep 0.1
        [ -e \"$1\" ] || break
    done
    kill -KILL 0";

/// Browsers that no test uses at the moment.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// Keys as WebDriver writes them.
pub(crate) mod key {
    pub(crate) const TAB: &str = "\u{e004}";
    pub(crate) const ENTER: &str = "\u{e007}";
    pub(crate) const ESCAPE: &str = "\u{e00c}";
    pub(crate) const SPACE: &str = " ";
    pub(crate) const END: &str = "\u{e010}";
    pub(crate) const HOME: &str = "\u{e011}";
    pub(crate) const LEFT: &str = "\u{e012}";
    pub(crate) const UP: &str = "\u{e013}";
    pub(crate) const DOWN: &str = "\u{e015}";
    pub(crate) const RIGHT: &str = "\u{e014}";
}

/// A browser with one window.
pub(crate) struct Browser {
    guard: Child,
    /// Closing it ends the guard.
    guarded: Option<ChildStdin>,
    /// Kept open: a driver that cannot write its log ends.
    _log: BufReader<ChildStdout>,
    agent: Agent,
    /// The session's address; before the session begins, the driver's.
    address: String,
    /// Profile and home. The guard removes it.
    scratch: PathBuf,
}

impl Browser {
    /// An idle browser, or a new one. Its window is 1280 pixels wide, in light colours, with an empty tab.
    pub(crate) fn borrow() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(Self::start)
    }

    /// Gives a browser back, with a new tab, as colours, screen and script are settings of a tab.
    pub(crate) fn give_back(self) {
        let new = self.command("window/new", &json!({"type": "tab"}))["handle"].take();
        self.delete("window");
        self.command("window", &json!({"handle": new}));
        self.devtools("Browser.setDownloadBehavior", &json!({"behavior": "default"}));
        self.devtools("Network.clearBrowserCache", &json!({}));
        self.forget();
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Starts a browser without a window, with its own profile.
    pub(crate) fn start() -> Self {
        let scratch = tempfile::tempdir().unwrap().keep();
        let mut command = Command::new("sh");
        command.args(["-c", GUARD, "guard"]).arg(&scratch).process_group(0);
        command.env("HOME", &scratch).env("TMPDIR", &scratch);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut guard = command.spawn().unwrap();
        let guarded = guard.stdin.take();
        let mut log = BufReader::new(guard.stdout.take().unwrap());
        let port = port(&mut log);
        // Without a proxy: the driver listens only on this machine.
        let agent = Agent::config_builder().http_status_as_error(false).proxy(None).build().into();
        let address = format!("http://127.0.0.1:{port}");
        let mut browser = Self { guard, guarded, _log: log, agent, address, scratch };
        browser.begin_session();
        browser.forget();
        browser
    }

    /// Opens an empty page and drops the messages and requests so far. A new tab requests an internal page of the
    /// browser.
    fn forget(&self) {
        // Several browsers run at a time, and each page must behave as if it had the focus.
        self.devtools("Emulation.setFocusEmulationEnabled", &json!({"enabled": true}));
        self.goto("about:blank");
        self.requests();
        self.console();
    }

    fn begin_session(&mut self) {
        let profile = self.scratch.join("profile");
        let profile = format!("--user-data-dir={}", profile.display());
        let arguments = [
            "--headless=new",
            // Root in a container needs this. The pages are trusted.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            // A driver clicks at the current position of an element, so nothing may move.
            "--force-prefers-reduced-motion",
            "--window-size=1280,900",
            &profile,
        ];
        let capabilities = json!({
            // A dialog of the page stays open, and the next command fails.
            "unhandledPromptBehavior": "ignore",
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"args": arguments},
        });
        let body = json!({"capabilities": {"alwaysMatch": capabilities}});
        let session = self.try_command("session", &body).unwrap_or_else(|refused| panic!("{refused}; {INSTALL}"));
        self.address = format!("{}/session/{}", self.address, session["sessionId"].as_str().unwrap());
    }

    /// Sends a command and returns its value.
    #[track_caller]
    pub(crate) fn command(&self, path: &str, body: &Value) -> Value {
        match self.try_command(path, body) {
            Ok(value) => value,
            Err(refused) => panic!("{path} {body:.300}: {refused}"),
        }
    }

    fn try_command(&self, path: &str, body: &Value) -> Result<Value, String> {
        let reply = self.agent.post(format!("{}/{path}", self.address)).send_json(body);
        value_of(reply)
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        match value_of(self.agent.get(format!("{}/{path}", self.address)).call()) {
            Ok(value) => value,
            Err(refused) => panic!("{path}: {refused}"),
        }
    }

    #[track_caller]
    fn delete(&self, path: &str) {
        if let Err(refused) = value_of(self.agent.delete(format!("{}/{path}", self.address)).call()) {
            panic!("{path}: {refused}");
        }
    }

    /// Sends a command of the DevTools protocol.
    #[track_caller]
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.command("goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// Opens an address and waits until it is loaded.
    #[track_caller]
    pub(crate) fn goto(&self, url: &str) {
        self.command("url", &json!({"url": url}));
    }

    /// Runs a script in the page as the body of a function, outside the page's security policy.
    #[track_caller]
    pub(crate) fn run(&self, script: &str) -> Value {
        self.command("execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs a script that passes its value to its last argument, a function.
    #[track_caller]
    pub(crate) fn run_async(&self, script: &str) -> Value {
        self.command("execute/async", &json!({"script": script, "args": []}))
    }

    /// Finds the first element of a CSS selector, which must exist.
    #[track_caller]
    pub(crate) fn find(&self, css: &str) -> Element<'_> {
        self.element(&self.command("element", &json!({"using": "css selector", "value": css})))
    }

    /// Finds all elements of a CSS selector, in the order of the page.
    #[track_caller]
    pub(crate) fn all(&self, css: &str) -> Vec<Element<'_>> {
        let found = self.command("elements", &json!({"using": "css selector", "value": css}));
        found.as_array().unwrap().iter().map(|element| self.element(element)).collect()
    }

    /// Finds the element of a CSS selector with this accessible role and name.
    #[track_caller]
    pub(crate) fn named(&self, css: &str, role: &str, name: &str) -> Element<'_> {
        let mut candidates = self.all(css);
        // Roles and names are slow to query, so the likely elements come first.
        let texts = format!(
            "return [...document.querySelectorAll({css:?})].map(one => `${{one.ariaLabel ?? ''}} ${{one.textContent}}`)"
        );
        let texts: Vec<String> = serde_json::from_value(self.run(&texts)).unwrap();
        assert_eq!(texts.len(), candidates.len(), "{css}");
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|&place| !texts[place].contains(name));
        let is_wanted = |&place: &usize| candidates[place].role() == role && candidates[place].name() == name;
        match order.into_iter().find(is_wanted) {
            Some(place) => candidates.swap_remove(place),
            None => {
                let names: Vec<String> =
                    candidates.iter().map(|element| format!("{} {}", element.role(), element.name())).collect();
                panic!("no {role} has the name {name:?}; {css} finds {names:?}")
            }
        }
    }

    /// The element that has the keyboard's focus.
    #[track_caller]
    pub(crate) fn focused(&self) -> Element<'_> {
        self.element(&self.get("element/active"))
    }

    fn element(&self, value: &Value) -> Element<'_> {
        Element { browser: self, id: value[ELEMENT].as_str().unwrap().to_owned() }
    }

    /// Presses keys one after the other.
    #[track_caller]
    pub(crate) fn press(&self, keys: &[&str]) {
        let stroke = |kind: &str, key: &str| json!({"type": kind, "value": key});
        let strokes: Vec<Value> = keys.iter().flat_map(|key| [stroke("keyDown", key), stroke("keyUp", key)]).collect();
        self.command("actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]}));
    }

    /// Waits until a script returns true.
    #[track_caller]
    pub(crate) fn wait(&self, script: &str) {
        let begun = Instant::now();
        while self.run(script) != json!(true) {
            assert!(begun.elapsed() < TIMEOUT, "timed out waiting for: {script}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Returns the console messages since the last call.
    pub(crate) fn console(&self) -> Vec<String> {
        let entries = self.command("se/log", &json!({"type": "browser"}));
        entries.as_array().unwrap().iter().map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    /// Returns the addresses of all requests since the last call, successful or not.
    pub(crate) fn requests(&self) -> Vec<String> {
        let entries = self.command("se/log", &json!({"type": "performance"}));
        let events = entries.as_array().unwrap().iter().map(|entry| {
            let event: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            event["message"].clone()
        });
        let addresses = events.filter_map(|event| match event["method"].as_str().unwrap() {
            "Network.requestWillBeSent" => Some(event["params"]["request"]["url"].as_str()?.to_owned()),
            "Network.webSocketCreated" | "Network.webTransportCreated" => {
                Some(event["params"]["url"].as_str()?.to_owned())
            }
            _ => None,
        });
        addresses.collect()
    }

    /// Emulates a dark or a light colour scheme.
    pub(crate) fn colours(&self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// Emulates an upright phone screen, as narrow as any sold today.
    pub(crate) fn phone(&self) {
        self.device(360, 740);
    }

    /// Emulates a device with a screen of this size: a phone if it is narrow, with two points per pixel.
    pub(crate) fn device(&self, width: u32, height: u32) {
        let mobile = width < 600;
        let screen =
            json!({"width": width, "height": height, "deviceScaleFactor": 1 + u32::from(mobile), "mobile": mobile});
        self.devtools("Emulation.setDeviceMetricsOverride", &screen);
        self.devtools("Emulation.setTouchEmulationEnabled", &json!({"enabled": mobile}));
    }

    /// Emulates a screen of this size in pixels.
    pub(crate) fn screen(&self, width: u32, height: u32) {
        let screen = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", &screen);
    }

    /// Emulates a reader with or without a preference for reduced motion.
    pub(crate) fn movement(&self, wanted: bool) {
        let value = if wanted { "no-preference" } else { "reduce" };
        let features = json!([{"name": "prefers-reduced-motion", "value": value}]);
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// Prints the page on A4 paper, as a PDF file.
    pub(crate) fn print(&self) -> Vec<u8> {
        let paper = json!({"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": true});
        STANDARD.decode(self.devtools("Page.printToPDF", &paper)["data"].as_str().unwrap()).unwrap()
    }

    /// Takes a picture of the whole page, however far it scrolls, as base64 of a PNG file.
    pub(crate) fn whole_picture(&self) -> String {
        let options = json!({"format": "png", "captureBeyondViewport": true});
        self.devtools("Page.captureScreenshot", &options)["data"].as_str().unwrap().to_owned()
    }

    /// Takes a screenshot, as a PNG file.
    pub(crate) fn screenshot(&self) -> Vec<u8> {
        STANDARD.decode(self.get("screenshot").as_str().unwrap()).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.guarded.take());
        self.guard.wait().ok();
    }
}

/// An element of the page.
pub(crate) struct Element<'a> {
    browser: &'a Browser,
    id: String,
}

impl Element<'_> {
    #[track_caller]
    pub(crate) fn click(&self) {
        self.browser.command(&format!("element/{}/click", self.id), &json!({}));
    }

    /// The text as it is displayed, after styles and scripts.
    #[track_caller]
    pub(crate) fn text(&self) -> String {
        self.browser.get(&format!("element/{}/text", self.id)).as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        self.browser.get(&format!("element/{}/attribute/{name}", self.id)).as_str().map(str::to_owned)
    }

    /// The name by which a screen reader announces it.
    #[track_caller]
    pub(crate) fn name(&self) -> String {
        self.browser.get(&format!("element/{}/computedlabel", self.id)).as_str().unwrap().to_owned()
    }

    /// The role by which a screen reader announces it.
    #[track_caller]
    pub(crate) fn role(&self) -> String {
        self.browser.get(&format!("element/{}/computedrole", self.id)).as_str().unwrap().to_owned()
    }

    /// Returns true if it is visible.
    #[track_caller]
    pub(crate) fn displayed(&self) -> bool {
        self.browser.get(&format!("element/{}/displayed", self.id)) == json!(true)
    }

    /// Runs a script with this element as `arguments[0]`.
    #[track_caller]
    pub(crate) fn run(&self, script: &str) -> Value {
        let this = json!({ELEMENT: self.id});
        self.browser.command("execute/sync", &json!({"script": script, "args": [this]}))
    }
}

/// Reads the driver's port from its log.
fn port(log: &mut impl BufRead) -> u16 {
    let mut output = String::new();
    loop {
        let line = output.len();
        assert!(
            log.read_line(&mut output).unwrap() > 0,
            "chromedriver ended at once with the output: {output}; {INSTALL}"
        );
        if let Some((_, port)) = output[line..].split_once("started successfully on port ") {
            return port.trim().trim_end_matches('.').parse().unwrap();
        }
    }
}

/// Returns the value of a reply, or the driver's error message.
fn value_of(reply: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Value, String> {
    let mut reply = reply.map_err(|error| error.to_string())?;
    let fine = reply.status().is_success();
    let body = reply.body_mut().with_config().limit(REPLY_BYTES).read_json::<Value>();
    let value = body.map_err(|error| error.to_string())?["value"].take();
    if fine { Ok(value) } else { Err(value["message"].as_str().unwrap_or("no reason given").to_owned()) }
}
