// Overview of one domain: the facts of its registration, renewal and lock.
import type { ReactNode } from 'react'
import type { DomainStatusResponse } from 'sdk'
import { Card } from '../../components/card.tsx'
import { Switch } from '../../components/forms/switch.tsx'
import { useConfirmation } from '../../components/sign-in/confirm-owner.tsx'
import {
  useLockSwitch,
  useProtectionSwitch,
  useRenewalSwitch,
  useReserveSwitch,
} from '../../lib/domains/domain-queries.ts'
import { formatDay, formatDistance } from '../../lib/format.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'
import { domainTexts } from '../../messages/domain-texts.ts'
import { UnconfirmedChanges } from './dns/unconfirmed-changes.tsx'

const texts = domainPageTexts.facts

export function Overview({ domain }: { domain: DomainStatusResponse }) {
  return (
    <>
      <UnconfirmedChanges domain={domain.domain} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Facts domain={domain} />
        {domain.expiry !== null && <Settings domain={domain} />}
      </div>
    </>
  )
}

function Facts({ domain }: { domain: DomainStatusResponse }) {
  const { status, expiry, registry_expiry, nameservers, epp_statuses, rgp_statuses } = domain
  const flags = [...epp_statuses, ...rgp_statuses]
  return (
    <Card title={texts.title}>
      <dl className="divide-y divide-line">
        <Fact name={texts.status}>{status === 'dry_run' ? '' : domainTexts.statuses[status]}</Fact>
        {expiry && (
          <Fact name={texts.expires}>
            <time dateTime={expiry}>{formatDay(expiry)}</time>
            <span className="text-muted"> · {formatDistance(expiry)}</span>
          </Fact>
        )}
        {registry_expiry && registry_expiry !== expiry && (
          <Fact name={texts.registryExpiry}>{formatDay(registry_expiry)}</Fact>
        )}
        <Fact name={texts.nameservers}>
          {nameservers.length === 0 ? texts.none : <Lines lines={nameservers} />}
        </Fact>
        <Fact name={texts.flags}>
          {flags.length === 0 ? (
            texts.none
          ) : (
            <span className="flex flex-wrap justify-end gap-1">
              {flags.map((flag) => (
                <code key={flag} className="rounded bg-sunken px-1.5 font-mono text-xs">
                  {flag}
                </code>
              ))}
            </span>
          )}
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="ml-auto max-w-full min-w-0 text-right break-words">{children}</dd>
    </div>
  )
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ))
}

function Settings({ domain }: { domain: DomainStatusResponse }) {
  const setRenewal = useRenewalSwitch()
  const setLock = useLockSwitch()
  const setReserve = useReserveSwitch()
  const { confirmed, dialog } = useConfirmation()
  const setProtection = useProtectionSwitch(confirmed)
  const { auto_renew, from_reserve, locked, status } = domain
  const words = domainPageTexts.settings
  const isChangeable = status === 'active' || status === 'expired'
  return (
    <Card title={words.title}>
      <div className="divide-y divide-line">
        <Setting name={words.renew} text={words.renewText}>
          <Switch
            label={words.renew}
            checked={auto_renew}
            disabled={status === 'transferred_away'}
            onChange={(on) => setRenewal({ domain: domain.domain, auto_renew: on })}
          />
        </Setting>
        <Setting name={words.reserve} text={words.reserveText}>
          <Switch
            label={words.reserve}
            checked={from_reserve}
            disabled={!isChangeable}
            onChange={(on) => setReserve({ domain: domain.domain, from_reserve: on })}
          />
        </Setting>
        <Setting name={words.lock} text={words.lockText}>
          <Switch
            label={words.lock}
            checked={locked}
            disabled={!isChangeable}
            onChange={(on) => setLock({ domain: domain.domain, locked: on })}
          />
        </Setting>
        <Setting name={words.protect} text={words.protectText}>
          <Switch
            label={words.protect}
            checked={domain.protected}
            disabled={!isChangeable}
            onChange={(on) => setProtection({ domain: domain.domain, protected: on })}
          />
        </Setting>
      </div>
      {dialog}
    </Card>
  )
}

function Setting({ name, text, children }: { name: string; text: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-6 px-5 py-3.5">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-muted">{text}</p>
      </div>
      {children}
    </div>
  )
}
