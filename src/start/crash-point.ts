// Named crash points: none unless a test's setting arms one, which production refuses (config.ts).

/**
 * Returns a function to call at each named step: at the armed one it kills this process, as a power
 * cut would.
 */
export function crashPoint(armed: string): (reached: string) => void {
  return (reached) => {
    if (reached === armed) process.kill(process.pid, 'SIGKILL')
  }
}
