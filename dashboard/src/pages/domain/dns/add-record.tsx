// A form that adds records to one host: its fields are those of the chosen type. Records that the
// host has already stay.
import { type FormEvent, useRef, useState } from 'react'
import { type ChangedDnsRecordsResponse, changeDnsRecords } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Field } from '../../../components/field.tsx'
import { LabelledSelect } from '../../../components/forms/labelled-select.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { fieldProblems } from '../../../lib/api.ts'
import { setName, useRecordChange } from '../../../lib/dns/record-queries.ts'
import { useTypedValues } from '../../../lib/dns/typed-values.ts'
import { formTypes } from '../../../lib/dns/value-forms.ts'
import { useFocus } from '../../../lib/use-focus.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'
import { typeTexts } from '../../../messages/dns/type-texts.ts'
import { focusProblem } from './focus-problem.ts'
import { TtlField, ttlOf } from './ttl-field.tsx'
import { ValueFields } from './value-fields.tsx'

const texts = recordTexts.form
const other = 'other'
const typeNames: Readonly<Record<string, string>> = typeTexts.names
const types = [...formTypes, other].map((type) => ({ value: type, label: typeNames[type] ?? type }))

type Props = {
  domain: string
  onAdded: (answer: ChangedDnsRecordsResponse) => void
  onClose: () => void
}

export default function AddRecord({ domain, onAdded, onClose }: Props) {
  const [host, setHost] = useState('@')
  const [chosen, choose] = useState('A')
  const [number, setNumber] = useState('TYPE')
  const [ttl, setTtl] = useState('')
  const typed = useTypedValues(chosen, [])
  const form = useRef<HTMLFormElement>(null)
  const first = useFocus<HTMLInputElement>()
  const change = useRecordChange(domain)
  const type = chosen === other ? number.trim() : chosen
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (change.isPending) return
    const place = { host: host.trim(), type, ...ttlOf(ttl) }
    const add = typed.contents().map((value) => ({ ...place, value }))
    change.mutate(
      {
        send: () => changeDnsRecords({ path: { domain }, body: { add } }),
        done: () => recordTexts.done.added(setName(place)),
      },
      { onSuccess: onAdded, onError: () => focusProblem(form.current) },
    )
  }
  const fields = fieldProblems(change.error)
  const problemOf = (name: string) =>
    typed.values.map((_, at) => fields[`add.${at}.${name}`]).find((one) => one !== undefined)
  const isOfField = ['host', 'type', 'ttl', 'value'].some((name) => problemOf(name) !== undefined)
  return (
    <Card title={texts.add}>
      <form ref={form} onSubmit={submit} className="flex flex-col gap-4 p-5">
        <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <Field
            ref={first}
            label={texts.host}
            hint={texts.hostHint}
            problem={problemOf('host')}
            value={host}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="none"
            onChange={(event) => setHost(event.currentTarget.value)}
          />
          <LabelledSelect
            label={texts.type}
            problem={chosen === other ? undefined : problemOf('type')}
            value={chosen}
            options={types}
            onChange={(value) => {
              choose(value)
              typed.begin(value)
              change.reset()
            }}
          />
          <TtlField value={ttl} problem={problemOf('ttl')} onChange={setTtl} />
          {chosen === other && (
            <Field
              label={texts.number}
              placeholder="TYPE257"
              problem={problemOf('type')}
              value={number}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setNumber(event.currentTarget.value)}
            />
          )}
        </div>
        <ValueFields typed={typed} problemOf={(at) => fields[`add.${at}.value`]} />
        {change.isError && !isOfField && <ErrorNotice error={change.error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={change.isPending}>
            {recordTexts.add}
          </Button>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </div>
      </form>
    </Card>
  )
}
