// Form that edits a record set in its place in the table: all its contents and its TTL. It is saved
// only if the set is still as the user saw it; a change of somebody else is shown first.
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { type ChangedDnsRecordsResponse, type DnsRecords, putRecordSet } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { fieldProblems } from '../../../lib/api.ts'
import { isChangedSince, setName, useRecordChange } from '../../../lib/dns/record-queries.ts'
import { useTypedValues } from '../../../lib/dns/typed-values.ts'
import { useFirstField } from '../../../lib/dns/use-first-field.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { focusProblem } from './focus-problem.ts'
import { TtlField, ttlOf } from './ttl-field.tsx'
import { ValueFields } from './value-fields.tsx'

const texts = recordTexts.form

type Props = {
  domain: string
  set: DnsRecords
  onSaved: (answer: ChangedDnsRecordsResponse) => void
  onClose: () => void
}

export default function EditRecord({ domain, set, onSaved, onClose }: Props) {
  const [ttl, setTtl] = useState(String(set.ttl))
  const typed = useTypedValues(set.type, set.values)
  const form = useRef<HTMLFormElement>(null)
  useFirstField(form)
  const change = useRecordChange(domain)
  const { host, type, etag } = set
  const name = setName(set)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (change.isPending) return
    const body = { ...ttlOf(ttl), values: typed.contents() }
    const headers = { 'If-Match': etag }
    change.mutate(
      {
        send: () => putRecordSet({ path: { domain, host, type }, body, headers }),
        done: () => recordTexts.done.saved(name),
      },
      { onSuccess: onSaved, onError: () => focusProblem(form.current) },
    )
  }
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  const fields = fieldProblems(change.error)
  const isOfField = fields.ttl !== undefined || fields.values !== undefined
  return (
    <form
      ref={form}
      aria-label={texts.edit(name)}
      onSubmit={submit}
      onKeyDown={cancel}
      className="flex flex-col gap-4 bg-sunken p-4 sm:p-5"
    >
      <p className="font-mono text-sm font-medium break-all">{name}</p>
      {isChangedSince(change.error) && <ChangedMeanwhile domain={domain} set={set} />}
      <ValueFields typed={typed} problemOf={(at) => fields[`values.${at}`]} />
      <div className="sm:max-w-72">
        <TtlField value={ttl} present={set.ttl} problem={fields.ttl} onChange={setTtl} />
      </div>
      {change.isError && !isOfField && !isChangedSince(change.error) && (
        <ErrorNotice error={change.error} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={change.isPending}>
          {texts.save}
        </Button>
        <Button onClick={onClose}>{texts.cancel}</Button>
      </div>
    </form>
  )
}
