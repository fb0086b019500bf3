// Contacts: the list, and dialogs to add, change and delete one.
import { type ReactNode, useState } from 'react'
import type { ContactHandleResponse } from 'sdk'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Icon } from '../../components/icon.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PartPlace } from '../../components/part-place.tsx'
import { RegistrantNotice } from '../../components/registrant-notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { LongList } from '../../components/table/long-list.tsx'
import { useAccount } from '../../lib/account.ts'
import { useContacts, useContactUses } from '../../lib/contact-queries.ts'
import { earlyPart } from '../../lib/parts/lazy-part.ts'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { contactTexts as texts } from '../../messages/contact-texts.ts'
import { defaultRoles } from './default-roles.ts'

const EditDialog = earlyPart(() => import('./edit-dialog.tsx'))
const DeleteDialog = earlyPart(() => import('./delete-dialog.tsx'))

type Open = { do: 'add' } | { do: 'edit' | 'delete'; contact: ContactHandleResponse } | null

export default function ContactsPage() {
  const { data, isPending, isError, error, refetch } = useContacts()
  const [open, setOpen] = useState<Open>(null)
  const uses = useContactUses()
  const close = () => setOpen(null)
  const add = (
    <Button look="primary" onClick={() => setOpen({ do: 'add' })}>
      <Icon name="plus" />
      {texts.add}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        actions={data?.length === 0 ? null : add}
      />
      {isPending && <Skeleton lines={6} />}
      {isError && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <NoContacts action={add} />}
      <RegistrantNotice isContactsPage />
      {data && data.length > 0 && (
        <LongList
          items={data}
          total={data.length}
          textOf={searchText}
          searchLabel={texts.search}
          render={(contact) => (
            <ContactRow
              key={contact.id}
              contact={contact}
              domains={uses?.get(contact.id) ?? []}
              onOpen={setOpen}
            />
          )}
        />
      )}
      <PartPlace>
        {(open?.do === 'add' || open?.do === 'edit') && (
          <EditDialog
            contact={open.do === 'edit' ? open.contact : null}
            isFirst={data?.length === 0}
            onClose={close}
          />
        )}
        {open?.do === 'delete' && (
          <DeleteDialog
            contact={open.contact}
            domains={uses?.get(open.contact.id) ?? []}
            onEdit={() => setOpen({ do: 'edit', contact: open.contact })}
            onClose={close}
          />
        )}
      </PartPlace>
    </>
  )
}

function searchText({ name, handle, company_name, email }: ContactHandleResponse): string {
  return [name, handle, company_name, email].join(' ')
}

type RowProps = {
  contact: ContactHandleResponse
  /** The domains that use the contact. */
  domains: readonly string[]
  onOpen: (open: Open) => void
}

function ContactRow({ contact, domains, onOpen }: RowProps) {
  const { name, handle, company_name, email, city, country } = contact
  const roles = defaultRoles.filter((role) => contact[role])
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 grow basis-56">
        <p className="truncate font-medium">
          {name}
          {company_name && <span className="text-muted"> · {company_name}</span>}
        </p>
        <p className="truncate text-sm text-muted">
          {email} · {city}, {country} · <span className="font-mono">{handle}</span>
        </p>
        <p className="truncate text-sm text-muted" title={domains.join(', ')}>
          {texts.usedBy(domains)}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {roles.map((role) => (
          <Badge key={role} tone="accent">
            {texts.default(texts.roles[role])}
          </Badge>
        ))}
      </div>
      <div className="flex gap-2">
        <Button
          size="sm"
          aria-label={texts.editOf(name)}
          onClick={() => onOpen({ do: 'edit', contact })}
        >
          {texts.edit}
        </Button>
        <Button
          size="sm"
          look="ghost"
          aria-label={texts.removeOf(name)}
          onClick={() => onOpen({ do: 'delete', contact })}
        >
          {texts.remove}
        </Button>
      </div>
    </li>
  )
}

function NoContacts({ action }: { action: ReactNode }) {
  const { base_url } = useServiceUrls()
  const { id } = useAccount()
  const curl = `curl ${base_url}/v1/customers/${id}/contacts \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name":"Ada Lovelace","email":"ada@example.net","address":"12 Example Street",
       "city":"London","state":"England","country":"GB","zip":"SW1A 1AA",
       "phone_country_code":"+44","phone_number":"2079460123","default_registrant":true}'`
  return <EmptyState icon="contact" {...texts.empty} action={action} curl={curl} />
}
