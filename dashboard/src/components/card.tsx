// Card: a titled part of a page.
import { type ReactNode, useId } from 'react'

type Props = { title?: string; action?: ReactNode; children: ReactNode; className?: string }

export function Card({ title, action, children, className = '' }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={`min-w-0 rounded-xl border border-line bg-surface shadow-card ${className}`}
    >
      {title && (
        <header className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {action}
        </header>
      )}
      {children}
    </section>
  )
}
