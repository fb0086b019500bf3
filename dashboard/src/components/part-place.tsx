// The place of a part that is loaded when it is needed. It shows a skeleton, and after a failed
// fetch a message with the next attempt; the rest of the page stays.
import { type ReactNode, Suspense } from 'react'
import { fetchMissingParts, useIsPartMissing } from '../lib/parts/lazy-part.ts'
import { common } from '../messages/common-texts.ts'
import { Button } from './button.tsx'

type Props = {
  /** Shown while the part loads; without it nothing is. */
  skeleton?: ReactNode
  /** Whether the part is the page itself, whose heading is then missing, too. */
  isPage?: boolean
  children: ReactNode
}

export function PartPlace({ skeleton = null, isPage = false, children }: Props) {
  return <Suspense fallback={<Waiting isPage={isPage}>{skeleton}</Waiting>}>{children}</Suspense>
}

const texts = common.missingPart

function Waiting({ isPage, children }: { isPage: boolean; children: ReactNode }) {
  const isMissing = useIsPartMissing()
  if (!isMissing) return children
  const Title = isPage ? 'h1' : 'p'
  return (
    <div role="alert" className="rounded-lg bg-warn-soft px-4 py-3">
      <Title className="font-medium text-warn">{texts.title}</Title>
      <p>{texts.text}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={fetchMissingParts}>
          {texts.now}
        </Button>
        <Button size="sm" look="ghost" onClick={() => location.reload()}>
          {texts.reload}
        </Button>
      </div>
    </div>
  )
}
