// Address records of one domain on our own name servers: those that are there, and a form that sets
// one, which an entry of the list fills in.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type Ref, useRef, useState } from 'react'
import { configureDnsRecord, type DnsRecord, type DnsRecordSet, listDnsRecords } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf, fieldProblems } from '../../lib/api.ts'
import { recordsKey, storeDomain } from '../../lib/domains/domain-queries.ts'
import { formatAgo } from '../../lib/format.ts'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { domainPageTexts } from '../../messages/domain.ts'

const texts = domainPageTexts.record
type Typed = { host: string; record_value: string }

export function AddressRecords({ domain }: { domain: string }) {
  const [typed, setTyped] = useState<Typed>({ host: '@', record_value: '' })
  const address = useRef<HTMLInputElement>(null)
  const { data, isPending, isError, error, refetch } = useQuery({
    queryKey: recordsKey(domain),
    queryFn: () => answerOf(listDnsRecords({ path: { domain } })),
  })
  const edit = ({ host, value }: DnsRecordSet) => {
    setTyped({ host, record_value: value })
    address.current?.focus()
  }
  return (
    <Card title={texts.title}>
      {isPending && <Skeleton />}
      {isError && (
        <div className="p-5">
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data?.hosted === false && <Elsewhere records={data.records} />}
      {data?.hosted && (
        <>
          {data.records.length === 0 ? (
            <NoRecords domain={domain} />
          ) : (
            <RecordList records={data.records} onEdit={edit} />
          )}
          <RecordForm {...{ domain, typed, address }} onType={setTyped} />
        </>
      )}
    </Card>
  )
}

/** Records of a domain on other name servers are kept, so that its return serves them again. */
function Elsewhere({ records }: { records: readonly DnsRecordSet[] }) {
  const { length } = records
  return (
    <>
      <div className="p-5">
        <Callout title={length > 0 ? texts.kept(length) : texts.elsewhere}>
          <p>{length > 0 ? texts.keptText : texts.elsewhereText}</p>
        </Callout>
      </div>
      {length > 0 && <RecordList records={records} />}
    </>
  )
}

function NoRecords({ domain }: { domain: string }) {
  const { base_url } = useServiceUrls()
  const curl = `curl ${base_url}/v1/domains/${domain}/dns-record \\
  -H "Authorization: Bearer $API_KEY" \\
  --json '{"host":"@","record_value":"192.0.2.1"}'`
  return <EmptyState icon="globe" title={texts.none} text={texts.noneText} curl={curl} />
}

type ListProps = { records: readonly DnsRecordSet[]; onEdit?: (record: DnsRecordSet) => void }

function RecordList({ records, onEdit }: ListProps) {
  return (
    <ul aria-label={texts.list} className="max-h-96 divide-y divide-line overflow-y-auto">
      {records.map((record) => (
        <li key={record.host} className="flex items-center justify-between gap-4 px-5 py-3">
          <div className="min-w-0">
            <p className="flex flex-wrap gap-x-3 font-mono text-sm">
              <span className="min-w-0 font-medium break-all">{record.host}</span>
              <span>{record.value}</span>
            </p>
            <p className="text-sm text-muted">{texts.set(formatAgo(record.updated_at))}</p>
          </div>
          {onEdit && (
            <Button size="sm" aria-label={texts.editOf(record.host)} onClick={() => onEdit(record)}>
              {texts.edit}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

type FormProps = {
  domain: string
  typed: Typed
  address: Ref<HTMLInputElement>
  onType: (typed: Typed) => void
}

function RecordForm({ domain, typed, address, onType }: FormProps) {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (body: Typed) => answerOf(configureDnsRecord({ path: { domain }, body })),
    onSuccess: (answer) => storeDomain(queries, answer),
  })
  const fields = fieldProblems(change.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(typed)
  }
  return (
    <form className="flex flex-col gap-4 border-t border-line p-5" onSubmit={submit}>
      <p className="text-muted">{texts.text}</p>
      <Field
        label={texts.host}
        hint={texts.hostHint}
        problem={fields.host}
        value={typed.host}
        spellCheck={false}
        onChange={(event) => onType({ ...typed, host: event.currentTarget.value })}
      />
      <Field
        ref={address}
        label={texts.address}
        placeholder="192.0.2.1"
        inputMode="decimal"
        problem={fields.record_value}
        value={typed.record_value}
        onChange={(event) => onType({ ...typed, record_value: event.currentTarget.value })}
      />
      {change.isError && Object.keys(fields).length === 0 && <ErrorNotice error={change.error} />}
      <div role="status" className="empty:-mt-4">
        {change.data?.dns && <Served {...change.data.dns} />}
      </div>
      <Button type="submit" look="primary" busy={change.isPending} className="self-start">
        {texts.save}
      </Button>
    </form>
  )
}

function Served({ host, value, served }: DnsRecord) {
  return served === value ? (
    <Callout icon="check" title={texts.served(host, served)}>
      <p>{texts.servedText}</p>
    </Callout>
  ) : (
    <Callout tone="warn" title={texts.unserved(host)}>
      <p>{texts.unservedText}</p>
    </Callout>
  )
}
