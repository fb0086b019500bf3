// Preloaded into the service: SIGUSR2 starts its CPU profile, and the next one writes it to
// PROFILE_FILE.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: 500 })

let running = false
process.on('SIGUSR2', () => {
  running = !running
  if (running) return session.post('Profiler.start')
  session.post('Profiler.stop', (error, answer) => {
    if (error) throw error
    writeFileSync(process.env.PROFILE_FILE ?? '', JSON.stringify(answer.profile))
  })
})
