"""A real Slurm of one node with one pretend GPU, started in a folder of its own and stopped again.

It needs root and the packages of `make cluster-deps`. No cgroups, systemd or database: memory is
watched by sampling, and jobs are asked after with squeue.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue")
PLUGINS = tuple(f"snakemake_executor_plugin_{name}" for name in ("slurm", "cluster_generic"))
CONFIGURATION = Path("/etc/slurm/slurm.conf")  # the one place where job steps look for it
SLURM_CONF = """
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
MinJobAge=3600
SlurmdTimeout=30
KillWait=2
ReturnToService=2
MpiDefault=none
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory} Gres=gpu:1
PartitionName=tests Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
GRES_CONF = "AutoDetect=off\nNodeName={host} Name=gpu File=/dev/null\n"


def what_is_missing() -> str | None:
    """Why no cluster can be started here, in words; None if one can."""
    if missing := [name for name in PROGRAMS if not shutil.which(name)]:
        return f"no {', '.join(missing)}; see make cluster-deps"
    if missing := [name for name in PLUGINS if not find_spec(name)]:
        return f"no {', '.join(missing)}; see make cluster-deps"
    if os.geteuid():
        return "only root can start one"
    if is_taken():
        return f"{CONFIGURATION} belongs to another one"
    return None


def is_taken() -> bool:
    """By a cluster that is none of ours, or by tests that are running; not by dead ones."""
    if not CONFIGURATION.is_symlink():
        return CONFIGURATION.exists()
    return is_alive(CONFIGURATION.resolve().with_name("slurmctld.pid"))


@dataclass(frozen=True)
class Cluster:
    """A running cluster; its commands give up instead of waiting for a dead controller."""

    folder: Path

    def ask(self, *command: str) -> str:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
        return done.stdout.strip()

    def jobs(self, *columns: str) -> list[list[str]]:
        """All jobs so far, the first one first, with columns as squeue's --Format names them."""
        wanted = ",".join(f"{column}:|" for column in columns)
        listed = self.ask("squeue", "--states=all", "--sort=i", "--noheader", f"--Format={wanted}")
        return [line.split("|")[: len(columns)] for line in listed.splitlines()]

    def cancel_all(self) -> None:
        """End what is still running; what does not end within seconds is left."""
        with suppress(subprocess.SubprocessError, TimeoutError):
            self.ask("scancel", "--user=root")
            wait_for(lambda: not self.ask("squeue", "--noheader"), seconds=20)

    def start_node(self) -> None:
        subprocess.run(["slurmd", "-f", self.folder / "slurm.conf"], check=True, timeout=20)
        wait_for(lambda: self.ask("sinfo", "--noheader", "--format=%T") in ("idle", "mixed"))

    def stop_node(self) -> None:
        stop(self.folder / "slurmd.pid")


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster of this machine, until the block ends."""
    running = Cluster(folder)
    write_configuration(folder)
    CONFIGURATION.unlink(missing_ok=True)
    CONFIGURATION.symlink_to(folder / "slurm.conf")
    try:
        start_controller(folder)
        running.start_node()
        yield running
    finally:
        running.cancel_all()
        for daemon in ("slurmd", "slurmctld", "munged"):
            stop(folder / f"{daemon}.pid")
        CONFIGURATION.unlink()


def write_configuration(folder: Path) -> None:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    facts = {
        "folder": folder,
        "host": socket.gethostname().partition(".")[0],
        "cores": os.cpu_count(),
        "memory": memory * 9 // 10,
        "controller_port": free_port(),
        "node_port": free_port(),
    }
    for name in ("state", "spool"):
        (folder / name).mkdir()
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o600)
    (folder / "slurm.conf").write_text(SLURM_CONF.format(**facts))
    (folder / "gres.conf").write_text(GRES_CONF.format(**facts))


def start_controller(folder: Path) -> None:
    places = {
        "key-file": "munge.key",
        "socket": "munge.socket",
        "pid-file": "munged.pid",
        "log-file": "munged.log",
        "seed-file": "munged.seed",
    }
    options = [f"--{option}={folder / name}" for option, name in places.items()]
    subprocess.run(["munged", "--force", *options], check=True, timeout=20)
    subprocess.run(["slurmctld", "-f", folder / "slurm.conf"], check=True, timeout=20)


def stop(pid_file: Path) -> None:
    """End a daemon and wait for its end."""
    if is_alive(pid_file):
        os.kill(int(pid_file.read_text()), signal.SIGTERM)
        wait_for(lambda: not is_alive(pid_file), seconds=20)


def is_alive(pid_file: Path) -> bool:
    """A daemon removes its file at its end, or leaves it behind when it is killed."""
    try:
        return Path("/proc", pid_file.read_text().strip() or "none").is_dir()
    except FileNotFoundError:
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        # A controller that is still starting, or a folder that goes while it is listed.
        with suppress(subprocess.SubprocessError, FileNotFoundError):
            if condition():
                return
        if time.monotonic() > deadline:
            raise TimeoutError("waited in vain for Slurm")
        time.sleep(0.2)
