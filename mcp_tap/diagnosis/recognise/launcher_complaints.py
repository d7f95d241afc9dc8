"""What launchers say that cannot start a server: npx, npm, uv, pip, docker, podman."""

from __future__ import annotations

from mcp_tap.diagnosis.recognise.complaint import Complaint, complaint

OF_LAUNCHERS: tuple[Complaint, ...] = (
    complaint(
        "no-executable",
        "the package has no program of that name",
        "launcher",
        "name the package and its program apart: `npx -p PACKAGE PROGRAM`, `uvx --from PACKAGE PROGRAM` (the "
        "package's page lists its programs under `bin` or `scripts`)",
        r"could not determine executable to run",
        r"does not provide any executables|is not provided by (?:package|the package)",
        r"executable named .{0,80} is not provided",
    ),
    complaint(
        "no-such-package",
        "the package {} is not in the registry",
        "environment",
        "check the name of the package in the server's entry (and its version); a program of another name "
        "needs --from (uvx) or -p (npx)",
        r"\b([\w.@/-]+) was not found in the package registry",
        r"'([^']+)' is not in (?:this|the npm) registry",
        r"npm (?:ERR!|error) 404 +Not Found - GET (\S+)",
        r"No matching distribution found for (\S+)",
        r"No matching version found for (\S+?)\.?(?:\s|$)",
        r"Couldn't find package \"([^\"]+)\"",
        what="that is named",
    ),
    complaint(
        "no-such-image",
        "the image {} cannot be fetched",
        "environment",
        "check the name and the tag of the image, and log in to its registry where it is private",
        r"pull access denied for ([^\s,]+)",
        r"manifest for (\S+) not found|manifest unknown",
        what="that is named",
    ),
    complaint(
        "docker-terminal",
        "docker was told to use a terminal, and there is none",
        "environment",
        "drop -t from the command: `docker run` needs -i, and no -t",
        r"the input device is not a TTY|cannot attach stdin to a TTY",
    ),
    complaint(
        "docker-not-running",
        "Docker is not running",
        "environment",
        "start Docker Desktop (or the docker service) before the client; in WSL, switch on its integration "
        "or use docker.exe",
        r"Docker Desktop is not running|Cannot connect to (?:the Docker daemon|Podman)",
        r"docker daemon is not running|dockerDesktopLinuxEngine",
    ),
    complaint(
        "container-name",
        "the name of the container is taken by an earlier one",
        "environment",
        "drop --name from the command, or remove the old container (docker rm -f) and add --rm",
        r"container name .{0,80} is already in use",
    ),
    complaint(
        "docker",
        "Docker could not start the container",
        "environment",
        "act on what docker says: the options of `docker run` are in the server's entry",
        r"docker: Error response|docker: invalid reference format|docker: '[^']+' is not a docker command",
    ),
)
"""Before those of any program: these know what was asked of the launcher."""
