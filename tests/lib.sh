# What the scripts beside this one share; sourced from the root of the repository.

say() { printf '\n== %s\n' "$*"; }

# find_python 3.N: sets `python` to an interpreter of this version, or else of the next newer one.
find_python() {
    local minor=${1#3.} candidate attempt
    for attempt in look install; do
        if [ $attempt = install ] && command -v apt-get >/dev/null; then
            apt-get update -q
            for candidate in "python$1" python3; do
                apt-get install -qy "$candidate" "$candidate-venv" 2>/dev/null && break
            done
        fi
        for candidate in $(seq -f 'python3.%.0f' "$minor" $((minor + 3))) python3; do
            # A version manager's own folders come second: its commands answer for versions that are not switched on.
            for python in "$candidate" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/"$candidate"; do
                "$python" -c "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, $minor))" 2>/dev/null && return
            done
        done
    done
    echo "Python $1 or newer is needed, with its modules venv and ensurepip" >&2
    exit 1
}

# need_uv: sets `uv` to the program, which pip brings.
need_uv() {
    local python directory=${CARGO_TARGET_DIR:-target}/uv
    uv=$directory/bin/uv
    [ -x "$uv" ] && return
    find_python 3.11
    "$python" -m venv "$directory"
    "$directory/bin/pip" install --quiet --disable-pip-version-check uv==0.13.9
}

# python_environment DIRECTORY 3.N REQUIREMENT…: a virtual environment of this Python with these arguments for uv, which
# takes a twelfth of pip's time for the same packages, and does it with pip where uv does not work.
python_environment() {
    local directory=$1 python uv
    need_uv
    find_python "$2"
    shift 2
    if ! "$directory/bin/python" -c "" 2>/dev/null; then
        say "Python environment in $directory"
        "$uv" venv --quiet --clear --python "$python" "$directory"
    fi
    "$uv" pip install --quiet --python "$directory/bin/python" "$@" && return
    "$python" -m venv --clear "$directory"
    "$directory/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
}

# end_after MINUTES [COMMAND…]: when this script takes longer, prints what runs, runs the command, which may say more, and
# ends everything by force. What the script has started ends with it in any case.
end_after() {
    export STARTED_BY_TESTS=$$
    watch "$@" &
    watcher=$!
    trap 'kill $watcher || true; kill_started' EXIT
}

# The processes that this script has started, whoever their parents are by now.
started() {
    grep -lz "^STARTED_BY_TESTS=$$\$" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3
}

kill_started() {
    # shellcheck disable=SC2046 # one word for each process; those of the search have ended
    kill -KILL $(started) 2>/dev/null || true
}

watch() {
    set +e
    pause $(($1 * 60))
    say "This takes longer than $1 minutes and is ended by force. What runs:"
    local process
    for process in $(started); do
        tr '\0' ' ' <"/proc/$process/cmdline" | cut -c -200
    done 2>/dev/null
    "${@:2}"
    # The script goes on, as after any command that fails, and fails with whatever it starts now.
    while kill -0 $$ 2>/dev/null; do
        kill_started
        pause 1
    done
} >&2

# pause SECONDS: in the shell itself, for a process `sleep` would outlive it.
pause() {
    read -rt "$1" <> <(:) || true
}

# free_port: prints the number of a port that nothing listens on.
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# install_postgres: PostgreSQL's programs, unless they are there.
install_postgres() {
    if ! ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1 && ! command -v initdb >/dev/null; then
        say "PostgreSQL"
        command -v apt-get >/dev/null || { echo "PostgreSQL 14 or newer is needed" >&2; exit 1; }
        # The package must not start a server of its own.
        mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" >>/etc/postgresql-common/createcluster.conf
        apt-get update -q && apt-get install -qy --no-install-recommends postgresql
    fi
}

# start_postgres DIRECTORY: a PostgreSQL server in a new directory, on a free port. Sets `database` to the address of an
# empty database; `stop_postgres` ends the server and removes the directory.
start_postgres() {
    postgres_directory=$1
    postgres_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
    postgres_bin=${postgres_bin:-$(dirname "$(command -v initdb)")}
    postgres_user=()
    mkdir "$postgres_directory"
    if [ "$(id -u)" = 0 ]; then
        # It refuses to run as root; this is `nobody`.
        chown 65534:65534 "$postgres_directory"
        postgres_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    fi
    local port
    port=$(free_port)
    (
        cd "$postgres_directory"
        "${postgres_user[@]}" "$postgres_bin/initdb" -U trainyard -A trust -E UTF8 --locale=C -D data >initdb.log
        "${postgres_user[@]}" "$postgres_bin/pg_ctl" -w -D data -l data/log start \
            -o "-p $port -k $postgres_directory -c listen_addresses=127.0.0.1" >/dev/null
    )
    database=postgres://trainyard@127.0.0.1:$port/postgres
}

stop_postgres() {
    "${postgres_user[@]}" "$postgres_bin/pg_ctl" -m immediate -D "$postgres_directory/data" stop >/dev/null
    rm -rf "$postgres_directory"
}

# need COMMAND [PACKAGE]: installs a command of the system that is missing.
need() {
    command -v "$1" >/dev/null && return
    say "Installing $1"
    command -v apt-get >/dev/null || { echo "the tests need $1" >&2; exit 1; }
    apt-get update -q && apt-get install -qy "${2:-$1}"
}

# need_node: Node.js with npm, unless it is there.
need_node() {
    command -v npx >/dev/null && return
    say "Installing Node.js"
    command -v apt-get >/dev/null || { echo "the tests need Node.js with npm" >&2; exit 1; }
    apt-get update -q && apt-get install -qy --no-install-recommends nodejs npm
}

# start_server BINARY WORK [OPTION…]: a server on a free port, its data in WORK/data and its log in WORK/server.log.
# Sets `address`; the server, and the process in `helper` if there is one, and PostgreSQL end with the script, and the server's last lines
# are shown when it fails.
start_server() {
    local binary=$1
    work=$2
    shift 2
    trap stop_server EXIT
    : >"$work/server.log" # the background process may open it after the first look below
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
        timeout 60 tail --pid="$server" -s 0.1 -f /dev/null || {
            echo "the server does not stop and is killed" >&2
            kill -KILL "$server" || true
            status=1
        }
        wait "$server" 2>/dev/null || true
    fi
    if [ -n "${helper:-}" ]; then kill "$helper" 2>/dev/null || true; fi
    if [ -n "${postgres_directory:-}" ]; then stop_postgres; fi
    if [ $status -ne 0 ] && [ -f "$work/server.log" ]; then
        printf '\nThe last lines of the server:\n' >&2
        tail -n 60 "$work/server.log" >&2
    fi
    rm -rf "$work"
    [ $status -eq 0 ] || exit $status
}
