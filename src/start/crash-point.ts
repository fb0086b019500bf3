// Named crash points: none unless a test's setting arms one, which production refuses (config.ts).

/**
 * Returns what to call at each named step: it kills this process, as a power cut would, at the
 * armed one.
 */
export function crashPoint(armed: string): (reached: string) => void {
  return (reached) => {
    if (reached === armed) process.kill(process.pid, 'SIGKILL')
  }
}
