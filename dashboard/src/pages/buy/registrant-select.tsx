// Choice of the registrant of a new domain: the default one first, any other contact instead.
import { useState } from 'react'
import { SelectRow } from '../../components/forms/select.tsx'
import { useContacts } from '../../lib/contact-queries.ts'
import { buyTexts } from '../../messages/buy-texts.ts'

const texts = buyTexts.checkout

/** `registrant` is undefined if the account has no contact, or while the default is unknown. */
export function useRegistrant() {
  const { data, isPending } = useContacts()
  const [chosen, choose] = useState<number | null>(null)
  const usual = data?.find((one) => one.default_registrant) ?? data?.[0]
  return { isKnown: !isPending, registrant: chosen ?? usual?.id, choose }
}

type Props = { registrant: number | undefined; onChange: (contact: number) => void }

export function RegistrantSelect({ registrant, onChange }: Props) {
  const contacts = useContacts().data ?? []
  if (registrant === undefined) return null
  const options = contacts.map(({ id, name, handle }) => ({
    value: String(id),
    label: texts.nameOf(name, handle),
  }))
  return (
    <SelectRow
      label={texts.registrant}
      value={String(registrant)}
      options={options}
      onChange={(value) => onChange(Number(value))}
    />
  )
}
