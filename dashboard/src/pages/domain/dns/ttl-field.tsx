// Field of the TTL of a record set; '' keeps the present TTL, or means the usual one for a new set.
import { LabelledSelect } from '../../../components/forms/labelled-select.tsx'
import { formatTtl, usualTtls } from '../../../lib/dns/ttl.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'

const texts = recordTexts.form

type Props = {
  value: string
  /** The TTL of an existing set. */
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

/** The TTL as a member of a request. */
export const ttlOf = (value: string) => (value === '' ? {} : { ttl: Number(value) })
