// Crash points that stop the process once (SIGSTOP), until it gets SIGCONT.

export function crashPoint(armed: string | null): (reached: string) => void {
  let frozen = false
  return (reached) => {
    if (frozen || reached !== armed) return
    frozen = true
    process.kill(process.pid, 'SIGSTOP')
  }
}
