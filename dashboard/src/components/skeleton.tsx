// Skeleton: the shape of content that has been loading for 150 ms.
import { useDelayed } from '../lib/use-delayed.ts'
import { common } from '../messages/common-texts.ts'

const widths = ['w-3/4', 'w-1/2', 'w-2/3', 'w-5/6', 'w-3/5']

export function Skeleton({ lines = 3 }: { lines?: number }) {
  const isDue = useDelayed()
  if (!isDue) return null
  return (
    <div role="status" className="flex flex-col gap-3 p-5">
      <span className="sr-only">{common.loading}</span>
      {Array.from({ length: lines }, (_, at) => widths[at % widths.length] ?? 'w-1/2').map(
        (width, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are never reordered
          <div key={at} className={`h-4 animate-pulse rounded bg-line ${width}`} />
        ),
      )}
    </div>
  )
}
