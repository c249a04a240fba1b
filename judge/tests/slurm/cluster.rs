//! A cluster of three nodes on this machine: real slurmctld and slurmd, stopped by their process numbers.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use std::net::TcpListener;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::*;

const NODES: usize = 3;

/// The daemons of a cluster, which end when it is dropped.
pub(crate) struct Cluster {
    folder: tempfile::TempDir,
}

impl Cluster {
    /// Starts a cluster; `None` if Slurm is not installed here or the user is not root, unless `REQUIRE_SLURM` is set.
    pub(crate) fn start() -> Option<Self> {
        if !Self::installed() || !rustix::process::getuid().is_root() {
            let required = std::env::var_os("REQUIRE_SLURM").is_some();
            assert!(!required, "no Slurm, or not root; install slurmctld, slurmd, slurm-client and munge");
            println!("skipped: Slurm is not installed, or this user is not root");
            return None;
        }
        let cluster = Self { folder: tempfile::tempdir().unwrap() };
        cluster.configure();
        let key: Vec<u8> = (0..1024u32).map(|index| index.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
        fs::write(cluster.path("munge.key"), key).unwrap();
        fs::set_permissions(cluster.path("munge.key"), fs::Permissions::from_mode(0o600)).unwrap();
        let option = |name: &str, path: &str| format!("--{name}={}", cluster.path(path).display());
        let options = [
            ("key-file", "munge.key"),
            ("socket", "run/munge.sock"),
            ("pid-file", "run/munged.pid"),
            ("log-file", "log/munged.log"),
            ("seed-file", "run/munge.seed"),
        ];
        run(Command::new("munged").arg("--force").args(options.map(|(name, path)| option(name, path))));
        cluster.start_controller();
        (1..=NODES).for_each(|node| cluster.start_node(node));
        let sinfo = || cluster.ask("sinfo", &["-h", "-t", "idle", "-o", "%D"]).trim() == NODES.to_string();
        wait_until("three idle nodes", Duration::from_secs(60), sinfo);
        Some(cluster)
    }

    /// Tests whether Slurm is installed here.
    pub(crate) fn installed() -> bool {
        let found = |program: &str| {
            Command::new(program).arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
        };
        ["munged", "slurmctld", "slurmd", "sbatch"].into_iter().all(found)
    }

    fn configure(&self) {
        for folder in ["run", "log", "state"] {
            fs::create_dir_all(self.path(folder)).unwrap();
        }
        (1..=NODES).for_each(|node| fs::create_dir_all(self.path(&format!("spool/n{node}"))).unwrap());
        // munged requires that other users cannot write the folders above its socket.
        fs::set_permissions(self.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let host = host.split('.').next().unwrap().to_owned();
        // All listeners are held together, so that the ports differ.
        let ports: Vec<TcpListener> = (0..=NODES).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let ports: Vec<u16> = ports.iter().map(|port| port.local_addr().unwrap().port()).collect();
        let folder = self.folder.path().display();
        let mut text = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={}\nSlurmUser=root\nSlurmdUser=root\n\
             AuthType=auth/munge\nAuthInfo=socket={folder}/run/munge.sock,cred_expire=5\nCredType=cred/munge\n\
             MpiDefault=none\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerType=sched/backfill\n\
             SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1,batch_sched_delay=0\n\
             JobCompType=jobcomp/none\nAccountingStorageType=accounting_storage/none\nReturnToService=2\nJobRequeue=1\n\
             PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nLicenses=core:2\n\
             KillWait=1\nSlurmctldTimeout=10\nSlurmdTimeout=3\nMessageTimeout=3\nMinJobAge=3600\n\
             StateSaveLocation={folder}/state\n\
             SlurmdSpoolDir={folder}/spool/%n\nSlurmctldPidFile={folder}/run/slurmctld.pid\n\
             SlurmdPidFile={folder}/run/slurmd-%n.pid\nSlurmctldLogFile={folder}/log/slurmctld.log\n\
             SlurmdLogFile={folder}/log/slurmd-%n.log\n",
            ports[0],
        );
        let memory = memory_megabytes().min(8000);
        for (node, port) in (1..=NODES).zip(&ports[1..]) {
            // The third is another kind of node.
            let feature = if node == NODES { "slow" } else { "fast" };
            text += &format!(
                "NodeName=n{node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory={memory} Feature={feature}\n"
            );
        }
        text += "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE\n";
        text += "PartitionName=like Nodes=n1,n2 MaxTime=INFINITE\n";
        text += "PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=10 PreemptMode=OFF\n";
        fs::write(self.path("slurm.conf"), text).unwrap();
        fs::write(self.path("site.toml"), "").unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The configuration, for commands that are given the cluster by `SLURM_CONF`.
    pub(crate) fn configuration(&self) -> PathBuf {
        self.path("slurm.conf")
    }

    pub(crate) fn start_controller(&self) {
        run(Command::new("slurmctld").arg("-f").arg(self.configuration()));
    }

    pub(crate) fn start_node(&self, node: usize) {
        run(Command::new("slurmd").arg("-f").arg(self.configuration()).args(["-N", &format!("n{node}")]));
    }

    /// Kills the controller as a crash would.
    pub(crate) fn kill_controller(&self) {
        self.kill("slurmctld", Signal::KILL);
    }

    /// Kills everything that runs on a node, as a power failure would: first the processes that would report the death
    /// of others.
    pub(crate) fn kill_node(&self, node: usize) {
        self.kill(&format!("slurmd-n{node}"), Signal::KILL);
        let named = format!("SLURMD_NODENAME=n{node}");
        let ours = format!("SLURM_CONF={}", self.configuration().display());
        let of_node = |environment: &str| {
            let has = |variable: &str| environment.split('\0').any(|one| one == variable);
            has(&named) && has(&ours)
        };
        let processes: Vec<Pid> =
            environments().filter(|(_, environment)| of_node(environment)).map(|(process, _)| process).collect();
        let managers = processes.iter().filter_map(|process| parent(*process)).filter(|parent| is_manager(*parent));
        for process in managers.chain(processes.iter().copied()) {
            kill_process(process, Signal::KILL).ok();
        }
    }

    /// Processes of the tasks of this cluster.
    pub(crate) fn tasks(&self) -> Vec<Pid> {
        let ours = format!("SLURM_CONF={}", self.configuration().display());
        let of_task = |environment: &str| {
            let has = |text: &str| environment.split('\0').any(|one| one.starts_with(text));
            has("SLURMD_NODENAME=") && has(&ours)
        };
        environments().filter(|(_, environment)| of_task(environment)).map(|(process, _)| process).collect()
    }

    /// The output of a command of Slurm; empty if it fails.
    pub(crate) fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env("SLURM_CONF", self.configuration()).output().unwrap();
        if output.status.success() { String::from_utf8(output.stdout).unwrap() } else { String::new() }
    }

    /// The variables by which commands find this cluster.
    pub(crate) fn variables(&self) -> [(&'static str, String); 2] {
        let paths = [("SLURM_CONF", self.configuration()), ("JUDGE_SLURM", self.path("site.toml"))];
        paths.map(|(name, path)| (name, path.display().to_string()))
    }

    /// `judge` in a folder, with this cluster.
    pub(crate) fn judge<'a>(&self, folder: &Folder, args: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = folder.command(args);
        command.envs(self.variables());
        command.stdin(Stdio::null());
        command
    }

    fn pid(&self, daemon: &str) -> Option<Pid> {
        let text = fs::read_to_string(self.path(&format!("run/{daemon}.pid"))).ok()?;
        Pid::from_raw(text.trim().parse().ok()?)
    }

    fn kill(&self, daemon: &str, signal: Signal) {
        let Some(pid) = self.pid(daemon) else { return };
        // The number may belong to another process by now.
        let name = fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero())).unwrap_or_default();
        if !daemon.starts_with(name.trim()) || name.trim().is_empty() {
            return;
        }
        kill_process(pid, signal).ok();
        let begun = Instant::now();
        while lives(pid) && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Nothing is kept, so the daemons are killed. An orderly end takes seconds.
        (1..=NODES).for_each(|node| self.kill_node(node));
        self.kill("slurmctld", Signal::KILL);
        self.kill("munged", Signal::KILL);
        // Nothing else stops a task whose node was killed earlier.
        for process in self.tasks() {
            kill_process(process, Signal::KILL).ok();
        }
    }
}

