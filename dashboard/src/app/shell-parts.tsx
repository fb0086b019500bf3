// Parts of the shells of owners and of operators.
import { useEffect, useState } from 'react'
import { PartPlace } from '../components/part-place.tsx'
import { earlyPart } from '../lib/parts/lazy-part.ts'
import { onFirstToast } from '../lib/toasts.ts'
import { common } from '../messages/common-texts.ts'

const ToastList = earlyPart(() => import('../components/toast-list.tsx'))

export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
    >
      {common.skip}
    </a>
  )
}

export function Toasts() {
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => onFirstToast(() => setNeeded(true)), [])
  return (
    isNeeded && (
      <PartPlace>
        <ToastList />
      </PartPlace>
    )
  )
}
