// Runs the service under Node's watcher in a separate process group. In our own group, Ctrl-C would
// reach the service twice, from the terminal and from the watcher, and the second signal stops it
// at once, with its database left running.
import { spawn } from 'node:child_process'

const words = ['--watch', 'src/main.ts', ...process.argv.slice(2)]
const watcher = spawn(process.execPath, words, {
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true,
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => watcher.kill('SIGTERM'))
watcher.on('exit', (code) => {
  process.exitCode = code ?? 1
})
