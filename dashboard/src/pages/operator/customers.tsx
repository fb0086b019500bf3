// Customers: a search that is sent only when the operator submits it, since each search is audited.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { CustomerToolCustomer } from 'sdk'
import { searchCustomers } from 'sdk-of-operators'
import { Link } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Pager } from '../../components/operator/pager.tsx'
import { StatusBadge } from '../../components/operator/status-badge.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatDay } from '../../lib/format.ts'
import { customersKey } from '../../lib/operator/customer-keys.ts'
import { customerPath } from '../../lib/operator/operator-routes.ts'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { customerTexts as texts } from '../../messages/operator/customer-texts.ts'

const limit = 25

export default function CustomersPage() {
  const filters = useUrlFilters()
  const [q, status] = [filters.textOf('q'), filters.textOf('status')]
  const [offset, setOffset] = useState(0)
  const customers = useQuery({
    queryKey: [customersKey, q, status, offset],
    queryFn: () =>
      answerOf(
        searchCustomers({
          query: { ...(q && { q }), ...(status && { status }), limit, offset },
        }),
      ),
  })
  const change = (name: string, value: string) => {
    setOffset(0)
    filters.set(name, value)
  }
  const list = customers.data?.customers
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <div className="mb-5 flex flex-wrap items-end gap-3">
        <SearchForm key={q} value={q} onSearch={(value) => change('q', value)} />
        <Select
          label={texts.status}
          value={status}
          options={statuses}
          onChange={(value) => change('status', value)}
        />
      </div>
      {customers.isPending && <Skeleton lines={6} />}
      {customers.isError && (
        <ErrorNotice error={customers.error} onRetry={() => void customers.refetch()} />
      )}
      {list?.length === 0 && <EmptyState icon="search" {...texts.none} />}
      {list && list.length > 0 && (
        <Card>
          <ul className="divide-y divide-line">
            {list.map((customer) => (
              <CustomerRow key={customer.id} customer={customer} />
            ))}
          </ul>
        </Card>
      )}
      <Pager
        offset={offset}
        limit={limit}
        shown={list?.length ?? 0}
        next={customers.data?.next_offset ?? null}
        onChange={setOffset}
      />
    </>
  )
}

const { all, ...words } = texts.statuses
const statuses: readonly { value: string; label: string }[] = [
  { value: '', label: all },
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
]

type SearchProps = { value: string; onSearch: (value: string) => void }

function SearchForm({ value, onSearch }: SearchProps) {
  const [text, setText] = useState(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 grow items-end gap-2 sm:max-w-md">
      <div className="min-w-0 grow">
        <Field
          label={texts.searchLabel}
          name="q"
          type="search"
          value={text}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Button type="submit">{texts.search}</Button>
    </form>
  )
}

function CustomerRow({ customer }: { customer: CustomerToolCustomer }) {
  const { id, name, company_name, email, email_verified, status, created_at } = customer
  return (
    <li className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3 hover:bg-sunken">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            href={customerPath(id)}
            className="font-medium break-words after:absolute after:inset-0"
          >
            {name}
          </Link>
          {company_name && <span className="text-muted break-words">{company_name}</span>}
          <StatusBadge status={status} />
          {!email_verified && <Badge tone="warn">{texts.unverified}</Badge>}
        </p>
        <p className="mt-0.5 text-sm text-muted break-all">{email}</p>
      </div>
      <div className="text-sm text-muted sm:text-right">
        <p className="font-mono text-xs break-all">{id}</p>
        <p className="mt-0.5">{texts.since(formatDay(created_at))}</p>
      </div>
    </li>
  )
}
