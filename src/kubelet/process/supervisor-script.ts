/**
 * The program that stands over one container: fixed text, everything that comes from a manifest reaches it as arguments.
 * `$1` is the run's directory, `$2` how many cgroup.procs files to join, then these files, the rest is the program.
 *
 * - The claim is created exclusively, so of a supervisor that was just starting and a new home that found no claim only
 *   one wins, and no program runs twice.
 * - The program runs in the foreground: a shell starts background commands with SIGINT ignored, and that is inherited.
 * - Handlers that do nothing, unlike ignored signals, are not inherited, and keep the supervisor waiting.
 * - The shell's own words ("Killed") must not reach the log.
 * - `end.new` is there from the start and written in place, so that a full disk does not lose the exit code; its time of
 *   writing is the time of the end.
 * - Both streams go to one file, each through an opening of its own: how far the second has come, where the system tells
 *   it, says whether anything was written to it.
 */
export const supervisorScript = `
run=$1 groups=$2
shift 2
exec 3>&1 4>&2 >/dev/null 2>&1
trap : HUP INT QUIT TERM USR1 USR2 PIPE ALRM
set -C
echo $$ >"$run/claim" || exit 0
set +C
(
  while [ "$groups" -gt 0 ]; do
    echo 0 >"$1"
    groups=$((groups - 1))
    shift
  done
  exec "$@" >&3 2>&4 3>&- 4>&-
)
code=$?
errors=
read -r _ errors </proc/self/fdinfo/4
echo "$code $errors" 1<>"$run/end.new"
command -p mv -f "$run/end.new" "$run/end"
`
