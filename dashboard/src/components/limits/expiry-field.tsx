// Expiry of an API key: after a usual time, at the end of a day, or never.
import { formatMoment } from '../../lib/format.ts'
import type { ExpiryChoice, ExpiryDraft } from '../../lib/limits/expiry-draft.ts'
import { limitTexts } from '../../messages/account/limit-texts.ts'
import { Field } from '../field.tsx'
import { SelectRow } from '../forms/select.tsx'

const texts = limitTexts.form
const choices = ['never', '30', '90', '365', 'day'] as const

type Props = {
  draft: ExpiryDraft
  /** The present expiry of the key, or null if it has none. */
  old: string | null
  problem: string | undefined
  onChange: (draft: ExpiryDraft) => void
}

export function ExpiryField({ draft, old, problem, onChange }: Props) {
  const usual = choices.map((value) => ({ value, label: texts.expiries[value] }))
  const options: { value: ExpiryChoice; label: string }[] =
    old === null ? usual : [{ value: 'kept', label: texts.kept(formatMoment(old)) }, ...usual]
  return (
    <>
      <SelectRow
        label={texts.expiry}
        value={draft.choice}
        options={options}
        onChange={(choice) => onChange({ ...draft, choice })}
      />
      {draft.choice === 'day' ? (
        <Field
          label={texts.day}
          type="date"
          value={draft.day}
          problem={problem}
          onChange={(event) => onChange({ ...draft, day: event.currentTarget.value })}
        />
      ) : (
        problem && (
          <p role="alert" className="text-sm text-bad">
            {problem}
          </p>
        )
      )}
    </>
  )
}
