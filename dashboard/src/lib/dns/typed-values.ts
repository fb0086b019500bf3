// Contents of a record set while they are typed. A content that was not edited is sent unchanged,
// whatever its fields show.
import { useState } from 'react'
import { type ValueForm, valueForm } from './value-forms.ts'

export type TypedValue = {
  id: number
  parts: readonly string[]
  /** The content that its fields showed at first, or null if it is new. */
  kept: { value: string; parts: readonly string[] } | null
}

let last_id = 0
const nextId = () => {
  last_id += 1
  return last_id
}

const emptyValue = (form: ValueForm): TypedValue => ({
  id: nextId(),
  parts: form.empty,
  kept: null,
})

function typedValue(form: ValueForm, value: string): TypedValue {
  const parts = form.split(value) ?? [value]
  return { id: nextId(), parts, kept: { value, parts } }
}

function contentOf(form: ValueForm, { parts, kept }: TypedValue): string {
  return kept && kept.parts.join('\n') === parts.join('\n') ? kept.value : form.join(parts)
}

type State = { form: ValueForm; values: readonly TypedValue[] }

function stateOf(type: string, values: readonly string[]): State {
  const form = valueForm(type, values)
  const typed = values.map((value) => typedValue(form, value))
  return { form, values: typed.length > 0 ? typed : [emptyValue(form)] }
}

export type TypedValues = ReturnType<typeof useTypedValues>

export function useTypedValues(type: string, present: readonly string[]) {
  const [{ form, values }, setState] = useState(() => stateOf(type, present))
  const set = (next: readonly TypedValue[]) => setState({ form, values: next })
  return {
    form,
    values,
    contents: () => values.map((one) => contentOf(form, one)),
    begin: (other: string) => setState(stateOf(other, [])),
    edit: (id: number, part: number, text: string) =>
      set(
        values.map((one) => (one.id === id ? { ...one, parts: one.parts.with(part, text) } : one)),
      ),
    add: () => set([...values, emptyValue(form)]),
    remove: (id: number) => set(values.filter((one) => one.id !== id)),
  }
}
