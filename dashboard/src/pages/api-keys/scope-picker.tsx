// Selection of scopes: a preset, or single scopes in groups that open.
import { presetNames, scopeTexts as texts } from '../../../../shared/scopes.ts'
import { Badge } from '../../components/badge.tsx'
import { Icon } from '../../components/icon.tsx'
import { formatMoney } from '../../lib/format.ts'
import { useBalances } from '../../lib/money/balance-queries.ts'
import {
  includingScope,
  isSensitiveScope,
  presetOf,
  presets,
  type Scope,
  scopeGroups,
  withScope,
  wordsOfScope,
} from '../../lib/scopes.ts'
import { limitTexts } from '../../messages/account/limit-texts.ts'
import { apiKeyTexts } from '../../messages/api-key-texts.ts'

type Choice = { value: readonly Scope[]; onChange: (scopes: Scope[]) => void }
/**
 * `limit` is the budget of the key in words, or null if it may spend everything. `above` is the
 * amount in words above which it asks before a purchase, or null if it never asks.
 */
type Limits = { limit: string | null; above: string | null }
type Props = Choice & Limits

export function ScopePicker({ value, limit, above, onChange }: Props) {
  const preset = presetOf(value)
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{texts.permissions}</legend>
      {presetNames.map((name) => (
        <label
          key={name}
          className="flex cursor-pointer items-start gap-3 rounded-lg border border-line px-3 py-2.5 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name="preset"
            checked={preset === name}
            onChange={() => onChange([...presets[name]])}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="block font-medium">{texts.presets[name].label}</span>
            <span className="block text-sm text-muted">{texts.presets[name].text}</span>
          </span>
        </label>
      ))}
      {value.includes('domains:purchase') && <Spending limit={limit} above={above} />}
      <div className="mt-1 divide-y divide-line rounded-lg border border-line">
        {scopeGroups.map((group) => (
          <Group key={group.key} group={group} value={value} onChange={onChange} />
        ))}
      </div>
    </fieldset>
  )
}

/**
 * The key's budget, beside the presets as on the consent page, because it would be out of view
 * further down.
 */
function Spending({ limit, above }: Limits) {
  const balances = useBalances().data?.map((one) => formatMoney(one.available, one.currency))
  return (
    <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
      {spendingWords({ limit, above })}{' '}
      {balances && apiKeyTexts.form.currently(balances.join(' + '))}
    </p>
  )
}

type GroupProps = Choice & { group: (typeof scopeGroups)[number] }

function Group({ group, value, onChange }: GroupProps) {
  const scopes: readonly Scope[] = group.scopes
  const isChosen = (scope: Scope) => value.includes(scope) || includingScope(scope, value) !== null
  const chosen = scopes.filter(isChosen)
  const toggle = (scope: Scope) =>
    onChange(value.includes(scope) ? value.filter((one) => one !== scope) : withScope(value, scope))
  return (
    <details className="group">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 px-3 font-medium -outline-offset-2 hover:bg-sunken">
        <Icon
          name="chevron"
          className="size-3.5 -rotate-90 text-muted transition-transform group-open:rotate-0"
        />
        <span className="grow">{texts.groups[group.key]}</span>
        <span className="text-sm font-normal text-muted tabular-nums">
          {texts.chosen(chosen.length, scopes.length)}
        </span>
      </summary>
      <div className="flex flex-col pb-2">
        {scopes.map((scope) => (
          <label key={scope} className="flex cursor-pointer items-start gap-3 px-3 py-1.5 text-sm">
            <input
              type="checkbox"
              checked={isChosen(scope)}
              disabled={includingScope(scope, value) !== null}
              onChange={() => toggle(scope)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="grow">
              {wordsOfScope(scope)}
              <code className="block font-mono text-xs text-muted">{scope}</code>
            </span>
            {isSensitiveScope(scope) && <Badge tone="warn">{texts.sensitive}</Badge>}
          </label>
        ))}
      </div>
    </details>
  )
}

function spendingWords({ limit, above }: Limits): string {
  if (above !== null) return limitTexts.form.asks(limit, above)
  return limit === null ? apiKeyTexts.form.spends : limitTexts.form.spends(limit)
}
