// Empty state: a sentence, the next step, and the same step as a curl command.
import type { ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'
import { Icon, type IconName } from './icon.tsx'

type Props = { icon: IconName; title: string; text: string; action?: ReactNode; curl?: string }

export function EmptyState({ icon, title, text, action, curl }: Props) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-3 px-5 py-12 text-center">
      <span className="rounded-full bg-accent-soft p-3 text-accent-ink">
        <Icon name={icon} className="size-5" />
      </span>
      <p className="text-lg font-semibold">{title}</p>
      <p className="text-muted">{text}</p>
      {action}
      {curl && (
        <div className="mt-2 w-full">
          <CodeBlock code={curl} label="curl" />
        </div>
      )}
    </div>
  )
}
