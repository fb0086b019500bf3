// Fields of the limits of an API key or an app: budget, highest price, TLDs, domains, networks, DNS
// records.
import type { ReactNode } from 'react'
import { formatMoney } from '../../lib/format.ts'
import {
  inCurrency,
  type LimitDraft,
  type LimitProblems,
  type Outside,
  type SpendWindow,
} from '../../lib/limits/limit-draft.ts'
import { centsOf } from '../../lib/money/amounts.ts'
import { currencies } from '../../lib/money/balance-queries.ts'
import { limitTexts } from '../../messages/account/limit-texts.ts'
import { Field, inputClass, Labelled, TextArea } from '../field.tsx'
import { Select } from '../forms/select.tsx'
import { RadioChips } from '../payment/radio-chips.tsx'

const texts = limitTexts.form
const common_amounts = ['20.00', '50.00', '200.00'] as const

const currencyOptions = currencies.map((value) => ({ value, label: value }))
const windows: readonly SpendWindow[] = ['day', 'month', 'total']
const outsides: readonly Outside[] = ['refuse', 'ask']
const outsideOptions = outsides.map((value) => ({ value, label: texts.outsides[value] }))
const windowOptions = windows.map((value) => ({ value, label: texts.windows[value] }))

type Props = {
  draft: LimitDraft
  problems: LimitProblems
  onChange: (draft: LimitDraft) => void
}

export function LimitFields({ draft, problems, onChange }: Props) {
  const change = (changed: Partial<LimitDraft>) => onChange({ ...draft, ...changed })
  return (
    <>
      <SpendFields draft={draft} problem={problems.spend_limit} onChange={onChange} />
      <AmountField
        label={texts.price}
        value={draft.price}
        problem={problems.max_price}
        onChange={(price) => change({ price })}
      >
        <Select
          label={texts.priceCurrency}
          value={draft.price_currency}
          options={currencyOptions}
          onChange={(price_currency) => change({ price_currency })}
        />
      </AmountField>
      <AmountField
        label={texts.ask}
        hint={texts.askHint}
        value={draft.ask_above}
        problem={problems.approval_above}
        onChange={(ask_above) => change({ ask_above })}
      >
        <span className="self-center text-muted">{draft.currency}</span>
      </AmountField>
      <DomainFields draft={draft} problems={problems} onChange={onChange} />
      <TextArea
        label={texts.ips}
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        value={draft.allowed_ips}
        hint={texts.ipsHint}
        problem={problems.allowed_ips}
        onChange={(event) => change({ allowed_ips: event.currentTarget.value })}
      />
      <DnsFields draft={draft} problems={problems} onChange={onChange} />
    </>
  )
}

function DomainFields({ draft, problems, onChange }: Props) {
  const change = (changed: Partial<LimitDraft>) => onChange({ ...draft, ...changed })
  return (
    <>
      <Field
        label={texts.tlds}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={draft.allowed_tlds}
        hint={texts.tldsHint}
        problem={problems.allowed_tlds}
        onChange={(event) => change({ allowed_tlds: event.currentTarget.value })}
      />
      <TextArea
        label={texts.domains}
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        value={draft.allowed_domains}
        hint={texts.domainsHint}
        problem={problems.allowed_domains}
        onChange={(event) => change({ allowed_domains: event.currentTarget.value })}
      />
      <Labelled label={texts.outside} problem={problems.outside_allowed}>
        {() => (
          <Select
            label={texts.outside}
            value={draft.outside}
            options={outsideOptions}
            onChange={(outside) => change({ outside })}
          />
        )}
      </Labelled>
    </>
  )
}

function DnsFields({ draft, problems, onChange }: Props) {
  return (
    <>
      <TextArea
        label={texts.dnsHosts}
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        value={draft.dns_hosts}
        hint={texts.dnsHostsHint}
        problem={problems.dns_hosts}
        onChange={(event) => onChange({ ...draft, dns_hosts: event.currentTarget.value })}
      />
      <Field
        label={texts.dnsTypes}
        autoComplete="off"
        spellCheck={false}
        value={draft.dns_types}
        hint={texts.dnsTypesHint}
        problem={problems.dns_types}
        onChange={(event) => onChange({ ...draft, dns_types: event.currentTarget.value })}
      />
    </>
  )
}

type Spend = Omit<Props, 'problems'> & { problem: string | undefined }

function SpendFields({ draft, problem, onChange }: Spend) {
  const { amount, currency, window } = draft
  const choices = [
    { value: '', label: texts.noLimit },
    ...common_amounts.map((value) => ({ value, label: formatMoney(value, currency) })),
  ]
  const chosen = choices.find(({ value }) =>
    value === '' ? amount.trim() === '' : centsOf(amount) === centsOf(value),
  )
  return (
    <>
      <AmountField
        label={texts.spend}
        hint={texts.spendHint}
        value={amount}
        problem={problem}
        onChange={(typed) => onChange({ ...draft, amount: typed })}
      >
        <Select
          label={texts.currency}
          value={currency}
          options={currencyOptions}
          onChange={(other) => onChange(inCurrency(draft, other))}
        />
        <Select
          label={texts.window}
          value={window}
          options={windowOptions}
          onChange={(other) => onChange({ ...draft, window: other })}
        />
      </AmountField>
      <RadioChips
        legend={texts.presets}
        value={chosen?.value ?? null}
        choices={choices}
        onChange={(value) => onChange({ ...draft, amount: value })}
      />
    </>
  )
}

type Amount = {
  label: string
  hint?: string
  value: string
  problem: string | undefined
  onChange: (typed: string) => void
  /** Controls that stand beside the amount. */
  children: ReactNode
}

function AmountField({ label, hint, value, problem, onChange, children }: Amount) {
  return (
    <Labelled label={label} problem={problem} {...(hint && { hint })}>
      {(control) => (
        <span className="flex flex-wrap gap-2">
          <input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            placeholder={texts.none}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            className={`${inputClass} min-w-24 grow basis-24 tabular-nums`}
          />
          {children}
        </span>
      )}
    </Labelled>
  )
}
