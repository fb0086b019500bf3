// Countdown in whole seconds. It counts from this browser's clock, which may differ from the
// service's.
import { useEffect, useState } from 'react'

/** Seconds left of `duration_s` since `started_at` (milliseconds); 0 at the end. */
export function useCountdown(started_at: number, duration_s: number): number {
  const leftNow = () => Math.max(0, Math.ceil((started_at - Date.now()) / 1_000 + duration_s))
  const [left_s, setLeft] = useState(leftNow)
  useEffect(() => {
    const show = () => setLeft(leftNow())
    show()
    const timer = setInterval(show, 500)
    return () => clearInterval(timer)
  })
  return left_s
}
