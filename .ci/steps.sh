# What .ci/run and .ci/weekly share. Every step runs, whatever came of those before it.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."
logs=$(mktemp -d)
trap 'jobs -p | xargs -r kill 2>/dev/null; rm -rf "$logs"' EXIT

# step NAME COMMAND ...: runs a command, and keeps its status and time.
step() {
    local name=$1 began=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    "$@"
    echo "$? $((SECONDS - began)) $name" >>"$logs/results"
}

# told FILE ...: tells from the output of the steps which tests failed, and what each step took.
# Its status is 1 when any step failed.
told() {
    local status seconds name failed=0 summary='^=+ short test summary info ='
    if grep -qE "$summary" "$@"; then
        printf '\n== tests that failed\n'
        sed -nE "/$summary/,/^[0-9]+ (failed|passed|errors?)\b.* in [0-9.]+s/ s/^(FAILED|ERROR) /  /p" "$@"
    fi
    printf '\n== seconds of each step, and of all\n'
    while read -r status seconds name; do
        ((status == 0)) || failed=1
        printf '%6d  %s%s\n' "$seconds" "$name" "$( ((status == 0)) || echo ' FAILED')"
    done <"$logs/results"
    printf '%6d\n' "$SECONDS"
    return "$failed"
}

# Installs what tests need beside Python: without it they are skipped.
install_programs() {
    local wanted=() each
    # The store is tested against a real PostgreSQL server, which the tests start themselves.
    compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || wanted+=(postgresql)
    # Bots are shut into sandboxes by bubblewrap, where the machine allows it.
    command -v bwrap >/dev/null || wanted+=(bubblewrap)
    # The system's own solver is tried beside that of endplay.
    ldconfig -p | grep -q libdds.so || wanted+=(libdds0)
    # Pages are looked at in a real browser.
    command -v chromium >/dev/null || wanted+=(chromium)
    # The example bot in JavaScript is tried where there are Node and npm (Debian 12 has Node 18).
    command -v npm >/dev/null || wanted+=(nodejs npm)
    ((${#wanted[@]} > 0)) && command -v apt-get >/dev/null || return 0
    mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
    apt-get update -qq >/dev/null
    apt_install "${wanted[@]}" && return
    # One that is not to be had here keeps the others away.
    for each in "${wanted[@]}"; do
        apt_install "$each" || echo "$each could not be installed, its tests are skipped"
    done
}

apt_install() {
    DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 </dev/null
}

# Installs all that any step needs. PyTorch in this very version, as an open range may bring
# gigabytes for graphics cards along.
install() {
    install_programs
    ./dev --with dev pip install --quiet --disable-pip-version-check \
        torch==2.13.0 pytorch-optimizer && ./dev --with docs true
} </dev/null
