// A form that adds records to one host, with the fields of the chosen type. The existing records of
// the host stay.
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
  const form = useRef<HTMLFormElement>(null)
  const addition = useAddition(domain)
  const { typed, change, problems } = addition
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (change.isPending) return
    addition.send({ onSuccess: onAdded, onError: () => focusProblem(form.current) })
  }
  const isOfField = ['host', 'type', 'ttl', 'value'].some(
    (name) => problems.ofAny(name) !== undefined,
  )
  return (
    <Card title={texts.add}>
      <form ref={form} onSubmit={submit} className="flex flex-col gap-4 p-5">
        <PlaceFields {...addition} problemOf={problems.ofAny} />
        <ValueFields typed={typed} problemOf={problems.ofValue} />
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

type Place = { host: string; chosen: string; number: string; ttl: string }
type Then = { onSuccess: (answer: ChangedDnsRecordsResponse) => void; onError: () => void }

/** The values of the form, and the request that adds the records. */
function useAddition(domain: string) {
  const [place, setPlace] = useState<Place>({ host: '@', chosen: 'A', number: 'TYPE', ttl: '' })
  const typed = useTypedValues(place.chosen, [])
  const change = useRecordChange(domain)
  const send = (then: Then) => {
    const type = place.chosen === other ? place.number.trim() : place.chosen
    const sent = { host: place.host.trim(), type, ...ttlOf(place.ttl) }
    const add = typed.contents().map((value) => ({ ...sent, value }))
    change.mutate(
      {
        send: () => changeDnsRecords({ path: { domain }, body: { add } }),
        done: () => recordTexts.done.added(setName(sent)),
      },
      then,
    )
  }
  const fields = fieldProblems(change.error)
  return {
    ...{ place, typed, change, send },
    edit: (part: Partial<Place>) => setPlace({ ...place, ...part }),
    choose: (chosen: string) => {
      setPlace({ ...place, chosen })
      typed.begin(chosen)
      change.reset()
    },
    problems: {
      ofValue: (at: number) => fields[`add.${at}.value`],
      /** The first problem with a field of this name, in any of the records. */
      ofAny: (name: string) =>
        typed.values.map((_, at) => fields[`add.${at}.${name}`]).find((one) => one !== undefined),
    },
  }
}

type PlaceProps = {
  place: Place
  edit: (part: Partial<Place>) => void
  choose: (type: string) => void
  problemOf: (name: string) => string | undefined
}

function PlaceFields({ place, edit, choose, problemOf }: PlaceProps) {
  const { host, chosen, number, ttl } = place
  const first = useFocus<HTMLInputElement>()
  return (
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
        onChange={(event) => edit({ host: event.currentTarget.value })}
      />
      <LabelledSelect
        label={texts.type}
        problem={chosen === other ? undefined : problemOf('type')}
        value={chosen}
        options={types}
        onChange={choose}
      />
      <TtlField value={ttl} problem={problemOf('ttl')} onChange={(typed) => edit({ ttl: typed })} />
      {chosen === other && (
        <Field
          label={texts.number}
          placeholder="TYPE257"
          problem={problemOf('type')}
          value={number}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => edit({ number: event.currentTarget.value })}
        />
      )}
    </div>
  )
}
