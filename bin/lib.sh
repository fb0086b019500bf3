# Shared by the scripts of bin/: changes to the project's folder and finds a Node that runs
# TypeScript. It is sourced, never run, and sets `caller` (the folder of the caller), `root` and
# `node`.
caller=$(pwd)
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root" || exit 1

major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
if [ "$major" -ge 24 ]; then
  node=node
elif [ -x node_modules/.bin/node ]; then
  node=$root/node_modules/.bin/node
else
  echo "No Node 24 or newer here. Run: npm ci" >&2
  exit 1
fi
# Keeps stripped and compiled modules, so that a second run starts in half the time.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/node_modules/.cache/compiled}"

# For a program without options, because a mistyped option must not look like a success.
no_options() {
  [ $# -eq 0 ] && return
  echo "$0 takes no options: $1" >&2
  exit 2
}
