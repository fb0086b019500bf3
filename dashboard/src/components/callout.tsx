// Callout: a fact about the page's object, or a step that the user should take.
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  tone?: 'accent' | 'good' | 'warn' | 'bad'
  icon?: IconName
  title: string
  children?: ReactNode
}

const looks = {
  accent: ['bg-accent-soft', 'text-accent-ink'],
  good: ['bg-good-soft', 'text-good'],
  warn: ['bg-warn-soft', 'text-warn'],
  bad: ['bg-bad-soft', 'text-bad'],
} as const

export function Callout({ tone = 'accent', icon = 'alert', title, children }: Props) {
  const [fill, ink] = looks[tone]
  return (
    <section aria-label={title} className={`flex gap-3 rounded-xl px-4 py-3.5 ${fill}`}>
      <Icon name={icon} className={`mt-0.5 size-4 ${ink}`} />
      <div className="min-w-0 grow">
        <p className={`font-medium ${ink}`}>{title}</p>
        {children}
      </div>
    </section>
  )
}
