// Layout of the pages before the log-in: one narrow column. It loads no library of components.
import type { ReactNode } from 'react'
import { common } from '../../messages/common-texts.ts'
import { PageHeader } from '../page-header.tsx'

type Props = { title: string; subtitle?: ReactNode; children: ReactNode }

export function EntryPage({ title, subtitle, children }: Props) {
  return (
    <main className="mx-auto flex min-h-[calc(100dvh-var(--band))] max-w-md flex-col justify-center px-5 py-10">
      <EntryLogo />
      <PageHeader title={title} subtitle={subtitle} />
      {children}
    </main>
  )
}

export function EntryLogo() {
  return (
    <div className="mb-6 flex items-center gap-3 text-lg font-semibold">
      <span
        className="grid size-10 place-items-center rounded-xl bg-accent font-bold text-on-accent"
        aria-hidden="true"
      >
        A
      </span>
      {common.product}
    </div>
  )
}
