// Detection of an unattended page: a list that refreshes itself stops while the operator does not
// use the page, so that the session of an unattended screen expires (decision 59).
import { useEffect, useState } from 'react'

const unattended_ms = 10 * 60_000
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

export function useAttended(): boolean {
  const [isAttended, setAttended] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const note = () => {
      clearTimeout(timer)
      setAttended(true)
      timer = setTimeout(() => setAttended(false), unattended_ms)
    }
    note()
    for (const sign of signs) addEventListener(sign, note, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of signs) removeEventListener(sign, note)
    }
  }, [])
  return isAttended
}