fn parent(process: Pid) -> Option<Pid> {
    Pid::from_raw(field(process, 1)?.parse().ok()?)
}

/// Tests whether a process has not ended. One without a waiting parent stays as a zombie.
fn lives(process: Pid) -> bool {
    field(process, 0).is_some_and(|state| state != "Z")
}

/// A field of a process's state after its name.
fn field(process: Pid, number: usize) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(number).map(str::to_owned)
}

/// Tests whether a process is the part of Slurm that starts one task and reports its end.
fn is_manager(process: Pid) -> bool {
    let name = fs::read_to_string(format!("/proc/{}/comm", process.as_raw_nonzero()));
    name.is_ok_and(|name| name.trim() == "slurmstepd")
}

/// The environments of all processes that can be read.
fn environments() -> impl Iterator<Item = (Pid, String)> {
    fs::read_dir("/proc").unwrap().flatten().filter_map(|process| {
        let pid = Pid::from_raw(process.file_name().to_str()?.parse().ok()?)?;
        let environment = fs::read(process.path().join("environ")).ok()?;
        Some((pid, String::from_utf8_lossy(&environment).into_owned()))
    })
}

/// The memory of this machine.
fn memory_megabytes() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap();
    let kilobytes =
        text.lines().find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse().ok());
    kilobytes.map_or(1000, |kilobytes: u64| kilobytes / 1024)
}

#[track_caller]
fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
}

/// Waits for something to become true.
#[track_caller]
pub(crate) fn wait_until(what: &str, most: Duration, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < most, "{what}: not within {most:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Reads a file of a folder; empty if it does not exist.
pub(crate) fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
