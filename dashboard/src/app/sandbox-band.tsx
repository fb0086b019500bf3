// Band at the top of every page of a sandbox, which says that nothing is real.
import { useLayoutEffect } from 'react'
import { useIsSandbox } from '../lib/sign-in/service-facts.ts'
import { common } from '../messages/common-texts.ts'

const texts = common.sandbox

/** Bars that stick to the top of the page begin below it (tokens.css). */
export function SandboxBand() {
  const isSandbox = useIsSandbox()
  // Runs before the browser paints the band, so that nothing moves afterwards.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-sandbox', isSandbox)
  }, [isSandbox])
  if (!isSandbox) return null
  return (
    <aside
      aria-label={texts.label}
      className="sticky top-0 z-30 flex h-(--band) items-center justify-center gap-2 overflow-hidden bg-warn-soft px-4 text-sm whitespace-nowrap text-warn"
    >
      <span className="font-semibold">{texts.label}</span>
      <span className="truncate">{texts.text}</span>
    </aside>
  )
}
