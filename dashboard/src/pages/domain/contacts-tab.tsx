// Contacts of one domain, by role.
import type { DomainStatusResponse } from 'sdk'
import { Link } from 'wouter'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useContacts } from '../../lib/contact-queries.ts'
import { routes } from '../../lib/routes.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'

const texts = domainPageTexts.contacts
const roles = ['registrant', 'admin', 'technical', 'billing'] as const

export default function ContactsTab({ contacts }: Pick<DomainStatusResponse, 'contacts'>) {
  const list = useContacts()
  const used = roles.flatMap((role) => {
    const id = contacts[role]
    return id === undefined ? [] : [{ role, id }]
  })
  if (used.length === 0)
    return <EmptyState icon="contact" title={texts.none} text={texts.noneText} />
  return (
    <Card title={texts.title} className="max-w-2xl">
      {list.isPending && <Skeleton lines={4} />}
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <dl className="divide-y divide-line">
          {used.map(({ role, id }) => {
            const contact = list.data.find((one) => one.id === id)
            return (
              <div key={role} className="flex items-baseline justify-between gap-6 px-5 py-3">
                <dt className="text-muted">{texts.roles[role]}</dt>
                <dd className="min-w-0 truncate text-right">
                  <Link
                    href={routes.contacts}
                    className="font-medium text-accent-ink hover:underline"
                  >
                    {contact?.name ?? id}
                  </Link>
                  {contact && <span className="block text-sm text-muted">{contact.email}</span>}
                </dd>
              </div>
            )
          })}
        </dl>
      )}
      <p className="border-t border-line px-5 py-3 text-sm text-muted">{texts.text}</p>
    </Card>
  )
}
