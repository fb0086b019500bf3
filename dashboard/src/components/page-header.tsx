// Page header: the one h1 of a page. A route change sets the document's title, scrolls to the top
// and moves the focus here, so that screen readers announce the new page.
import { type ReactNode, useEffect, useRef } from 'react'
import { common } from '../messages/common-texts.ts'

let isFirst = true

type Props = { title: string; subtitle?: ReactNode; actions?: ReactNode }

export function PageHeader({ title, subtitle, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The first page needs no focus, since the browser itself announces it.
    if (!isFirst) {
      scrollTo(0, 0)
      heading.current?.focus({ preventScroll: true })
    }
    isFirst = false
  }, [])
  useEffect(() => {
    document.title = `${title} · ${common.product}`
  }, [title])
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold">
          {title}
        </h1>
        {subtitle && <p className="mt-1 text-muted">{subtitle}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  )
}
