// Fields of the contents of one record set: a row of fields for each content, which depend on the
// type.
import { Button } from '../../../components/button.tsx'
import { Field, TextArea } from '../../../components/field.tsx'
import { LabelledSelect } from '../../../components/forms/labelled-select.tsx'
import { Icon } from '../../../components/icon.tsx'
import type { TypedValue, TypedValues } from '../../../lib/dns/typed-values.ts'
import type { Part } from '../../../lib/dns/value-forms.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'

const texts = recordTexts.form

type Props = { typed: TypedValues; problemOf: (at: number) => string | undefined }

export function ValueFields({ typed, problemOf }: Props) {
  const { form, values, add, remove } = typed
  return (
    <>
      {values.map((value, at) => (
        <div key={value.id} className="flex items-start gap-2">
          <Parts typed={typed} value={value} at={at} problem={problemOf(at)} />
          {values.length > 1 && (
            <button
              type="button"
              aria-label={texts.removeValue(at + 1)}
              onClick={() => remove(value.id)}
              className="mt-7 rounded-md p-2 text-muted hover:bg-sunken hover:text-ink"
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      {!form.isSingle && (
        <Button size="sm" look="ghost" className="self-start" onClick={add}>
          <Icon name="plus" className="size-3.5" />
          {texts.another}
        </Button>
      )}
    </>
  )
}

type PartsProps = {
  typed: TypedValues
  value: TypedValue
  at: number
  problem: string | undefined
}

function Parts({ typed, value, at, problem }: PartsProps) {
  const { parts } = typed.form
  // The service refuses a content as a whole, and a missing part is the most likely reason.
  const missing = value.parts.findIndex((one) => one.trim() === '')
  const longest = parts.findLastIndex((one) => !one.isNumber)
  const faulty = missing === -1 ? longest : missing
  return (
    <div className="flex min-w-0 grow flex-wrap items-start gap-3">
      {parts.map((part, index) => (
        <div key={part.label} className={part.isNumber ? 'w-24 grow-0' : 'min-w-0 grow basis-48'}>
          <PartField
            part={{ ...part, label: texts.valueAt(part.label, at) }}
            problem={index === faulty ? problem : undefined}
            value={value.parts[index] ?? ''}
            onChange={(text) => typed.edit(value.id, index, text)}
          />
        </div>
      ))}
    </div>
  )
}

type PartProps = {
  part: Part
  problem: string | undefined
  value: string
  onChange: (text: string) => void
}

function PartField({ part, problem, value, onChange }: PartProps) {
  const { label, hint, placeholder, isNumber, isLong, options } = part
  if (options) return <LabelledSelect {...{ label, problem, value, options, onChange }} />
  const common = { label, problem, value, ...(hint && { hint }) }
  if (isLong)
    return (
      <TextArea {...common} rows={2} onChange={(event) => onChange(event.currentTarget.value)} />
    )
  return (
    <Field
      {...common}
      {...(placeholder && { placeholder })}
      {...(isNumber && { inputMode: 'numeric' })}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
