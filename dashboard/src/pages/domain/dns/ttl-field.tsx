// The time that answers of a record set are kept; '' is as it is, or the usual time.
import { LabelledSelect } from '../../../components/forms/labelled-select.tsx'
import { formatTtl, usualTtls } from '../../../lib/dns/ttl.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'

const texts = recordTexts.form

type Props = {
  value: string
  /** Of a set that is there. */
  present?: number
  problem: string | undefined
  onChange: (value: string) => void
}

export function TtlField({ value, present, problem, onChange }: Props) {
  const seconds = [...new Set([...usualTtls, ...(present === undefined ? [] : [present])])]
  const options = seconds
    .toSorted((one, other) => one - other)
    .map((one) => ({ value: String(one), label: formatTtl(one) }))
  const usual = present === undefined ? [{ value: '', label: texts.usual }] : []
  return (
    <LabelledSelect
      label={texts.ttl}
      hint={texts.ttlHint}
      problem={problem}
      value={value}
      options={[...usual, ...options]}
      onChange={onChange}
    />
  )
}

/** As a request has it. */
export const ttlOf = (value: string) => (value === '' ? {} : { ttl: Number(value) })
