// No protection removed: the node stops at its crash point (SIGSTOP), once, in place of dying, and
// can continue after its lease has expired. Imports nothing of ours, so that the bundle runs.
const kill = process.kill.bind(process)
let frozen = false

process.kill = (pid, signal) => {
  if (pid !== process.pid || signal !== 'SIGKILL') return kill(pid, signal)
  if (!frozen) kill(pid, 'SIGSTOP')
  frozen = true
  return true
}
