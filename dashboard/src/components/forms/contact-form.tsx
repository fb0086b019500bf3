// Form of a contact: the country comes first, as it decides the states and the telephone code.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ApiError, fieldProblems } from '../../lib/api.ts'
import { type ContactFields, useCountries, useStates } from '../../lib/contact-queries.ts'
import { contactFormTexts as texts } from '../../messages/contact-form-texts.ts'
import { Button } from '../button.tsx'
import { Field, inputClass, Labelled } from '../field.tsx'
import { ErrorNotice } from '../notice.tsx'

/** Countries where the state must be one of the list; in others the list only suggests. */
const listed_states = ['AU', 'BR', 'CA', 'US']

const optional: readonly (keyof ContactFields)[] = ['company_name', 'address_line_2']

type Props = {
  initial?: Partial<ContactFields>
  /** Further fields of the request, such as the default roles. */
  also?: Partial<ContactFields>
  submit: string
  busy: boolean
  error: unknown
  onSubmit: (fields: ContactFields) => void
}

export function ContactForm({ initial = {}, also = {}, submit, busy, error, onSubmit }: Props) {
  const [country, setCountry] = useState(initial.country ?? '')
  const countries = useCountries()
  const phoneCode = countries.data?.find(({ code }) => code === country)?.phone_country_code
  const problems = fieldProblems(error)
  const field = (name: keyof ContactFields, label: string) => ({
    name,
    label,
    problem: problems[name],
    required: !optional.includes(name),
    defaultValue: String(initial[name] ?? ''),
  })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error instanceof ApiError)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit({ ...fieldsOf(new FormData(event.currentTarget)), ...also })
      }}
    >
      <p className="text-sm text-muted">{texts.required}</p>
      {error !== null && Object.keys(problems).length === 0 && <ErrorNotice error={error} />}
      <Country country={country} problem={problems.country} onChange={setCountry} />
      <AddressFields field={field} />
      <State key={country} country={country} field={field('state', texts.state)} />
      <div className="grid grid-cols-[2fr_3fr] gap-3">
        <Field
          key={String(phoneCode)}
          {...field('phone_country_code', texts.phoneCode)}
          defaultValue={initial.phone_country_code ?? String(phoneCode ?? '')}
          autoComplete="tel-country-code"
        />
        <Field {...field('phone_number', texts.phone)} autoComplete="tel-national" />
      </div>
      <div className="mt-1 flex justify-end">
        <Button type="submit" look="primary" busy={busy}>
          {busy ? texts.submitting : submit}
        </Button>
      </div>
    </form>
  )
}

type CountryProps = {
  country: string
  problem: string | undefined
  onChange: (country: string) => void
}

function Country({ country, problem, onChange }: CountryProps) {
  const countries = useCountries()
  return (
    <Choice
      label={texts.country}
      name="country"
      value={country}
      problem={problem}
      required
      autoComplete="country"
      onChange={onChange}
    >
      <option value="">{texts.chooseCountry}</option>
      {countries.data?.map(({ code, name }) => (
        <option key={String(code)} value={String(code)}>
          {String(name)}
        </option>
      ))}
    </Choice>
  )
}

type AddressProps = {
  field: (name: keyof ContactFields, label: string) => { name: string; label: string }
}

function AddressFields({ field }: AddressProps) {
  return (
    <>
      <Field {...field('name', texts.name)} autoComplete="name" hint={texts.nameHint} />
      <Field {...field('email', texts.email)} type="email" autoComplete="email" />
      <Field {...field('company_name', texts.company)} autoComplete="organization" />
      <Field {...field('address', texts.address)} autoComplete="address-line1" />
      <Field {...field('address_line_2', texts.address2)} autoComplete="address-line2" />
      <div className="grid grid-cols-[2fr_3fr] gap-3">
        <Field {...field('zip', texts.zip)} autoComplete="postal-code" />
        <Field {...field('city', texts.city)} autoComplete="address-level2" />
      </div>
    </>
  )
}

function fieldsOf(form: FormData): ContactFields {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    name: text('name'),
    email: text('email'),
    company_name: text('company_name') || null,
    address: text('address'),
    address_line_2: text('address_line_2') || null,
    city: text('city'),
    state: text('state'),
    country: text('country'),
    zip: text('zip'),
    phone_country_code: text('phone_country_code'),
    phone_number: text('phone_number'),
  }
}

type StateProps = {
  country: string
  field: {
    name: string
    label: string
    problem: string | undefined
    required: boolean
    defaultValue: string
  }
}

function State({ country, field }: StateProps) {
  const id = useId()
  const [state, setState] = useState(field.defaultValue)
  const { defaultValue: _initial, ...choice } = field
  const states = useStates(country).data ?? []
  if (!listed_states.includes(country))
    return (
      <>
        <Field {...field} hint={texts.stateHint} list={id} autoComplete="address-level1" />
        <datalist id={id}>
          {states.map(({ code, name }) => (
            <option key={String(code)} value={String(name)} />
          ))}
        </datalist>
      </>
    )
  return (
    <Choice {...choice} value={state} autoComplete="address-level1" onChange={setState}>
      <option value="">{texts.chooseState}</option>
      {states.map(({ code, name }) => (
        <option key={String(code)} value={String(code)}>
          {String(name)}
        </option>
      ))}
    </Choice>
  )
}

type ChoiceProps = {
  label: string
  name: string
  value: string
  problem: string | undefined
  required: boolean
  autoComplete: string
  onChange: (value: string) => void
  children: ReactNode
}

/** A select that looks like a field, with its message. */
function Choice({ label, problem, onChange, children, ...rest }: ChoiceProps) {
  return (
    <Labelled label={label} problem={problem}>
      {(control) => (
        <select
          {...rest}
          {...control}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={inputClass}
        >
          {children}
        </select>
      )}
    </Labelled>
  )
}
