// Delayed state: an answer within 150 ms shows no skeleton, which would only flicker.
import { useEffect, useState } from 'react'

export function useDelayed(wait_ms = 150): boolean {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), wait_ms)
    return () => clearTimeout(timer)
  }, [wait_ms])
  return isDue
}
