# What the scripts beside this one share; sourced from the root of the repository.

say() { printf '\n== %s\n' "$*"; }

# python_environment DIRECTORY REQUIREMENTS: a virtual environment with what the file names.
python_environment() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed" >&2; exit 1; }
    if ! "$1/bin/python" -m pip --version >/dev/null 2>&1; then
        say "Python environment in $1"
        if ! python3 -c 'import ensurepip, venv' 2>/dev/null && command -v apt-get >/dev/null; then
            apt-get update -q && apt-get install -qy python3-venv
        fi
        python3 -m venv --clear "$1"
    fi
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check -r "$2"
}

# start_server BINARY WORK [OPTION…]: a server on a free port, its data in WORK/data and its log in WORK/server.log.
# Sets `address`; the server, and the process in `helper` if there is one, end with the script, and the server's last lines
# are shown when it fails.
start_server() {
    local binary=$1
    work=$2
    shift 2
    trap stop_server EXIT
    "$binary" serve --listen 127.0.0.1:0 "$@" 2>"$work/server.log" &
    server=$!
    for _ in $(seq 300); do
        address=$(sed -n 's/^listening on //p' "$work/server.log" | head -n 1)
        [ -n "$address" ] && return
        kill -0 "$server" || exit 1
        sleep 0.2
    done
    echo "the server did not start" >&2
    exit 1
}

stop_server() {
    local status=$?
    if [ -n "${server:-}" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    if [ -n "${helper:-}" ]; then kill "$helper" 2>/dev/null || true; fi
    if [ $status -ne 0 ] && [ -f "$work/server.log" ]; then
        printf '\nThe last lines of the server:\n' >&2
        tail -n 60 "$work/server.log" >&2
    fi
    rm -rf "$work"
}
